import SyncDatabase

/// What happened to documents, the last of it.
struct TraceTable {
  let session: StoreSession

  struct Kept {
    let time: Int64
    let form: TraceForm
    let revision: Int64?
    let lost: Int
  }

  /// How many are kept of a document.
  static let limit: Int64 = 50
  /// How many characters of a server's words are kept. All of them are with the entry, as long as
  /// they count.
  private static let longestWords = 300

  private static let tail: SQL = """
    SELECT place, what, scope FROM traces WHERE id = ?1 ORDER BY place DESC LIMIT 2
    """
  private static let insert: SQL = """
    INSERT INTO traces (id, place, at, what, revision, version, words, number, lost, scope)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """
  private static let again: SQL = """
    UPDATE traces SET at = ?3, number = coalesce(number, 1) + 1 WHERE id = ?1 AND place = ?2
    """
  private static let trim: SQL = "DELETE FROM traces WHERE id = ?1 AND place <= ?2"
  private static let remove: SQL = "DELETE FROM traces WHERE id = ?1 AND place = ?2"
  /// What an entry says of the change that it was made with, unless it's here already.
  private static let first: SQL = """
    INSERT INTO traces (id, place, at, what, revision, version, scope)
    SELECT ?2, (SELECT coalesce(max(place), 0) + 1 FROM traces WHERE id = ?2), ?5, ?3, ?1, ?4, ?6
    WHERE NOT EXISTS (SELECT 1 FROM traces WHERE id = ?2 AND revision = ?1)
    """

  /// Keeps what happened to a document in one turn. To be called before its entry is written.
  func note(_ after: StoredDocument, from before: StoredDocument) throws {
    if after.leavesNothing {
      return try forget(after.id, in: session.makeNumber(of: before.scope))
    }
    guard !after.events.isEmpty else { return }
    let scope = try session.makeNumber(of: after.scope)
    if let entry = before.entry, entry.isNeverSent { try noteFirst(entry, in: scope) }
    let revision = (after.entry ?? before.entry)?.revision
    for (place, event) in after.events.enumerated() {
      // Whatever gave way, the last of it made it so.
      let lost = place == after.events.count - 1 ? after.lost.count : 0
      try note(event, of: after.id, in: scope, revision: revision, lost)
    }
  }

  private func forget(_ id: DocumentID, in scope: Int64) throws {
    try session.connection.run(
      "DELETE FROM traces WHERE id = ?1 AND scope IS ?2", id.text, scope)
  }

  private func noteFirst(_ entry: OutboxEntry, in scope: Int64) throws {
    guard let since = try OutboxTable(session: session).since(entry) else { return }
    let form = TraceForm(entry.firstEvent)
    try session.connection.run(
      Self.first, entry.number, entry.id.text, form.what, form.version?.text, since,
      scope)
  }

  private func note(
    _ event: DocumentEvent, of id: DocumentID, in scope: Int64, revision: Revision?, _ lost: Int
  ) throws {
    let connection = session.connection
    switch try tail(of: id, in: scope).joined(by: event, lost: lost) {
    case .again(let place): try connection.run(Self.again, id.text, place, session.now)
    case .againAfter(let removed, let place):
      try connection.run(Self.remove, id.text, removed)
      try connection.run(Self.again, id.text, place, session.now)
    case .append(let place):
      let form = TraceForm(event)
      try connection.run(
        Self.insert, id.text, place, session.now, form.what, revision?.number, form.version?.text,
        form.words.map { String($0.prefix(Self.longestWords)) }, form.number,
        lost == 0 ? nil : lost, scope)
      if place > Self.limit { try connection.run(Self.trim, id.text, place - Self.limit) }
    }
  }

  private func tail(of id: DocumentID, in scope: Int64) throws -> TraceTail {
    let rows = try session.connection.rows(Self.tail, id.text) { row in
      // What happened to it as another account's is joined by nothing.
      let isSame = try row.optionalInteger("scope") == scope
      return TraceTail.Row(
        place: try row.integer("place"), what: isSame ? try row.text("what") : "")
    }
    return TraceTail(last: rows.first, beforeLast: rows.count > 1 ? rows[1] : nil)
  }

  /// All that is kept of a document, oldest first.
  func traces(of id: DocumentID) throws -> [Kept] {
    let own = try session.isOwn("scope")
    return try session.connection.rows(
      """
      SELECT at, what, revision, version, words, number, lost FROM traces
      WHERE id = \(id.text) AND \(own) ORDER BY place
      """
    ) { row in
      Kept(
        time: try row.integer("at"),
        form: TraceForm(
          what: try row.text("what"),
          version: try row.optionalText("version").map { DocumentVersion($0) },
          words: try row.optionalText("words"), number: try row.optionalInteger("number")),
        revision: try row.optionalInteger("revision"),
        lost: Int(clamping: try row.optionalInteger("lost") ?? 0))
    }
  }

  /// Forgets documents that are gone, and that nothing has happened to since that time.
  func forgetGone(before time: Int64) throws {
    try session.connection.run(
      """
      DELETE FROM traces WHERE id IN (
        SELECT id FROM traces WHERE NOT EXISTS (
          SELECT 1 FROM documents WHERE documents.id = traces.id)
        GROUP BY id HAVING max(at) < ?1)
      """, time)
  }
}
