/// What listeners are told.
extension DocumentReplica {
  /// What each commit changes from now on, told once it's recorded, to any number of listeners.
  ///
  /// Nothing is told where nothing changed. What other processes wrote is told before the next
  /// change that is made here, or when ``noticeOthers()`` is called. It ends when the replica is
  /// closed.
  public var changes: AsyncStream<StoreChange> { store.changes }

  /// A document as a stream of what people see of it, beginning with what is there now; `nil`
  /// where there is none.
  ///
  /// Whoever is slow misses values in between, and never the last one. It ends when the replica is
  /// closed, and what reading throws, it throws.
  public func values(of id: DocumentID) -> some AsyncSequence<DocumentValue?, any Error> & Sendable
  {
    store.document(id)
  }

  /// Looks whether other processes wrote to the file, and tells so.
  public func noticeOthers() async throws { try await store.noticeOthers() }
}
