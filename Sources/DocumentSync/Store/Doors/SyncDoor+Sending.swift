import SyncDatabase

/// What is asked of a server for a document.
struct DocumentSend: Sendable, Equatable {
  let id: DocumentID
  let order: SendOrder
  /// The content that is sent; `nil` with a deletion, and where a server is only asked.
  let content: DocumentValue?
  /// The same for each try of this revision, and of no other.
  let idempotencyKey: String?
  /// Whether it's a look at what is to be deleted next.
  var looksAhead = false
}

/// What came of the end of a request.
struct AnsweredSend: Sendable, Equatable {
  /// What was decided where the server turned out to have something else.
  var decisions: [Decision] = []
  /// What the server has taken, as it turned out.
  var taken: TakenSend?
}

// MARK: - Pushes

extension SyncDoor {
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
    try OutboxList(session: session).forEachSending { id in
      try shelf.change(id, in: nil) { document, counter in
        let home = document.scope
        guard scope == nil || scope == home else { return }
        let makesOnce = try reader.capabilities(of: home.server)?.said.makesOnce ?? true
        _ = document.sendAbandoned(
          rules(home), looksAfter: !makesOnce && !routed.contains(home.collection), &counter)
      }
    }
  }

  /// The first entries of a collection that can be sent, in their order.
  ///
  /// - Parameters:
  ///   - isLast: whether those are meant that are sent after all others, since they failed alone.
  ///   - number: the place after which they stand.
  func ready(
    in scope: DocumentScope, isLast: Bool = false, after number: Int64 = 0, limit: Int
  ) throws -> [ReadyEntry] {
    guard let scope = try session.number(of: scope) else { return [] }
    return try OutboxList(session: session)
      .ready(in: scope, isLast: isLast, after: number, limit: limit)
  }

  /// A document's turn has come: answers what is to be asked of the server, once this is written;
  /// `nil` when nothing is.
  ///
  /// - Parameter looksFirst: whether what is to be deleted is to be looked at before.
  func sendBegan(_ id: DocumentID, looksFirst: Bool = false) throws -> DocumentSend? {
    let name = try session.storeName()
    let send = try shelf.change(id, in: nil) { document, counter -> DocumentSend? in
      guard let order = document.sendBegan(looksFirst: looksFirst, &counter) else { return nil }
      let isContent = !order.kind.isDeletion && order.kind != .look
      return DocumentSend(
        id: id, order: order, content: isContent ? document.body : nil,
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
    try shelf.change(id, in: nil) { document, counter in
      let decisions = document.answered(
        verdict, inRequestOf: count, looksAfter: looksAfter, rules, &counter)
      return AnsweredSend(decisions: decisions, taken: document.taken)
    } ?? AnsweredSend()
  }

  /// How long a server is to be left alone changed.
  func setPause(_ pause: ServerPause, of server: String) throws {
    try PauseTable(session: session).set(pause, of: server)
  }
}

extension SyncDoor {
  /// The clock of a server was heard, and another difference is to be kept.
  func setTime(_ time: ServerTime, of server: String) throws {
    try TimeTable(session: session).set(time, of: server)
  }
}

extension StoreReader {
  func time(of server: String, _ rule: ServerTime.Rule = .init()) throws -> ServerTime {
    try TimeTable(session: session).time(of: server, rule)
  }
}
