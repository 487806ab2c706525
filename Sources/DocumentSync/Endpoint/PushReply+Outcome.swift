extension PushReply {
  /// The end as the outbox judges it.
  ///
  /// - Parameter known: the newest of our revisions with a content that the server showed, see
  ///   ``ShownState``.
  func outcome(known: (DocumentValue) -> Revision?) -> SendOutcome {
    end.outcome(hasRetryAfter: notes.wishes.retryAfter != nil, known: known)
  }
}

extension BatchReply {
  /// The end as the outbox judges it.
  ///
  /// - Parameter known: the newest revision with a content that was shown in the answer of the part
  ///   at this place.
  func outcome(known: (Int, DocumentValue) -> Revision?) -> BatchOutcome {
    switch end {
    case .parts(let parts):
      .parts(
        parts.enumerated().map { place, part in part.outcome { known(place, $0) } })
    case .whole(let whole):
      // A document that is shown to all of them is shown to none.
      .whole(whole.outcome(hasRetryAfter: notes.wishes.retryAfter != nil) { _ in nil })
    }
  }
}

extension PushEnd {
  fileprivate func outcome(
    hasRetryAfter: Bool, known: (DocumentValue) -> Revision?
  ) -> SendOutcome {
    switch self {
    case .answered(let said):
      var answer = SendAnswer(status: said.status)
      answer.version = said.version
      answer.shown = said.shown?.shown(known)
      answer.madeAs = said.madeAs
      answer.words = said.words
      answer.subject = said.subject
      answer.hasRetryAfter = hasRetryAfter
      return .answered(answer)
    case .unreadable: return .unreadable
    case .lost: return .lost
    case .unreachable: return .unreachable
    case .impossible: return .impossible
    }
  }
}

extension DocumentState {
  fileprivate func shown(_ known: (DocumentValue) -> Revision?) -> ShownState {
    switch self {
    case .present(let copy), .revived(let copy): .copy(copy.version, equal: known(copy.value))
    case .deleted(let version): .deleted(version)
    }
  }
}
