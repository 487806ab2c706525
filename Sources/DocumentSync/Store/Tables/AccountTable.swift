import SyncDatabase

/// What the accounts of a server have in the store.
struct AccountTable {
  let session: StoreSession

  /// The collections of a server that anything is kept of, of all accounts but one.
  func scopes(
    of server: String, except account: String? = nil
  ) throws -> [(number: Int64, scope: DocumentScope)] {
    try session.connection.rows(
      """
      SELECT number, account, collection FROM scopes
      WHERE server = ?1 AND account IS NOT ?2 ORDER BY number
      """, server, account
    ) { row in
      let scope = DocumentScope(
        server: server, account: try row.text("account"), collection: try row.text("collection"))
      return (try row.integer("number"), scope)
    }
  }

  /// How many changes and files of a collection wait to be sent.
  func unsent(in scope: Int64) throws -> Int {
    let count = try session.connection.row(
      """
      SELECT (SELECT count(*) FROM outbox WHERE scope = ?1)
        + (SELECT count(*) FROM documents INDEXED BY documents_plain
          WHERE since IS NOT NULL AND scope = ?1)
        + (SELECT count(*) FROM files WHERE scope = ?1 AND state = 'up' AND loose IS NULL) AS count
      """, scope
    ) { Int(try $0.integer("count")) }
    return count ?? 0
  }

  /// What was changed here is at home elsewhere from now on, whether it's to be sent or not, and so
  /// is what happened to it.
  func move(from old: Int64, to new: Int64) throws {
    try session.connection.run(
      "UPDATE documents SET scope = ?2 WHERE scope = ?1 AND state <> 'synced'", old, new)
    try session.connection.run("UPDATE outbox SET scope = ?2 WHERE scope = ?1", old, new)
    // A file goes to where its document is taken to, and needn't have been there.
    try session.connection.run(
      """
      UPDATE files SET scope = ?2 WHERE scope = ?1 AND state IN ('up', 'refused')
        AND id IN (SELECT id FROM documents WHERE scope = ?2)
      """, old, new)
    try session.connection.run(
      """
      UPDATE traces SET scope = ?2 WHERE scope = ?1
        AND id IN (SELECT id FROM documents WHERE scope = ?2)
      """, old, new)
  }

  /// What happened while nobody was signed in, and what gave way then, is told elsewhere from now
  /// on.
  func moveHistory(from old: Int64, to new: Int64) throws {
    try session.connection.run("UPDATE traces SET scope = ?2 WHERE scope = ?1", old, new)
    try session.connection.run("UPDATE lost SET scope = ?2 WHERE scope = ?1", old, new)
  }

  /// A document is at home elsewhere from now on.
  func move(_ id: DocumentID, to new: Int64) throws {
    try session.connection.run("UPDATE documents SET scope = ?2 WHERE id = ?1", id.text, new)
  }

  // MARK: - Who was here

  /// Another account took over: what this collection shows may be shown to that one, too.
  func leave(_ scope: Int64) throws {
    try session.connection.run("INSERT OR IGNORE INTO left_scopes (scope) VALUES (?1)", scope)
  }

  /// The account of a collection is signed in.
  func enter(_ scope: Int64) throws {
    try session.connection.run("DELETE FROM left_scopes WHERE scope = ?1", scope)
  }

  /// Whether another account took over.
  func isLeft(_ scope: Int64) throws -> Bool {
    try session.connection.row("SELECT 1 FROM left_scopes WHERE scope = ?1", scope) { _ in
      true
    } ?? false
  }
}
