/// How a request for many entries ended.
enum BatchOutcome: Sendable, Equatable {
  /// An answer with its parts, in the order in which they were sent.
  case parts([SendOutcome])
  /// Anything else.
  case whole(SendOutcome)

  /// What it means for each entry of the batch.
  ///
  /// A part is judged as a request of its own. Without parts nothing is known of any: what stopped
  /// the batch isn't a judgement about an entry, which at the worst is sent alone next.
  func verdicts(for kinds: [SendOrder.Kind]) -> [SendVerdict] {
    switch self {
    case .parts(let outcomes) where outcomes.count == kinds.count:
      zip(outcomes, kinds).map { SendVerdict($0, to: $1) }
    case .parts: kinds.map { Self.unreadable(to: $0) }
    case .whole(let outcome): kinds.map { Self.verdict(on: outcome, to: $0) }
    }
  }

  private static func verdict(on whole: SendOutcome, to kind: SendOrder.Kind) -> SendVerdict {
    guard case .answered(let answer) = whole else { return SendVerdict(whole, to: kind) }
    switch answer.status {
    case 200...299: return unreadable(to: kind)
    case 400...499:
      let alone = SendVerdict(whole, to: kind)
      switch alone {
      case .stopped, .untaken: return alone
      case .accepted, .madeAs, .deleted, .shown, .unmet, .refused, .tooMany, .unknown:
        return .tooMany(Refusal(answer))
      }
    default: return SendVerdict(whole, to: kind)
    }
  }

  private static func unreadable(to kind: SendOrder.Kind) -> SendVerdict {
    kind == .look ? .untaken(.unreadable) : .unknown(.unreadable)
  }
}
