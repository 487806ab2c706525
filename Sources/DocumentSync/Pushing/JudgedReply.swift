/// What was said to a request: what it means for each document, and what stands beside it.
struct JudgedReply {
  let verdicts: [SendVerdict]
  let notes: CallNotes
  /// What was answered to each, as far as that is to be kept.
  private(set) var calls: [EndpointCall?]

  mutating func note(at time: Int64) { calls = calls.map { $0?.noted(at: time) } }

  init(_ reply: EndpointReply<PushEnd>, to turn: PushBatch) {
    verdicts = turn.sends.map { send in
      let verdict = SendVerdict(reply, to: send.order.kind)
      // That nothing can be looked at ahead says nothing of the change that comes next.
      guard send.looksAhead, case .stopped(.collection(let refusal)) = verdict else {
        return verdict
      }
      return .refused(refusal)
    }
    notes = reply.notes
    calls = turn.sends.map { _ in reply.notes.call }
  }

  init(_ reply: EndpointReply<BatchEnd>, to turn: PushBatch) {
    verdicts = SendVerdict.verdicts(reply, to: turn.sends.map(\.order.kind))
    notes = reply.notes
    var parts: [EndpointCall?] = []
    if case .parts(let replies) = reply.end { parts = replies.map(\.notes.call) }
    calls = turn.sends.indices.map { place in
      (place < parts.count ? parts[place] : nil) ?? reply.notes.call
    }
  }
}
