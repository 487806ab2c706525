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
    let own = try session.isOwners("documents.owner")
    return Set(
      try session.connection.rows(
        """
        SELECT awaited.id FROM documents JOIN awaited ON awaited.entry = documents.entry
        WHERE documents.id = \(id.text) AND \(own)
        """
      ) { DocumentID(try $0.text("id")) })
  }

  /// A document is at the server, or gone: nobody needs to wait for it.
  /// Those of other accounts wait for another one.
  func settle(_ id: DocumentID, in scope: DocumentScope) throws {
    guard try session.holdsAwaited() else { return }
    try session.connection.run(
      """
      DELETE FROM awaited WHERE id = ?1 AND EXISTS (
        SELECT 1 FROM outbox JOIN scopes ON scopes.number = outbox.scope
        WHERE outbox.number = awaited.entry AND owner = ?2)
      """, id.text, session.makeHome(of: scope).owner)
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
