private import SyncSystem

/// Where documents are at home: a collection of a server, as one account sees it.
package struct DocumentScope: Sendable, Hashable {
  /// The server, by the address that it's known by.
  package let server: String
  /// Whose documents they are; empty where a server knows no accounts.
  package let account: String
  package let collection: String

  package init(server: String, account: String, collection: String) {
    (self.server, self.account, self.collection) = (server, account, collection)
  }

  /// Equal to the byte.
  package static func == (one: DocumentScope, other: DocumentScope) -> Bool {
    one.collection.isSameBytes(as: other.collection) && one.account.isSameBytes(as: other.account)
      && one.server.isSameBytes(as: other.server)
  }

  /// By the collection: names of the same bytes have the same hash, and few others do.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(collection)
  }
}

extension String {
  /// Whether both are the same to the byte. (Going through two views of text takes ten times as
  /// long.)
  fileprivate func isSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (one, other) = (self, other)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        guard let start = one.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(start, second, one.count) == 0
      }
    }
  }
}

extension DocumentScope {
  /// Whose documents are at home there.
  var owner: DocumentOwner { DocumentOwner(server: server, account: account) }
}

/// Who sees documents and edits them: an account of a server, or nobody, where nobody is signed in.
package struct DocumentOwner: Sendable, Hashable {
  /// The server, by the address that it's known by.
  package let server: String
  /// The account's name; empty for nobody's.
  package let account: String

  /// Whether documents that are at home there are theirs.
  func has(_ scope: DocumentScope) -> Bool { self == scope.owner }

  /// Equal to the byte.
  package static func == (one: DocumentOwner, other: DocumentOwner) -> Bool {
    one.account.isSameBytes(as: other.account) && one.server.isSameBytes(as: other.server)
  }
}
