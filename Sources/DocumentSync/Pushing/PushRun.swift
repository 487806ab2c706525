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
        JudgedReply(await endpoint.push(only), to: turn)
      } else {
        JudgedReply(await endpoint.push(batch: requests), to: turn)
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

  private func write(_ reply: JudgedReply, of turn: PushTurn) async throws {
    let ends = try await store.sync { door in
      try turn.sends.indices.map { place -> AnsweredSend in
        let scope = turn.scopes[place]
        return try door.answered(
          turn.sends[place].id, reply.verdicts[place], inRequestOf: turn.sends.count,
          looksAfter: board.looksAfter(scope.collection), rules(scope))
      }
    }
    for place in turn.sends.indices {
      tally.answered(
        turn.sends[place], reply.verdicts[place], ends[place],
        in: turn.scopes[place].collection)
    }
  }
}

/// What was said to a request: what it means for each document, and what stands beside it.
private struct JudgedReply {
  let verdicts: [SendVerdict]
  let notes: CallNotes

  init(_ reply: PushReply, to turn: PushTurn) {
    verdicts = turn.sends.map { send in
      let verdict = SendVerdict(reply, to: send.order.kind)
      // That nothing can be looked at ahead says nothing of the deletion that comes next.
      guard send.looksAhead, case .stopped(.collection(let refusal)) = verdict else {
        return verdict
      }
      return .refused(refusal)
    }
    notes = reply.notes
  }

  init(_ reply: BatchReply, to turn: PushTurn) {
    verdicts = SendVerdict.verdicts(reply, to: turn.sends.map(\.order.kind))
    notes = reply.notes
  }
}

extension Set<ServerNotice> {
  /// Trouble last, so that an answer beside it doesn't count for a server that has recovered.
  fileprivate var inOrder: [ServerNotice] {
    filter { $0 == .answers } + filter { $0 != .answers }
  }
}
