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
    one.collection.utf8.elementsEqual(other.collection.utf8)
      && one.account.utf8.elementsEqual(other.account.utf8)
      && one.server.utf8.elementsEqual(other.server.utf8)
  }

  /// By the collection: names of the same bytes have the same hash, and few others do.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(collection)
  }
}
