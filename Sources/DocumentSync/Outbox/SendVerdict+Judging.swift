extension SendVerdict {
  /// What the end of a request of this kind means.
  init(_ outcome: SendOutcome, to kind: SendOrder.Kind) {
    switch outcome {
    case .answered(let answer): self.init(answer, to: kind)
    case .unreadable: self = kind == .look ? .untaken(.unreadable) : .unknown(.unreadable)
    case .lost: self = kind == .look ? .untaken(.lost) : .unknown(.lost)
    case .unreachable: self = .untaken(.unreachable)
    case .impossible: self = .stopped(.impossible)
    }
  }

  private init(_ answer: SendAnswer, to kind: SendOrder.Kind) {
    switch answer.status {
    case 200...299: self = Self.success(answer, to: kind)
    case 401, 407: self = .stopped(.unauthorized)
    case 403, 404, 410: self = Self.absence(answer, to: kind)
    case 409, 412: self = Self.conflict(answer, to: kind)
    case 408, 425, 429: self = .untaken(.status(answer.status))
    case 400...499: self = .refused(Refusal(answer))
    case 500...599: self = Self.breakdown(answer, to: kind)
    default: self = .stopped(.unexpected(answer.status))
    }
  }

  private static func success(_ answer: SendAnswer, to kind: SendOrder.Kind) -> SendVerdict {
    switch kind {
    case .create where answer.madeAs != nil:
      answer.madeAs.map(madeAs) ?? .unknown(.unreadable)
    case .create, .update: answer.version.map(accepted) ?? .unknown(.unreadable)
    case .delete: .deleted(answer.version)
    case .look:
      answer.shown == nil ? .untaken(.unreadable) : conflict(answer, to: kind)
    }
  }

  /// Not there, or not for us. That of a deletion is a success; a document that was to be changed
  /// may be deleted or forgotten, and which of them it is, the answer doesn't say.
  private static func absence(_ answer: SendAnswer, to kind: SendOrder.Kind) -> SendVerdict {
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

  private static func conflict(_ answer: SendAnswer, to kind: SendOrder.Kind) -> SendVerdict {
    let refusal = Refusal(answer)
    switch (answer.shown, kind) {
    case (.deleted(let version), .delete), (.deleted(let version), .look):
      return .deleted(version)
    case (let shown?, _): return .shown(shown, refusal)
    case (nil, _): return .unmet(refusal)
    }
  }

  /// A server that breaks may break after it has stored what it was sent, and a gateway may give up
  /// on one that goes on.
  private static func breakdown(_ answer: SendAnswer, to kind: SendOrder.Kind) -> SendVerdict {
    let wasNotTaken = answer.status == 503 && answer.hasRetryAfter
    let trouble = Trouble.status(answer.status)
    return kind == .look || wasNotTaken ? .untaken(trouble) : .unknown(trouble)
  }
}
