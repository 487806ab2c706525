/// What people see of one document: as it is now, and then each other value that it takes; `nil`
/// where there is none.
///
/// Whoever is slow misses values in between, and never the last one. It ends when the store is
/// closed, and what reading throws, it throws.
public struct DocumentStream: AsyncSequence, Sendable {
  /// What people see of it; `nil` where there is none.
  public typealias Element = DocumentValue?

  let store: DocumentStore
  let id: DocumentID

  /// Begins to listen.
  public func makeAsyncIterator() -> Iterator {
    // It listens before it reads, so that nothing comes between.
    Iterator(store: store, id: id, changes: store.changes.makeAsyncIterator())
  }

  /// Goes from value to value.
  public struct Iterator: AsyncIteratorProtocol {
    let store: DocumentStore
    let id: DocumentID
    var changes: AsyncStream<StoreChange>.Iterator
    private var last: Element?

    init(store: DocumentStore, id: DocumentID, changes: AsyncStream<StoreChange>.Iterator) {
      (self.store, self.id, self.changes) = (store, id, changes)
    }

    /// The next value.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? {
      do {
        guard let last else { return try await seen() }
        while let change = await changes.next(isolation: actor) {
          guard change.concerns(id) else { continue }
          let value = try await read()
          if !value.hasSameContent(as: last) {
            self.last = .some(value)
            return .some(value)
          }
        }
        return nil
      } catch {
        guard store.hub.isClosed else { throw error }
        return nil
      }
    }

    private mutating func seen() async throws -> Element? {
      let value = try await read()
      last = .some(value)
      return last
    }

    private func read() async throws -> DocumentValue? {
      try await store.read { [id] in try $0.document(id) }
    }
  }
}
