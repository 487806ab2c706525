import SyncDatabase

/// Which documents wait for which others.
struct AwaitedTable {
  let session: StoreSession

  func awaited(by entry: Int64) throws -> Set<DocumentID> {
    guard try session.holdsAwaited() else { return [] }
    return Set(
      try session.connection.rows("SELECT id FROM awaited WHERE entry = ?1", entry) {
        DocumentID(try $0.text("id"))
      })
  }

  /// Those that the entry of a document waits for; none, if it has none.
  func awaited(by id: DocumentID) throws -> Set<DocumentID> {
    Set(
      try session.connection.rows(
        """
        SELECT awaited.id FROM documents JOIN awaited ON awaited.entry = documents.entry
        WHERE documents.id = ?1
        """, id.text
      ) { DocumentID(try $0.text("id")) })
  }

  /// A document is at the server, or gone: nobody needs to wait for it.
  func settle(_ id: DocumentID) throws {
    guard try session.holdsAwaited() else { return }
    try session.connection.run("DELETE FROM awaited WHERE id = ?1", id.text)
  }

  /// An entry waits for others than before.
  func change(of entry: Int64, from old: Set<DocumentID>, to new: Set<DocumentID>) throws {
    guard old != new else { return }
    for id in old.subtracting(new) {
      try session.connection.run(
        "DELETE FROM awaited WHERE entry = ?1 AND id = ?2", entry, id.text)
    }
    if !new.isEmpty { session.mayHoldAwaited() }
    for id in new.subtracting(old) {
      try session.connection.run(
        "INSERT INTO awaited (entry, id) VALUES (?1, ?2)", entry, id.text)
    }
  }
}
