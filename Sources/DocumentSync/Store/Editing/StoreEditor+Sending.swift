import SyncDatabase
import SyncText

/// What is asked of a server for a document.
struct DocumentSend: Sendable, Equatable {
  let id: DocumentID
  let order: SendOrder
  /// The content that is sent; `nil` with a deletion, and where a server is only asked.
  let content: DocumentValue?
  /// The same for each try of this revision, and of no other.
  let idempotencyKey: String?
  /// Whether it's a look at what is to be changed or deleted next.
  var looksAhead = false
}

/// What came of the end of a request.
struct AnsweredSend: Sendable, Equatable {
  /// What was decided where the server turned out to have something else.
  var decisions: [Decision] = []
  /// What the server has taken, as it turned out.
  var taken: TakenSend?
  /// What the server calls the document that it made, where it makes the keys itself.
  var key: DocumentID?
  /// Whether what was looked at is sent next, without another look.
  var isSeen = false
}

/// An entry that can be sent, and its place.
struct ReadyEntry: Sendable, Equatable {
  let number: Int64
  let candidate: BatchPacking.Candidate
}

extension StoreEditor {
  /// Requests were under way when the store was last closed: the server may have taken them.
  ///
  /// Only for who knows that nobody else sends.
  ///
  /// - Parameters:
  ///   - rules: those of a collection, for what was shown while a request was under way.
  ///   - routed: the collections that something else than the server's endpoint sends.
  ///   - scope: the collection that is meant; all by default.
  package func abandonSends(
    _ rules: (DocumentScope) -> MeetingRules = { _ in MeetingRules() },
    routed: Set<String> = [], in scope: DocumentScope? = nil
  ) throws {
    try forEachSending { id, home in
      guard scope == nil || scope == home else { return }
      _ = try change(id, in: home) { document, counter in
        let said = try reader.capabilities(of: home.server)?.said
        let isKeyless = document.entry?.underWay?.isKeyless ?? false
        let makesOnce = isKeyless ? said?.has(.idempotencyKeys) ?? false : said?.makesOnce ?? true
        _ = document.sendAbandoned(
          rules(home), looksAfter: !makesOnce && !routed.contains(home.collection), &counter)
      }
    }
  }

