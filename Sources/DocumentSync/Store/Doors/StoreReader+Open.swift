import SyncDatabase

/// What waits for somebody.
package enum OpenQuestion: Sendable {
  /// Somebody is to decide between a document and the server's.
  case conflict
  /// A change was set aside.
  case setAside
}

extension StoreReader {
  private static let conflicts: SQL = """
    SELECT documents.number AS number, documents.id AS id
    FROM documents INDEXED BY documents_exceptions
      LEFT JOIN outbox ON outbox.number = documents.entry
    WHERE shown IS NOT NULL AND coalesce(phase, 'parked') IN ('parked', 'setAside')
      AND documents.number > ?1 AND (?2 IS NULL OR documents.scope = ?2)
    ORDER BY documents.number LIMIT ?3
    """
  private static let setAside: SQL = """
    SELECT number, id FROM outbox INDEXED BY outbox_exceptions
    WHERE phase = 'setAside' AND number > ?1 AND (?2 IS NULL OR scope = ?2)
    ORDER BY number LIMIT ?3
    """

  /// Documents that wait for somebody.
  ///
  /// - Parameters:
  ///   - scope: of which collection; of all by default.
  ///   - number: that of the last one that was given.
  package func open(
    _ question: OpenQuestion, in scope: DocumentScope? = nil, after number: Int64 = 0, limit: Int
  ) throws -> [(number: Int64, id: DocumentID)] {
    var place: Int64?
    if let scope {
      guard let known = try session.number(of: scope) else { return [] }
      place = known
    }
    return try session.connection.rows(
      question == .conflict ? Self.conflicts : Self.setAside, number, place, limit
    ) { (number: try $0.integer("number"), id: DocumentID(try $0.text("id"))) }
  }
}
