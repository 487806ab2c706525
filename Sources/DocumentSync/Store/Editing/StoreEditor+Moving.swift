import SyncDatabase

/// Documents that become another account's.
extension StoreEditor {
  /// Documents that were changed here are at home elsewhere from now on, whether they're to be sent
  /// or not, and so is what happened to them, and their files. What gave way stays with whose it
  /// was, and so does what their server told them: queries, what can't be read, and what has
  /// vanished.
  func moveChanges(from old: StoreSession.Home, to new: StoreSession.Home) throws {
    // What a server said to one account is none of another's.
    try session.connection.run(
      "DELETE FROM answers WHERE entry IN (SELECT number FROM outbox WHERE scope = ?1)", old.number)
    try makeRoom(for: "documents.state <> 'synced'", from: old, to: new)
    try moveFiles(from: old, to: new, where: Self.isOfChange)
    try moveLives(from: old, to: new, where: Self.isOfChange)
    try moveDocuments(from: old, to: new, where: "state <> 'synced'")
  }

  /// All that is here is at home elsewhere from now on.
  func moveAll(from old: StoreSession.Home, to new: StoreSession.Home) throws {
    // Whether the server shows it there is to be seen.
    try session.connection.run(
      """
      UPDATE documents SET hidden = 1 WHERE scope = ?1 AND base_version IS NOT NULL
        AND (SELECT hidden FROM scopes WHERE number = ?1)
      """, old.number)
    try moveAnswers(from: old.number, to: new.number)
    try makeRoom(for: "1", from: old, to: new)
    try moveFiles(from: old, to: new, where: "1")
    try moveLives(from: old, to: new, where: "1")
    try session.connection.run(
      "UPDATE lost SET scope = ?2 WHERE scope = ?1", old.number, new.number)
    try session.connection.run(
      "UPDATE OR IGNORE burials SET owner = ?2 WHERE owner = ?1", old.owner, new.owner)
    try session.connection.run("DELETE FROM burials WHERE owner = ?1", old.owner)
    try moveDocuments(from: old, to: new, where: "1")
  }

  private static let isOfChange: SQL =
    "id IN (SELECT id FROM documents WHERE scope = ?1 AND state <> 'synced')"

  private func moveDocuments(
    from old: StoreSession.Home, to new: StoreSession.Home, where isMeant: SQL
  ) throws {
    let connection = session.connection
    // What names one of the account's own goes on naming that.
    try connection.run(
      """
      DELETE FROM aliases
      WHERE document IN (SELECT number FROM documents WHERE scope = ?1 AND \(isMeant))
        AND (id IN (SELECT id FROM documents WHERE owner = ?2)
          OR id IN (SELECT aliases.id FROM aliases
            JOIN documents ON documents.number = aliases.document WHERE owner = ?2))
      """, old.number, new.owner)
    let count = try connection.run(
      "UPDATE documents SET scope = ?2, owner = ?3 WHERE scope = ?1 AND \(isMeant)", old.number,
      new.number, new.owner)
    try connection.run("UPDATE outbox SET scope = ?2 WHERE scope = ?1", old.number, new.number)
    if count > 0 { try compareAnew(new.number) }
  }

  /// What the account has of its own stays as it is.
  private func moveFiles(
    from old: StoreSession.Home, to new: StoreSession.Home, where isMeant: SQL
  ) throws {
    try session.connection.run(
      "UPDATE OR IGNORE files SET scope = ?2, owner = ?3 WHERE scope = ?1 AND \(isMeant)",
      old.number, new.number, new.owner)
    try session.connection.run("DELETE FROM files WHERE scope = ?1 AND \(isMeant)", old.number)
  }

  /// What happened to documents comes behind what happened to the account's own of their ids.
  private func moveLives(
    from old: StoreSession.Home, to new: StoreSession.Home, where isMeant: SQL
  ) throws {
    let connection = session.connection
    let met = try connection.rows(
      """
      SELECT id, max(place) AS last FROM traces AS own WHERE owner = ?2 AND EXISTS (
        SELECT 1 FROM traces WHERE scope = ?1 AND traces.id = own.id AND \(isMeant))
      GROUP BY id
      """, old.number, new.owner
    ) { (id: try $0.text("id"), last: try $0.integer("last")) }
    for (id, last) in met {
      try connection.run(
        """
        UPDATE traces SET scope = ?2, owner = ?3, place = place + ?4 WHERE scope = ?1 AND id = ?5
        """, old.number, new.number, new.owner, last, id)
    }
    try connection.run(
      "UPDATE traces SET scope = ?2, owner = ?3 WHERE scope = ?1 AND \(isMeant)", old.number,
      new.number, new.owner)
  }

