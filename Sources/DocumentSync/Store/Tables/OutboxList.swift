import SyncDatabase

/// An entry that can be sent.
struct ReadyEntry: Sendable, Equatable {
  /// Its place.
  let number: Int64
  /// What a batch is to know of it.
  let candidate: BatchPacking.Candidate
}

/// Looks through the outbox, a piece at a time.
struct OutboxList {
  let session: StoreSession

  private static let ready: SQL = """
    SELECT number, id, form, details, coalesce((
        SELECT length(CAST(documents.body AS BLOB)) FROM documents WHERE documents.id = outbox.id
      ), 0) AS bytes
    FROM outbox INDEXED BY outbox_waiting
    WHERE phase = 'waiting' AND scope = ?1 AND is_last = ?2 AND number > ?3
      AND NOT EXISTS (SELECT 1 FROM awaited WHERE entry = outbox.number)
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
    try session.connection.rows(Self.ready, scope, isLast, number, limit) { row in
      var candidate = BatchPacking.Candidate(
        id: DocumentID(try row.text("id")), bytes: Int(try row.integer("bytes")))
      candidate.company = EntryForm.company(
        form: try row.integer("form"), try .optional(row, "details"))
      return ReadyEntry(number: try row.integer("number"), candidate: candidate)
    }
  }

  /// The first entries that were set aside.
  func setAside(limit: Int) throws -> [DocumentID] {
    try session.connection.rows(
      "SELECT id FROM outbox WHERE phase = 'setAside' ORDER BY number LIMIT ?1", limit
    ) { DocumentID(try $0.text("id")) }
  }

  /// The first entries of which a request is under way.
  func sending(limit: Int) throws -> [DocumentID] {
    try session.connection.rows(
      "SELECT id FROM outbox WHERE phase = 'sending' ORDER BY number LIMIT ?1", limit
    ) { DocumentID(try $0.text("id")) }
  }

  /// Entries of a collection that met the server's before a number was given.
  func contested(in scope: Int64, before mark: Int64, limit: Int) throws -> [DocumentID] {
    try session.connection.rows(
      """
      SELECT id FROM outbox
      WHERE phase = 'contested' AND contested < ?1 AND scope = ?2 ORDER BY number LIMIT ?3
      """, mark, scope, limit
    ) { DocumentID(try $0.text("id")) }
  }
}
