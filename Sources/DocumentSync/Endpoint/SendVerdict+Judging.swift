extension SendVerdict {
  init(_ reply: EndpointReply<PushEnd>, to kind: SendOrder.Kind) {
    self.init(reply.end, reply.notes, to: kind)
  }

  private init(_ end: PushEnd, _ notes: CallNotes, to kind: SendOrder.Kind) {
    switch end {
    case .answered(let answer):
      self.init(answer, hasRetryAfter: notes.wishes.retryAfter != nil, to: kind)
    case .unreadable: self = kind == .look ? .untaken(.unreadable) : .unknown(.unreadable)
    case .lost: self = kind == .look ? .untaken(.lost) : .unknown(.lost)
    case .unreachable: self = .untaken(.unreachable)
    case .impossible: self = .stopped(.impossible)
    }
  }

  /// - Parameter hasRetryAfter: whether the server said when to come again: then a 503 means that
  ///   it didn't take the request.
  private init(_ answer: PushAnswer, hasRetryAfter: Bool, to kind: SendOrder.Kind) {
    switch answer.status {
    case 200...299: self = Self.success(answer, to: kind)
    case 401, 407: self = .stopped(.unauthorized)
    case 403, 404, 410: self = Self.absence(answer, to: kind)
    case 409, 412: self = Self.conflict(answer, to: kind)
    case 408, 425, 429: self = .untaken(.status(answer.status))
    case 400...499: self = .refused(Refusal(answer))
    case 500...599: self = Self.breakdown(answer.status, wasNotTaken: hasRetryAfter, to: kind)
    default: self = .stopped(.unexpected(answer.status))
    }
  }

  private static func success(_ answer: PushAnswer, to kind: SendOrder.Kind) -> SendVerdict {
    switch kind {
    case .create where answer.madeAs != nil:
      answer.madeAs.map { .madeAs($0, answer.version, as: answer.shown?.copy) }
        ?? .unknown(.unreadable)
    case .create, .update:
      answer.version.map { .accepted($0, as: answer.shown?.copy) } ?? .unknown(.unreadable)
    case .delete: .deleted(answer.version)
    case .look:
      answer.shown == nil ? .untaken(.unreadable) : conflict(answer, to: kind)
    }
  }

  /// Not there, or not for us. That of a deletion is a success; a document that was to be changed
  /// may be deleted or forgotten, and which of them it is, the answer doesn't say.
  private static func absence(_ answer: PushAnswer, to kind: SendOrder.Kind) -> SendVerdict {
    let refusal = Refusal(answer)
    if answer.subject == .collection { return .stopped(.collection(refusal)) }
    guard answer.status != 403 else { return .refused(refusal) }
    switch kind {
    case .create: return .refused(refusal)
    case .update where answer.status == 410: return .shown(.deleted(answer.version), refusal)
    case .update: return .unmet(refusal)
    case .delete, .look: return .deleted(answer.version)
    }
  }

  private static func conflict(_ answer: PushAnswer, to kind: SendOrder.Kind) -> SendVerdict {
    let refusal = Refusal(answer)
    switch (answer.shown, kind) {
    case (.deleted(let version), .delete), (.deleted(let version), .look):
      return .deleted(version)
    case (nil, _), (.forgotten, _): return .unmet(refusal)
    case (let shown?, _): return .shown(shown, refusal)
    }
  }

  /// A server that breaks may break after it has stored what it was sent, and a gateway may give up
  /// on one that goes on.
  private static func breakdown(
    _ status: Int, wasNotTaken: Bool, to kind: SendOrder.Kind
  ) -> SendVerdict {
    kind == .look || wasNotTaken && status == 503
      ? .untaken(.status(status)) : .unknown(.status(status))
  }
}

extension SendVerdict {
  /// What the reply to a request for several documents means for each of them.
  ///
  /// A part is judged as a request of its own. Without parts nothing is known of any document: what
  /// stopped the batch isn't a judgement about one, which at the worst is sent alone next.
  static func verdicts(_ reply: EndpointReply<BatchEnd>, to kinds: [SendOrder.Kind])
    -> [SendVerdict]
  {
    switch reply.end {
    case .parts(let parts) where parts.count == kinds.count:
      zip(parts, kinds).map { SendVerdict($0, to: $1) }
    case .parts: kinds.map { SendVerdict(EndpointReply<PushEnd>(.unreadable), to: $0) }
    case .whole(let end):
      kinds.map { SendVerdict(whole: EndpointReply<PushEnd>(end, notes: reply.notes), to: $0) }
    }
  }

  private init(whole reply: EndpointReply<PushEnd>, to kind: SendOrder.Kind) {
    self.init(reply, to: kind)
    guard case .answered(let answer) = reply.end else { return }
    switch answer.status {
    case 200...299: self.init(EndpointReply<PushEnd>(.unreadable), to: kind)
    case 400...499:
      switch self {
      case .stopped, .untaken: break
      case .accepted, .madeAs, .deleted, .shown, .unmet, .refused, .tooMany, .unknown:
        self = .tooMany(Refusal(answer))
      }
    default: break
    }
  }
}

extension Refusal {
  fileprivate init(_ answer: PushAnswer) {
    self.init(status: answer.status, words: answer.words)
  }
}