  /// Documents came here that the server may have changed before the list that is known here ended:
  /// the next one is of everything. What it doesn't name needn't have been deleted, as the server
  /// may not show it to this account.
  private func compareAnew(_ scope: Int64) throws {
    try session.connection.run(
      "UPDATE scopes SET checkpoint = NULL, comparing = 'forgotten' WHERE number = ?1", scope)
  }

  /// What a server told nobody, and told the account nothing of. What had vanished for nobody may
  /// be there for the account: the next list says so.
  private func moveAnswers(from old: Int64, to new: Int64) throws {
    try session.connection.run(
      """
      UPDATE queries SET scope = ?2
      WHERE scope = ?1 AND name NOT IN (SELECT name FROM queries WHERE scope = ?2)
      """, old, new)
    try session.connection.run(
      "UPDATE OR IGNORE failures SET scope = ?2 WHERE scope = ?1", old, new)
    for table in ["queries", "failures", "vanished"] as [SQL] {
      try session.connection.run("DELETE FROM \(table) WHERE scope = ?1", old)
    }
  }

  // MARK: - Where the account has one of the same id

  private func makeRoom(
    for isMeant: SQL, from old: StoreSession.Home, to new: StoreSession.Home
  ) throws {
    let ids = try session.connection.rows(
      """
      SELECT documents.id FROM documents
      JOIN documents AS own ON own.id = documents.id AND own.owner = ?2
      WHERE documents.scope = ?1 AND \(isMeant) ORDER BY documents.number
      """, old.number, new.owner
    ) { DocumentID(try $0.text("id")) }
    for id in ids {
      guard let moving = try reader.kept(id, ownedBy: old.owner),
        let there = try reader.kept(id, ownedBy: new.owner)
      else { continue }
      switch DocumentMove(moving: moving.document, there: there.document).decision {
      case .takesPlace: try takeAway(there, of: new)
      case .goes: try remove(moving, of: old, for: new)
      case .givesWay(let loss):
        try remove(moving, of: old, for: new)
        _ = try change(id, in: there.document.scope) { document, _ in
          document.takeoverGaveWay(loss)
        }
      }
    }
  }

  /// The account's own copy of a document, which the server has, makes room for a change.
  private func takeAway(_ there: DocumentTable.Kept, of home: StoreSession.Home) throws {
    let id = there.document.id.text
    try DocumentTable(session: session).delete(there)
    // Whether the server has its files is seen when it has the document again.
    try session.connection.run(
      """
      UPDATE files SET state = 'checking' WHERE id = ?1 AND owner = ?2 AND state = 'settled'
      """, id, home.owner)
    try session.connection.run(
      "DELETE FROM vanished WHERE scope = ?1 AND id = ?2", home.number, id)
  }

  /// A document doesn't move: nothing of it stays but the contents of its files, for a while.
  private func remove(
    _ moving: DocumentTable.Kept, of old: StoreSession.Home, for new: StoreSession.Home
  ) throws {
    let connection = session.connection
    if let entry = moving.document.entry {
      try keepContents([:], over: moving.document.contents)
      if moving.since == nil { try OutboxTable(session: session).delete(entry) }
    }
    let id = moving.document.id.text
    try DocumentTable(session: session).delete(moving)
    try connection.run("DELETE FROM traces WHERE id = ?1 AND owner = ?2", id, old.owner)
    try connection.run("DELETE FROM file_news WHERE id = ?1 AND owner = ?2", id, old.owner)
    // What wasn't sent for the one is sent for the other, if that has it, too.
    try connection.run(
      """
      UPDATE files SET state = 'up', tried = 1
      WHERE id = ?1 AND owner = ?3 AND state = 'down' AND digest IN (
        SELECT digest FROM files WHERE id = ?1 AND owner = ?2 AND state IN ('up', 'refused'))
      """, id, old.owner, new.owner)
    try connection.run(
      """
      UPDATE OR IGNORE files SET scope = ?3, owner = ?4, state = 'dropped', words = NULL,
        loose = coalesce(loose, ?5)
      WHERE id = ?1 AND owner = ?2
      """, id, old.owner, new.number, new.owner, session.now)
    try connection.run("DELETE FROM files WHERE id = ?1 AND owner = ?2", id, old.owner)
  }
}
