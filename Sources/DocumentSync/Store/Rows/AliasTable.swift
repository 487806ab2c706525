import SyncDatabase

/// What documents were called before their server gave them a key: they are found by that, too,
/// each among its account's.
struct AliasTable {
  let session: StoreSession

  /// What an account's document is called that was called so before; `nil` if none was.
  func id(of alias: DocumentID, ownedBy owner: Int64) throws -> DocumentID? {
    guard try session.holdsAliases() else { return nil }
    return try session.connection.row(
      """
      SELECT documents.id AS id FROM aliases JOIN documents ON documents.number = aliases.document
      WHERE aliases.id = ?1 AND owner = ?2
      """, alias.text, owner
    ) { DocumentID(try $0.text("id")) }
  }

  /// What an account's document was called when it was saved; `nil` if it has been called by its id
  /// alone, or by ids that were made for it.
  func givenName(of id: DocumentID, ownedBy owner: Int64) throws -> DocumentID? {
    guard try session.holdsAliases() else { return nil }
    return try session.connection.rows(
      """
      SELECT aliases.id AS id FROM documents JOIN aliases ON aliases.document = documents.number
      WHERE documents.id = ?1 AND owner = ?2 ORDER BY aliases.id
      """, id.text, owner
    ) { DocumentID(try $0.text("id")) }.first { !$0.isUUID }
  }

  /// Whose document was called so; `nil` if none was.
  func owner(of alias: DocumentID) throws -> Int64? {
    guard try session.holdsAliases() else { return nil }
    return try session.connection.row(
      """
      SELECT owner FROM aliases JOIN documents ON documents.number = aliases.document
      WHERE aliases.id = ?1
      """, alias.text
    ) { try $0.integer("owner") }
  }

  /// A document may be asked for by another id than its own.
  func add(_ alias: DocumentID, to id: DocumentID, ownedBy owner: Int64) throws {
    session.mayHoldAliases()
    try session.connection.run(
      """
      INSERT OR IGNORE INTO aliases (document, id)
        SELECT number, ?1 FROM documents WHERE id = ?2 AND owner = ?3
      """, alias.text, id.text, owner)
  }

  /// Calls an account's document by its server's key, in all that is kept of it.
  func rename(_ id: DocumentID, to key: DocumentID, ownedBy owner: Int64) throws {
    let own: SQL = "scope IN (SELECT number FROM scopes WHERE owner = ?3)"
    try leaveFiles(of: key, to: id, owner)
    // What is left of another one that was called so.
    for sql in [
      "DELETE FROM traces WHERE id = ?2 AND owner = ?3",
      "DELETE FROM burials WHERE id IN (?1, ?2) AND owner = ?3",
      "DELETE FROM vanished WHERE id = ?2 AND \(own)",
      "UPDATE documents SET id = ?2 WHERE id = ?1 AND owner = ?3",
      "UPDATE outbox SET id = ?2 WHERE id = ?1 AND \(own)",
      """
      UPDATE OR REPLACE awaited SET id = ?2
      WHERE id = ?1 AND entry IN (SELECT number FROM outbox WHERE \(own))
      """,
      "UPDATE traces SET id = ?2 WHERE id = ?1 AND owner = ?3",
      "UPDATE files SET id = ?2 WHERE id = ?1 AND owner = ?3",
      "UPDATE OR REPLACE file_news SET id = ?2 WHERE id = ?1 AND owner = ?3",
      "UPDATE lost SET id = ?2 WHERE id = ?1 AND \(own)",
    ] as [SQL] {
      try session.connection.run(sql, id.text, key.text, owner)
    }
    try add(id, to: key, ownedBy: owner)
  }

  /// What is left of a document's files, whose id another is to have. It stays known, so that its
  /// content goes after a time, too.
  func leaveFiles(of gone: DocumentID, to heir: DocumentID, _ owner: Int64) throws {
    try session.connection.run(
      """
      DELETE FROM files WHERE id = ?1 AND owner = ?3
        AND digest IN (SELECT digest FROM files WHERE id = ?2 AND owner = ?3)
      """, gone.text, heir.text, owner)
    try session.connection.run(
      """
      UPDATE files SET state = 'dropped', words = NULL, loose = coalesce(loose, ?3)
      WHERE id = ?1 AND owner = ?2
      """, gone.text, owner, session.now)
  }
}

extension StoreReader {
  /// What a document is called: where none is called so, what it was called may be meant.
  func named(_ id: DocumentID) throws -> DocumentID {
    guard let owner = try owner(of: id) else { return id }
    return try named(id, ownedBy: owner)
  }

  /// What whoever saved a document called it, where it has an id that was made for it.
  func givenName(of id: DocumentID) throws -> DocumentID {
    guard id.isUUID, let owner = try owner(of: id) else { return id }
    return try AliasTable(session: session).givenName(of: id, ownedBy: owner) ?? id
  }

  func named(_ id: DocumentID, ownedBy owner: Int64) throws -> DocumentID {
    guard try session.holdsAliases(),
      try DocumentTable(session: session).number(of: id, ownedBy: owner) == nil
    else { return id }
    return try AliasTable(session: session).id(of: id, ownedBy: owner) ?? id
  }
}
