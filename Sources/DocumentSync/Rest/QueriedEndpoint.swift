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
