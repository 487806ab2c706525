/// An endpoint whose server answers queries of its own.
public protocol QueriedEndpoint: DocumentEndpoint {
  /// The documents of a collection for which a query holds, in its order, as the one page of a list
  /// of changes: nothing is said of any other document.
  ///
  /// - Parameters:
  ///   - collection: which collection.
  ///   - query: what is asked, as the server knows it.
  ///   - sort: by which members it's sorted, a `-` before those that go downwards.
  /// - Throws: ``EndpointError``, `CancellationError`.
  @concurrent func documents(
    in collection: String, matching query: [RestParameter], sortedBy sort: [String]
  ) async throws -> ChangesReply
}

/// A condition, or whatever else a query says: passed on as it is, with what an address can't have
/// percent-encoded (RFC 3986, section 2.1).
public struct RestParameter: Sendable, Hashable {
  /// Its name, such as `name__icontains`.
  public let name: String
  /// Its value.
  public let value: String

  /// A parameter.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
