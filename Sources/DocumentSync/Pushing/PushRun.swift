/// Sends what is in the outbox, one request after the other; several of them run side by side over
/// one board.
struct PushRun: Sendable {
  let store: DocumentStore
  let endpoint: any DocumentEndpoint
  let session: ServerSession
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
      if session.pushLeaves(isFollowed: isFollowed) { return }
      try await session.turn()
      let keys = { @Sendable scope in rules(scope).keys }
      guard let turn = try await board.next(store, isProbing: session.isProbing, keys) else {
        return
      }
      defer { board.ended(turn) }
      try await send(turn)
    }
  }

  private func send(_ turn: PushBatch) async throws {
    let began = session.seams.now()
    let requests = turn.requests(rules)
    var reply =
      if let only = requests.first, requests.count == 1 {
        JudgedReply(await endpoint.push(only), to: turn)
      } else {
        JudgedReply(await endpoint.push(batch: requests), to: turn)
      }
    reply.note(at: session.seams.now())
    let ends = try await write(reply, of: turn)
    board.met(reply.verdicts, in: turn)
    board.looked(zip(turn.sends, ends).lazy.filter(\.1.isSeen).map(\.0))
    let notices = Set(reply.verdicts.map(\.notice))
    let collection = turn.scopes.first?.collection ?? ""
    for notice in notices.inOrder {
      try await session.ended(notice, reply.notes, sentAt: began, in: collection)
    }
    try close(turn, by: reply.verdicts)
  }

  /// That a collection can't be used concerns no other.
  private func close(_ turn: PushBatch, by verdicts: [SendVerdict]) throws {
    for (scope, verdict) in zip(turn.scopes, verdicts) {
      guard case .stopped(.collection(let refusal)) = verdict else { continue }
      board.close(scope.collection)
      throw DocumentSyncError(.collection(refusal), in: scope.collection)
    }
  }

  private func write(_ reply: JudgedReply, of turn: PushBatch) async throws -> [AnsweredSend] {
    let ends = try await store.sync { editor in
      try turn.sends.indices.map { place -> AnsweredSend in
        let (id, scope) = (turn.sends[place].id, turn.scopes[place])
        let end = try editor.answered(
          id, reply.verdicts[place], inRequestOf: turn.sends.count,
          looksAfter: board.looksAfter(scope.collection), rules(scope))
        if let call = reply.calls[place] { try editor.keepAnswer(call, to: id, in: scope) }
        return end
      }
    }
    for place in turn.sends.indices {
      tally.answered(
        turn.sends[place], reply.verdicts[place], ends[place],
        in: turn.scopes[place].collection, by: reply.calls[place])
    }
    return ends
  }
}

extension Set<ServerNotice> {
  /// Trouble last, so that an answer beside it doesn't count for a server that has recovered.
  fileprivate var inOrder: [ServerNotice] {
    filter { $0 == .answers } + filter { $0 != .answers }
  }
}
