import SyncDatabase

/// What waits for somebody's word. Ids only: of each, more is read when its turn comes.
extension StoreReader {
  /// The documents of a collection about which somebody is to decide, in the order in which they
  /// came to be here.
  package func conflicts(in scope: DocumentScope) throws -> [DocumentID] {
    guard let number = try session.number(of: scope) else { return [] }
    return try session.connection.rows(
      """
      SELECT documents.id AS id FROM documents
      LEFT JOIN outbox ON outbox.number = documents.entry
      WHERE shown IS NOT NULL AND documents.scope = ?1
        AND coalesce(phase, 'parked') IN ('parked', 'setAside')
      ORDER BY documents.number
      """, number
    ) { DocumentID(try $0.text("id")) }
  }

  /// The documents of a collection whose changes were set aside, in the order of the outbox.
  package func setAside(in scope: DocumentScope) throws -> [DocumentID] {
    guard let number = try session.number(of: scope) else { return [] }
    return try session.connection.rows(
      "SELECT id FROM outbox WHERE phase = 'setAside' AND scope = ?1 ORDER BY number", number
    ) { DocumentID(try $0.text("id")) }
  }
}
