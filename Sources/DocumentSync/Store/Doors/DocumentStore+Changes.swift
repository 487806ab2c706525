extension DocumentStore {
  /// What each commit changes from now on, told once it's recorded, to any number of listeners.
  ///
  /// Nothing is told where nothing changed. What others write who have the same file open is told
  /// before the next change that is made here, or when ``noticeOthers()`` is called. It ends when
  /// the store is closed.
  package var changes: AsyncStream<StoreChange> { hub.subscribe(for: owner) }

  /// A document as a stream of what people see of it, beginning with what is there now.
  package func document(_ id: DocumentID) -> DocumentStream { DocumentStream(store: self, id: id) }

  /// Looks whether others who have the same file open wrote to it, and tells so.
  package func noticeOthers() async throws {
    try await withConnection { [hub] in try hub.look(at: $0) }
  }
}
