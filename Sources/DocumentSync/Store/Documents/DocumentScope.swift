private import SyncSystem

/// Where documents are at home: a collection of a server, as one account sees it.
public struct DocumentScope: Sendable, Hashable {
  /// The server, by the address that it's known by.
  public let server: String
  /// Whose documents they are; empty where a server knows no accounts.
  public let account: String
  /// The collection.
  public let collection: String

  /// A collection of a server, as one account sees it.
  public init(server: String, account: String, collection: String) {
    self.server = server
    self.account = account
    self.collection = collection
  }

  /// Equal to the byte.
  public static func == (one: DocumentScope, other: DocumentScope) -> Bool {
    one.collection.isSameBytes(as: other.collection) && one.account.isSameBytes(as: other.account)
      && one.server.isSameBytes(as: other.server)
  }

  /// By the collection: names of the same bytes have the same hash, and few others do.
  public func hash(into hasher: inout Hasher) {
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
