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

  /// Documents that were changed here are at home elsewhere from now on, whether they're to be sent
  /// or not, and so is what happened to them, and their files. What gave way stays with whose it
  /// was, and so does what their server told them: queries, what can't be read, and what has
  /// vanished.
  func moveChanges(from old: Int64, to new: Int64) throws {
    for table in ["files", "traces"] as [SQL] {
      try session.connection.run(
        """
        UPDATE \(table) SET scope = ?2 WHERE scope = ?1
          AND id IN (SELECT id FROM documents WHERE scope = ?1 AND state <> 'synced')
        """, old, new)
    }
    let count = try session.connection.run(
      "UPDATE documents SET scope = ?2 WHERE scope = ?1 AND state <> 'synced'", old, new)
    try session.connection.run("UPDATE outbox SET scope = ?2 WHERE scope = ?1", old, new)
    if count > 0 { try compareAnew(new) }
  }

  /// All that is here is at home elsewhere from now on. What happened to documents that are others'
  /// by now, what gave way of those, and their files, stays.
  func moveAll(from old: Int64, to new: Int64) throws {
    // Whether the server shows it there is to be seen.
    try session.connection.run(
      """
      UPDATE documents SET hidden = 1 WHERE scope = ?1 AND base_version IS NOT NULL
        AND (SELECT hidden FROM scopes WHERE number = ?1)
      """, old)
    try moveAnswers(from: old, to: new)
    let count = try session.connection.run(
      "UPDATE documents SET scope = ?2 WHERE scope = ?1", old, new)
    try session.connection.run("UPDATE outbox SET scope = ?2 WHERE scope = ?1", old, new)
    for table in ["files", "traces", "lost"] as [SQL] {
      try session.connection.run(
        """
        UPDATE \(table) SET scope = ?2 WHERE scope = ?1 AND NOT EXISTS (
          SELECT 1 FROM documents WHERE documents.id = \(table).id AND documents.scope <> ?2)
        """, old, new)
    }
    if count > 0 { try compareAnew(new) }
  }

  /// What a server told nobody, and told the account nothing of. What had vanished for nobody may
  /// be there for the account: the next list says so. What one couldn't have, as the other one had
  /// its id, is no failure any more.
  private func moveAnswers(from old: Int64, to new: Int64) throws {
    try session.connection.run(
      """
      UPDATE queries SET scope = ?2
      WHERE scope = ?1 AND name NOT IN (SELECT name FROM queries WHERE scope = ?2)
      """, old, new)
    try session.connection.run(
      """
      DELETE FROM failures WHERE scope IN (?1, ?2) AND name IN (
        SELECT id FROM documents WHERE documents.scope IN (?1, ?2)
          AND documents.scope <> failures.scope)
      """, old, new)
    try session.connection.run(
      "UPDATE OR IGNORE failures SET scope = ?2 WHERE scope = ?1", old, new)
    for table in ["queries", "failures", "vanished"] as [SQL] {
      try session.connection.run("DELETE FROM \(table) WHERE scope = ?1", old)
    }
  }

  /// Nobody's syncs with a server are an account's from now on, unless nobody synced with others,
  /// too: which one a sync was with isn't known.
  func moveRuns(of server: String, to account: String) throws {
    try session.connection.run(
      """
      UPDATE runs SET account = ?2 WHERE account = ''
        AND NOT EXISTS (SELECT 1 FROM scopes WHERE account = '' AND server <> ?1)
      """, server, account)
  }

  /// Documents came here that the server may have changed before the list that is known here ended:
  /// the next one is of everything. What it doesn't name needn't have been deleted, as the server
  /// may not show it to this account.
  private func compareAnew(_ scope: Int64) throws {
    try session.connection.run(
      "UPDATE scopes SET checkpoint = NULL, comparing = 'forgotten' WHERE number = ?1", scope)
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
