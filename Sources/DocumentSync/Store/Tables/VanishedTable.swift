import SyncDatabase

/// What a server has no more, until the end of its list has shown how much that is in all.
struct VanishedTable {
  let session: StoreSession

  func note(_ id: DocumentID, _ state: DocumentState, in scope: Int64) throws {
    var version: DocumentVersion?
    if case .deleted(let named) = state { version = named }
    try session.connection.run(
      """
      INSERT INTO vanished (scope, id, forgotten, version) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (scope, id) DO UPDATE
        SET forgotten = excluded.forgotten, version = excluded.version
      """, scope, id.text, state == .forgotten, version?.text)
  }

  /// All that vanished would be too much to go at once: it stays until somebody says otherwise.
  func holdBack(in scope: Int64) throws {
    try session.connection.run(
      "UPDATE vanished SET held_back = 1 WHERE scope = ?1 AND NOT held_back", scope)
  }

  /// A server has a document after all.
  func forget(_ id: DocumentID, in scope: Int64) throws {
    try session.connection.run("DELETE FROM vanished WHERE scope = ?1 AND id = ?2", scope, id.text)
  }

  /// Of how many documents that vanished a copy is here.
  ///
  /// - Parameter isHeldBack: whether only those count that would have been too much to go, and not
  ///   those of a list whose end didn't come yet.
  func count(in scope: Int64, isHeldBack: Bool = false) throws -> Int {
    try session.connection.row(
      """
      SELECT count(*) AS count FROM vanished JOIN documents ON documents.id = vanished.id
      WHERE vanished.scope = ?1 AND documents.scope = ?1 AND documents.body IS NOT NULL
        AND held_back >= ?2
      """, scope, isHeldBack
    ) { Int(try $0.integer("count")) } ?? 0
  }

  /// How many documents are here that a server had.
  func held(in scope: Int64) throws -> Int {
    try session.connection.row(
      """
      SELECT count(*) AS held FROM documents
      WHERE scope = ?1 AND body IS NOT NULL AND base_version IS NOT NULL
      """, scope
    ) { Int(try $0.integer("held")) } ?? 0
  }

  /// Whether a document vanished and would have been too much to go.
  func holdsBack(_ id: DocumentID, in scope: Int64) throws -> Bool {
    try session.connection.row(
      "SELECT 1 FROM vanished WHERE scope = ?1 AND id = ?2 AND held_back", scope, id.text
    ) { _ in true } ?? false
  }

  /// What vanished, and what the server says of it, by name; so many at most.
  func all(in scope: Int64, limit: Int64) throws -> [DocumentChange] {
    try session.connection.rows(
      "SELECT id, forgotten, version FROM vanished WHERE scope = ?1 ORDER BY id LIMIT ?2", scope,
      limit
    ) { row in
      let version = try row.optionalText("version").map { DocumentVersion($0) }
      return DocumentChange(
        id: DocumentID(try row.text("id")),
        state: try row.flag("forgotten") ? .forgotten : .deleted(version))
    }
  }
}
