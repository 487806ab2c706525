import SyncDatabase

/// What waits for somebody.
package enum OpenQuestion: Sendable {
  /// Somebody is to decide between a document and the server's.
  case conflict
  case setAside
}

extension StoreReader {
  private static let conflicts: SQL = """
    SELECT documents.number AS number, documents.id AS id, documents.scope AS scope
    FROM documents INDEXED BY documents_exceptions
      LEFT JOIN outbox ON outbox.number = documents.entry
    WHERE shown IS NOT NULL AND coalesce(phase, 'parked') IN ('parked', 'setAside')
    """
  private static let setAside: SQL = """
    SELECT number, id, scope FROM outbox INDEXED BY outbox_exceptions WHERE phase = 'setAside'
    """

  /// Documents that wait for somebody.
  ///
  /// - Parameters:
  ///   - scope: of which collection; of all by default.
  ///   - number: that of the last one that was given.
  package func open(
    _ question: OpenQuestion, in scope: DocumentScope? = nil, after number: Int64 = 0, limit: Int
  ) throws -> [(number: Int64, id: DocumentID)] {
    let meant: SQL
    if let scope {
      guard let known = try session.number(of: scope) else { return [] }
      meant = "scope = \(known)"
    } else {
      meant = try session.isOwn("scope")
    }
    let found: SQL = question == .conflict ? Self.conflicts : Self.setAside
    return try session.connection.rows(
      """
      SELECT number, id FROM (\(found)) WHERE number > \(number) AND \(meant)
      ORDER BY number LIMIT \(limit)
      """
    ) { (number: try $0.integer("number"), id: DocumentID(try $0.text("id"))) }
  }
}
