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
    SELECT place, what FROM traces WHERE id = ?1 AND owner = ?2 ORDER BY place DESC LIMIT 2
    """
  private static let insert: SQL = """
    INSERT INTO traces (id, owner, place, at, what, revision, version, words, number, lost, scope)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    """
  private static let again: SQL = """
    UPDATE traces SET at = ?4, number = coalesce(number, 1) + 1
    WHERE id = ?1 AND owner = ?2 AND place = ?3
    """
  private static let trim: SQL = "DELETE FROM traces WHERE id = ?1 AND owner = ?2 AND place <= ?3"
  private static let remove: SQL = "DELETE FROM traces WHERE id = ?1 AND owner = ?2 AND place = ?3"
  /// What an entry says of the change that it was made with, unless it's here already.
  private static let first: SQL = """
    INSERT INTO traces (id, owner, place, at, what, revision, version, scope)
    SELECT ?2, ?7, (
        SELECT coalesce(max(place), 0) + 1 FROM traces WHERE id = ?2 AND owner = ?7
      ), ?5, ?3, ?1, ?4, ?6
    WHERE NOT EXISTS (SELECT 1 FROM traces WHERE id = ?2 AND owner = ?7 AND revision = ?1)
    """

  /// Keeps what happened to a document in one turn. To be called before its entry is written.
  ///
  /// - Parameter since: since when it was to be created, where it had no row in the outbox.
  func note(_ after: StoredDocument, from before: StoredDocument, since: Int64?) throws {
    if after.leavesNothing {
      return try forget(after.id, in: session.makeHome(of: before.scope))
    }
    guard !after.events.isEmpty else { return }
    let home = try session.makeHome(of: after.scope)
    if let entry = before.entry, entry.isNeverSent {
      try noteFirst(entry, since, in: home)
    }
    let revision = (after.entry ?? before.entry)?.revision
    for (place, event) in after.events.enumerated() {
      // Whatever gave way, the last of it made it so.
      let lost = place == after.events.count - 1 ? after.lost.count : 0
      try note(event, of: after.id, in: home, revision: revision, lost)
    }
  }

  private func forget(_ id: DocumentID, in home: StoreSession.Home) throws {
    try session.connection.run(
      "DELETE FROM traces WHERE id = ?1 AND owner = ?2", id.text, home.owner)
  }

  private func noteFirst(
    _ entry: OutboxEntry, _ since: Int64?, in home: StoreSession.Home
  ) throws {
    guard let since = try since ?? OutboxTable(session: session).since(entry) else { return }
    let form = TraceForm(entry.firstEvent)
    try session.connection.run(
      Self.first, entry.number, entry.id.text, form.what, form.version?.text, since,
      home.number, home.owner)
  }

  private func note(
    _ event: DocumentEvent, of id: DocumentID, in home: StoreSession.Home, revision: Revision?,
    _ lost: Int
  ) throws {
    let (connection, owner) = (session.connection, home.owner)
    switch try tail(of: id, in: home).joined(by: event, lost: lost) {
    case .again(let place): try connection.run(Self.again, id.text, owner, place, session.now)
    case .againAfter(let removed, let place):
      try connection.run(Self.remove, id.text, owner, removed)
      try connection.run(Self.again, id.text, owner, place, session.now)
    case .append(let place):
      let form = TraceForm(event)
      try connection.run(
        Self.insert, id.text, owner, place, session.now, form.what, revision?.number,
        form.version?.text, form.words.map { String($0.prefix(Self.longestWords)) }, form.number,
        lost == 0 ? nil : lost, home.number)
      if place > Self.limit { try connection.run(Self.trim, id.text, owner, place - Self.limit) }
    }
  }

  private func tail(of id: DocumentID, in home: StoreSession.Home) throws -> TraceTail {
    let rows = try session.connection.rows(Self.tail, id.text, home.owner) { row in
      TraceTail.Row(place: try row.integer("place"), what: try row.text("what"))
    }
    return TraceTail(last: rows.first, beforeLast: rows.count > 1 ? rows[1] : nil)
  }

  func traces(of id: DocumentID) throws -> [Kept] {
    let own = try session.isOwners("owner")
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
      DELETE FROM traces WHERE (id, owner) IN (
        SELECT id, owner FROM traces WHERE NOT EXISTS (
          SELECT 1 FROM documents
          WHERE documents.id = traces.id AND documents.owner = traces.owner)
        GROUP BY id, owner HAVING max(at) < ?1)
      """, time)
  }
}

extension StoreReader {
  /// The life of a document: what happened to it, and how it stands; `nil` if nothing is known of
  /// it.
  package func life(of id: DocumentID) throws -> DocumentLife? {
    let document = try stored(id)
    let id = document?.id ?? id
    let traces = try TraceTable(session: session).traces(of: id)
    guard document != nil || !traces.isEmpty else { return nil }
    var moments = traces.map {
      DocumentLife.Moment(time: $0.time, event: $0.form.event, lost: $0.lost)
    }
    if let entry = document?.entry, entry.isNeverSent,
      !traces.contains(where: { $0.revision == entry.number })
    {
      let since =
        try kept(id, ownedBy: owner(of: id))?.since ?? OutboxTable(session: session).since(entry)
      moments.append(
        DocumentLife.Moment(time: since ?? session.now, event: entry.firstEvent, lost: 0))
    }
    return DocumentLife(
      id: id, moments: moments,
      status: try document.map { DocumentStatus($0, try reason(of: $0)) },
      files: try fileTroubles(of: id))
  }
}

/// The last two things that were kept of a document's life: decides how the next one joins them.
struct TraceTail: Sendable, Equatable {
  /// A row, as far as it counts here.
  struct Row: Sendable, Equatable {
    var place: Int64
    /// What happened, without its details.
    var what: String
  }

  enum Write: Sendable, Equatable {
    /// A row at this place.
    case append(Int64)
    /// The row at this place happened once more.
    case again(Int64)
    /// The row at the first place is taken away, that at the second one happened once more.
    case againAfter(removing: Int64, at: Int64)
  }

  var last: Row?
  var beforeLast: Row?

  /// How something joins them. What is saved again and again is one row, and so is what is sent
  /// again and again in vain: else an hour of bad network would be all there is to be told.
  func joined(by event: DocumentEvent, lost: Int) -> Write {
    guard let last else { return .append(1) }
    let what = TraceForm(event).what
    guard lost == 0, event.isRepeated else { return .append(last.place + 1) }
    // What came to nothing adds to the try before.
    let isFruitless = event == .unanswered(times: 1) || event == .untaken(times: 1)
    if !isFruitless, last.what == what { return .again(last.place) }
    if isFruitless, last.what == TraceForm.sent, let beforeLast, beforeLast.what == what {
      return .againAfter(removing: last.place, at: beforeLast.place)
    }
    return .append(last.place + 1)
  }
}
