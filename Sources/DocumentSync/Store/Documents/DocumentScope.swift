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
    one.collection.utf8.elementsEqual(other.collection.utf8)
      && one.account.utf8.elementsEqual(other.account.utf8)
      && one.server.utf8.elementsEqual(other.server.utf8)
  }

  /// By the collection: names of the same bytes have the same hash, and few others do.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(collection)
  }
}