  /// What can be sent, with and without rows of their own.
  static let ready: SQL = """
    SELECT number, id, form, details, coalesce((
        SELECT length(CAST(documents.body AS BLOB)) FROM documents
        WHERE documents.id = outbox.id AND documents.entry = outbox.number
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

  /// The first entries of a collection that can be sent, in their order.
  ///
  /// - Parameters:
  ///   - isLast: whether those are meant that are sent after all others, since they failed alone.
  ///   - number: the place after which they stand.
  func ready(
    in scope: DocumentScope, isLast: Bool = false, after number: Int64 = 0, limit: Int
  ) throws -> [ReadyEntry] {
    guard let scope = try session.number(of: scope) else { return [] }
    return try session.connection.rows(
      Self.ready, scope, isLast, number, limit, EntryForm.current
    ) { row in
      var candidate = BatchPacking.Candidate(
        id: DocumentID(try row.text("id")), bytes: Int(try row.integer("bytes")))
      candidate.batchShare = EntryForm.batchShare(
        form: try row.integer("form"), try .optional(row, "details"))
      return ReadyEntry(number: try row.integer("number"), candidate: candidate)
    }
  }

  /// Those of single documents that can be sent, in their order.
  func ready(
    _ ids: Set<DocumentID>, in scope: DocumentScope, isLast: Bool
  ) throws -> [ReadyEntry] {
    try ids.compactMap { id -> ReadyEntry? in
      guard let document = try reader.stored(try reader.named(id)), document.scope == scope,
        let entry = document.entry, entry.phase == .waiting, entry.awaits.isEmpty,
        (entry.batchShare == .last) == isLast
      else { return nil }
      let bytes = document.body?.json.written.count ?? 0
      var candidate = BatchPacking.Candidate(id: document.id, bytes: bytes)
      candidate.batchShare = entry.batchShare
      return ReadyEntry(number: entry.number, candidate: candidate)
    }.sorted { $0.number < $1.number }
  }

  /// A document's turn has come: answers what is to be asked of the server, once this is written;
  /// `nil` when nothing is.
  ///
  /// - Parameters:
  ///   - looksFirst: what is to be looked at before.
  ///   - repeats: whether the server knows a request again.
  ///   - keys: where ids come from, and which members name others.
  func sendBegan(
    _ id: DocumentID, looksFirst: LookAhead = .never, repeats: Bool = false,
    _ keys: KeyRules = KeyRules()
  ) throws -> DocumentSend? {
    guard try namesByKeys(id, keys) else { return nil }
    let name = try session.storeName()
    let send = try change(id, in: nil) { document, counter -> DocumentSend? in
      let order = document.sendBegan(
        looksFirst: looksFirst, makesKeys: keys.areServers, repeats: repeats, &counter)
      guard let order else { return nil }
      let isContent = !order.kind.isDeletion && order.kind != .look
      return DocumentSend(
        id: id, order: order, content: isContent ? document.content(of: order.revision) : nil,
        idempotencyKey: order.idempotencyKey(ofStore: name),
        looksAhead: order.kind == .look && document.entry?.change.base != nil)
    }
    return send ?? nil
  }

  /// The request for a document has ended.
  ///
  /// - Parameters:
  ///   - count: how many documents the request was for.
  ///   - looksAfter: whether a document that may have been made is looked for before it's sent
  ///     again.
  @discardableResult
  func answered(
    _ id: DocumentID, _ verdict: SendVerdict, inRequestOf count: Int = 1, looksAfter: Bool = false,
    _ rules: MeetingRules = MeetingRules()
  ) throws -> AnsweredSend {
    var verdict = verdict
    if rules.keys.areServers {
      switch verdict {
      case .madeAs(let key, let version, let copy):
        guard try take(key, for: id, version, rules.keys) else { break }
        let named: SendVerdict = version.map { .accepted($0, as: copy) } ?? .unknown(.unreadable)
        var end = try answered(
          key, meaning: named, inRequestOf: count, looksAfter: looksAfter, rules)
        end.key = key
        return end
      // Nobody could tell the list's document from it.
      case .accepted where try isKeyless(id): verdict = .unknown(.unreadable)
      // It was asked for no certain one, so that no other stands in its place.
      case .unmet(let refusal) where try isKeyless(id): verdict = .refused(refusal)
      case .shown(_, let refusal) where try isKeyless(id): verdict = .refused(refusal)
      default: break
      }
    }
    return try answered(id, meaning: verdict, inRequestOf: count, looksAfter: looksAfter, rules)
  }

  private func isKeyless(_ id: DocumentID) throws -> Bool {
    try reader.stored(id)?.entry?.underWay?.isKeyless ?? false
  }

  private func answered(
    _ id: DocumentID, meaning verdict: SendVerdict, inRequestOf count: Int, looksAfter: Bool,
    _ rules: MeetingRules
  ) throws -> AnsweredSend {
    try change(id, in: nil) { document, counter in
      let decisions = document.answered(
        verdict, inRequestOf: count, looksAfter: looksAfter, rules, &counter)
      return AnsweredSend(
        decisions: decisions, taken: document.taken,
        isSeen: verdict.isSeen(document.entry?.phase))
    } ?? AnsweredSend()
  }
}

extension SendVerdict {
  /// Whether, by what a look was answered, the change goes out next.
  ///
  /// What wasn't there is met by a pull before that, and what somebody is to decide may wait for
  /// long.
  fileprivate func isSeen(_ phase: OutboxEntry.Phase?) -> Bool {
    switch (self, phase) {
    case (.shown, .waiting), (.refused, .waiting), (.deleted, .contested): true
    default: false
    }
  }
}

// MARK: - The outbox, a piece at a time

extension StoreEditor {
  /// Hands all that was set aside to `body`, whosever it is, in their order.
  func forEachSetAside(_ body: (DocumentID, DocumentScope) throws -> Void) throws {
    try walk(
      """
      SELECT number, id, scope FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'setAside' AND number > ?1
      ORDER BY number LIMIT ?2
      """, body)
    try walk(
      """
      SELECT number, id, scope FROM outbox INDEXED BY outbox_exceptions
      WHERE form <> 1 AND phase <> 'setAside' AND number > ?1
      ORDER BY number LIMIT ?2
      """, body)
  }

  /// Hands all of which a request is under way to `body`, whosever it is, in their order.
  func forEachSending(_ body: (DocumentID, DocumentScope) throws -> Void) throws {
    try walk(
      """
      SELECT number, id, scope FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'sending' AND number > ?1
      ORDER BY number LIMIT ?2
      """, body)
  }

  /// Hands all of a collection to `body`, in their order.
  func forEach(in scope: Int64, _ body: (DocumentID, DocumentScope) throws -> Void) throws {
    try walk(
      """
      SELECT number, id, scope FROM entries
      WHERE number > ?1 AND scope = ?3 ORDER BY number LIMIT ?2
      """, values: [.integer(scope)], body)
  }

  /// Never holds more than a piece of them. `body` may change the one that it's given.
  private func walk(
    _ sql: SQL, values: [StoredValue?] = [], _ body: (DocumentID, DocumentScope) throws -> Void
  ) throws {
    let limit: Int64 = 500
    var last: Int64 = 0
    while true {
      var found: [(id: DocumentID, scope: Int64)] = []
      try session.connection.query(
        sql, values: [.integer(last), .integer(limit)] + values
      ) { row in
        last = try row.integer("number")
        found.append((DocumentID(try row.text("id")), try row.integer("scope")))
      }
      for one in found { try body(one.id, try session.scope(one.scope)) }
      if found.count < limit { return }
    }
  }
}

extension StoreReader {
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
  ///
  /// - Parameter mark: only those that began to wait before that.
  func contestedCreations(in scope: Int64, before mark: Int64 = .max) throws -> [DocumentID] {
    try session.connection.rows(
      """
      SELECT id FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'contested' AND base IS NULL AND scope = ?1 AND contested < ?2 ORDER BY number
      """, scope, mark
    ) { DocumentID(try $0.text("id")) }
  }

  /// Whether something of a collection met the server's since a number was given, and waits for a
  /// pull that says more.
  func hasContested(_ scope: DocumentScope, since mark: Int64) throws -> Bool {
    guard let number = try session.number(of: scope) else { return false }
    return try session.connection.row(
      """
      SELECT 1 FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'contested' AND contested >= ?2 AND scope = ?1 LIMIT 1
      """, number, mark
    ) { _ in true } ?? false
  }
}
