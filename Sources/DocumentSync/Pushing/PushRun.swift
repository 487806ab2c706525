/// Sends what is in the outbox, one request after the other; several of them run side by side over
/// one board.
struct PushRun: Sendable {
  let store: DocumentStore
  let endpoint: any DocumentEndpoint
  let talk: ServerTalk
  let board: PushBoard
  let tally: SyncTally
  /// Whether a list is asked for after it.
  let isFollowed: Bool
  let rules: @Sendable (DocumentScope) -> MeetingRules

  /// Sends until nothing can be sent that isn't on its way already.
  ///
  /// - Throws: a ``DocumentSyncError`` that ends the sync, or `CancellationError`.
  func run() async throws {
    while true {
      if talk.pushLeaves(isFollowed: isFollowed) { return }
      try await talk.turn()
      guard let turn = try await board.next(store, isProbing: talk.isProbing) else { return }
      defer { board.ended(turn) }
      try await send(turn)
    }
  }

  private func send(_ turn: PushTurn) async throws {
    let began = talk.seams.now()
    let requests = turn.requests(rules)
    let reply =
      if let only = requests.first, requests.count == 1 {
        PushedReply(await endpoint.push(only), to: turn)
      } else {
        PushedReply(await endpoint.push(batch: requests), to: turn)
      }
    try await write(reply, of: turn)
    board.met(reply.verdicts, in: turn)
    board.looked(zip(turn.sends, reply.verdicts).lazy.filter { $1.notice == .answers }.map(\.0))
    let notices = Set(reply.verdicts.map(\.notice))
    let collection = turn.scopes.first?.collection ?? ""
    for notice in notices.inOrder {
      try await talk.ended(notice, reply.notes, sentAt: began, in: collection)
    }
    try close(turn, by: reply.verdicts)
  }

  /// That a collection can't be used concerns no other.
  private func close(_ turn: PushTurn, by verdicts: [SendVerdict]) throws {
    for (scope, verdict) in zip(turn.scopes, verdicts) {
      guard case .stopped(.collection(let refusal)) = verdict else { continue }
      board.close(scope.collection)
      throw DocumentSyncError(.collection(refusal), in: scope.collection)
    }
  }

  private func write(_ reply: PushedReply, of turn: PushTurn) async throws {
    let ends = try await store.sync { door in
      try turn.sends.indices.map { place -> AnsweredSend in
        let scope = turn.scopes[place]
        let end = SendEnd(
          verdict: reply.verdicts[place], copy: reply.copies[place], count: turn.sends.count,
          looksAfter: board.looksAfter(scope.collection))
        return try door.ended(turn.sends[place].id, end, rules(scope))
      }
    }
    for place in turn.sends.indices {
      tally.answered(
        turn.sends[place], reply.verdicts[place], ends[place],
        in: turn.scopes[place].collection)
    }
  }
}

/// What was said to a request, for each document of it.
private struct PushedReply {
  var verdicts: [SendVerdict]
  var copies: [ServerCopy?]
  var notes: CallNotes

  init(_ reply: PushReply, to turn: PushTurn) {
    let outcome = reply.outcome { _ in nil }
    verdicts = turn.sends.map { SendVerdict(outcome, to: $0) }
    copies = turn.sends.map { _ in reply.copy }
    notes = reply.notes
  }

  init(_ reply: BatchReply, to turn: PushTurn) {
    verdicts = reply.outcome { _, _ in nil }.verdicts(for: turn.sends.map(\.order.kind))
    copies = turn.sends.map { _ in nil }
    notes = reply.notes
    guard case .parts(let parts) = reply.end, parts.count == turn.sends.count else { return }
    copies = parts.map(\.copy)
  }
}

extension SendVerdict {
  /// That nothing can be looked at ahead says nothing of the deletion that comes next.
  fileprivate init(_ outcome: SendOutcome, to send: DocumentSend) {
    self.init(outcome, to: send.order.kind)
    if send.looksAhead, case .stopped(.collection(let refusal)) = self { self = .refused(refusal) }
  }
}

extension PushReply {
  fileprivate var copy: ServerCopy? {
    guard case .answered(let answer) = end else { return nil }
    return answer.shown?.copy
  }
}

extension Set<ServerNotice> {
  /// Trouble last, so that an answer beside it doesn't count for a server that has recovered.
  fileprivate var inOrder: [ServerNotice] {
    filter { $0 == .answers } + filter { $0 != .answers }
  }
}
