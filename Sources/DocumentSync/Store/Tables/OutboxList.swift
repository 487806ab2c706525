import SyncDatabase

struct ReadyEntry: Sendable, Equatable {
  let number: Int64
  let candidate: BatchPacking.Candidate
}

/// Looks through the outbox, a piece at a time.
struct OutboxList {
  let session: StoreSession

  /// What can be sent, with and without rows of their own.
  static let ready: SQL = """
    SELECT number, id, form, details, coalesce((
        SELECT length(CAST(documents.body AS BLOB)) FROM documents WHERE documents.id = outbox.id
      ), 0) AS bytes
    FROM outbox INDEXED BY outbox_waiting
    WHERE phase = 'waiting' AND scope = ?1 AND is_last = ?2 AND number > ?3
      AND form = ?5 AND NOT EXISTS (SELECT 1 FROM awaited WHERE entry = outbox.number)
    UNION ALL
    SELECT entry, id, ?5, NULL, length(CAST(body AS BLOB))
    FROM documents INDEXED BY documents_plain
    WHERE since IS NOT NULL AND scope = ?1 AND entry > ?3 AND NOT ?2
    ORDER BY number LIMIT ?4
    """

  /// Those of a collection that can be sent, in their order.
  ///
  /// - Parameters:
  ///   - isLast: whether those are meant that are sent after all others, since they failed alone.
  ///   - number: the place after which they stand.
  func ready(
    in scope: Int64, isLast: Bool = false, after number: Int64 = 0, limit: Int
  ) throws -> [ReadyEntry] {
    try session.connection.rows(
      Self.ready, scope, isLast, number, limit, EntryForm.current
    ) { row in
      var candidate = BatchPacking.Candidate(
        id: DocumentID(try row.text("id")), bytes: Int(try row.integer("bytes")))
      candidate.company = EntryForm.company(
        form: try row.integer("form"), try .optional(row, "details"))
      return ReadyEntry(number: try row.integer("number"), candidate: candidate)
    }
  }

  // MARK: - A piece at a time

  /// Hands all that were set aside to `body`, in their order.
  func forEachSetAside(_ body: (DocumentID) throws -> Void) throws {
    try walk(
      """
      SELECT number, id FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'setAside' AND number > ?1
      ORDER BY number LIMIT ?2
      """, body)
    try walk(
      """
      SELECT number, id FROM outbox INDEXED BY outbox_exceptions
      WHERE form <> 1 AND phase <> 'setAside' AND number > ?1
      ORDER BY number LIMIT ?2
      """, body)
  }

  /// What a service made of what is set aside in a collection, by its own keys.
  func made(in scope: Int64) throws -> [DocumentID: DocumentID] {
    var made: [DocumentID: DocumentID] = [:]
    try session.connection.query(
      """
      SELECT id, details FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'setAside' AND scope = ?1 AND details LIKE '%"madeAs":%'
      """, scope
    ) { row in
      let details: DocumentValue? = try .optional(row, "details")
      guard let key = details?["madeAs"]?.string else { return }
      made[DocumentID(key)] = DocumentID(try row.text("id"))
    }
    return made
  }

  /// What met something at the server, or may have been made there, and is to be made.
  func contestedCreations(in scope: Int64) throws -> [DocumentID] {
    try session.connection.rows(
      """
      SELECT id FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'contested' AND change = 'create' AND scope = ?1 ORDER BY number
      """, scope
    ) { DocumentID(try $0.text("id")) }
  }

  /// Hands all of which a request is under way to `body`, in their order.
  func forEachSending(_ body: (DocumentID) throws -> Void) throws {
    try walk(
      """
      SELECT number, id FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'sending' AND number > ?1
      ORDER BY number LIMIT ?2
      """, body)
  }

  /// Hands all of a collection to `body`, in their order.
  func forEach(in scope: Int64, _ body: (DocumentID) throws -> Void) throws {
    try walk(
      """
      SELECT number, id FROM outbox WHERE number > ?1 AND scope = ?3
      UNION ALL
      SELECT entry, id FROM documents INDEXED BY documents_plain
      WHERE since IS NOT NULL AND scope = ?3 AND entry > ?1
      ORDER BY number LIMIT ?2
      """, values: [.integer(scope)], body)
  }

  /// Those of a collection that met the server's before a number was given, in that order.
  func contested(in scope: Int64, before mark: Int64, limit: Int) throws -> [DocumentID] {
    try session.connection.rows(
      """
      SELECT id FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'contested' AND contested < ?2 AND scope = ?1
      ORDER BY contested, number LIMIT ?3
      """, scope, mark, limit
    ) { DocumentID(try $0.text("id")) }
  }

  /// Never holds more than a piece of them. `body` may change the one that it's given.
  private func walk(
    _ sql: SQL, values: [StoredValue?] = [], _ body: (DocumentID) throws -> Void
  ) throws {
    let limit: Int64 = 500
    var last: Int64 = 0
    while true {
      var ids: [DocumentID] = []
      try session.connection.query(
        sql, values: [.integer(last), .integer(limit)] + values
      ) { row in
        last = try row.integer("number")
        ids.append(DocumentID(try row.text("id")))
      }
      for id in ids { try body(id) }
      if ids.count < limit { return }
    }
  }
}
