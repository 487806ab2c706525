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

  /// A document as a type of the program's, as a stream, beginning with what is there now; `nil`
  /// where there is none, or one of another type.
  ///
  /// Whoever is slow misses values in between, and never the last one. It ends when the replica is
  /// closed, and what reading it or its type throws, it throws.
  public func values<Document: SyncDocument>(
    of id: DocumentID, as type: Document.Type
  ) -> some AsyncSequence<Document?, any Error> & Sendable {
    store.values(of: id) { content in
      guard let content, type.isType(of: content) else { return nil }
      return try Document(content, id: id)
    }
  }

  /// The documents of a type of the program's that a query finds, in the order that it asks for, as
  /// a stream: as they are now, and then as they are after each commit that changes one of them, or
  /// which they are.
  ///
  /// A query that names no collection looks where the type is at home. Whoever is slow misses lists
  /// in between, and never the last one. It ends when the replica is closed, and what reading them
  /// or their type throws, it throws.
  public func values<Document: SyncDocument>(
    of type: Document.Type, matching query: DocumentQuery = DocumentQuery()
  ) -> some AsyncSequence<[Document], any Error> & Sendable {
    let query = query.of(type)
    // Whose they are is another thing after somebody else has signed in.
    return store.values(matching: { [self] in ours(query) }) {
      try Document($0.content, id: $0.id)
    }
  }

  /// Looks whether other processes wrote to the file, and tells so.
  public func noticeOthers() async throws { try await store.noticeOthers() }
}
