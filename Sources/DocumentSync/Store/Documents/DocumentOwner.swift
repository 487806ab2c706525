/// Who sees documents and edits them: an account of a server, or nobody, where nobody is signed in.
package struct DocumentOwner: Sendable, Hashable {
  /// The server, by the address that it's known by.
  package let server: String
  /// The account's name; empty for nobody's.
  package let account: String

  package init(server: String, account: String) {
    (self.server, self.account) = (server, account)
  }

  /// Whether documents that are at home there are theirs: equal to the byte.
  func has(_ scope: DocumentScope) -> Bool {
    scope == DocumentScope(server: server, account: account, collection: scope.collection)
  }
}
