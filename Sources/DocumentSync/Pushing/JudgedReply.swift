/// What was said to a request: what it means for each document, and what stands beside it.
struct JudgedReply {
  let verdicts: [SendVerdict]
  let notes: CallNotes
  /// What was answered to each, as far as that is to be kept.
  private(set) var calls: [EndpointCall?]

  mutating func note(at time: Int64) { calls = calls.map { $0?.noted(at: time) } }

  init(_ reply: EndpointReply<PushEnd>, to turn: PushBatch) {
    verdicts = turn.meanings(of: turn.sends.map { SendVerdict(reply, to: $0.order.kind) })
    notes = reply.notes
    calls = turn.sends.map { _ in reply.notes.call }
  }

  init(_ reply: EndpointReply<BatchEnd>, to turn: PushBatch) {
    verdicts = turn.meanings(of: SendVerdict.verdicts(reply, to: turn.sends.map(\.order.kind)))
    notes = reply.notes
    var parts: [EndpointCall?] = []
    if case .parts(let replies) = reply.end { parts = replies.map(\.notes.call) }
    calls = turn.sends.indices.map { place in
      (place < parts.count ? parts[place] : nil) ?? reply.notes.call
    }
  }
}

extension PushBatch {
  fileprivate func meanings(of verdicts: [SendVerdict]) -> [SendVerdict] {
    zip(sends, verdicts).map { $0.looksAhead ? $1.ofLookAhead : $1 }
  }
}

extension SendVerdict {
  /// What it means for a look ahead: that nothing can be seen by it, today or ever, says nothing of
  /// the change that comes next, which is sent all the same.
  fileprivate var ofLookAhead: SendVerdict {
    switch self {
    case .stopped(.collection(let refusal)): .refused(refusal)
    case .untaken(.unreadable): .refused(Refusal(status: 200, words: ""))
    case .untaken(.status(501)): .refused(Refusal(status: 501, words: ""))
    case .accepted, .madeAs, .deleted, .shown, .unmet, .refused, .tooMany, .unknown, .untaken,
      .stopped:
      self
    }
  }
}
