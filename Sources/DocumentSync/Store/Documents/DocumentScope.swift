/// Where documents are at home: a collection of a server, as one account sees it.
package struct DocumentScope: Sendable, Hashable {
  /// The server, by the address that it's known by.
  package let server: String
  /// Whose documents they are; empty where a server knows no accounts.
  package let account: String
  /// The collection.
  package let collection: String

  /// A collection of a server, as one account sees it.
  package init(server: String, account: String, collection: String) {
    self.server = server
    self.account = account
    self.collection = collection
  }

  /// Equal to the byte.
  package static func == (one: DocumentScope, other: DocumentScope) -> Bool {
    zip(one.names, other.names).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  /// By the bytes.
  package func hash(into hasher: inout Hasher) {
    for byte in collection.utf8 { hasher.combine(byte) }
  }

  private var names: [String] { [server, account, collection] }
}
