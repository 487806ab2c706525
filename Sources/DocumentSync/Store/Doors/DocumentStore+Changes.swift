import SyncDatabase

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
    try await withConnection { [hub] in hub.look(at: try $0.dataVersion()) }
  }
}

extension Connection {
  /// SQLite's name for what others made of the file (sqlite.org, "PRAGMA data_version").
  func dataVersion() throws -> Int64 {
    try row("PRAGMA data_version") { try $0.integer(0) } ?? 0
  }
}
