/// What the server turns out to have.
extension StoredDocument {
  /// The server said what it has of the document.
  ///
  /// - Returns: What was decided; `nil` if there was nothing to decide, since it's known to have
  ///   come from here, or since a request is under way whose answer says more.
  mutating func met(
    _ news: DocumentState, _ rules: MeetingRules, _ counter: inout RevisionCounter
  ) -> Decision? {
    if news.copy != nil { isHidden = false }
    let equal = news.copy.flatMap { revision(of: $0.value) }
    switch change({ $0.shown(news, equal: equal) }) {
    case .later:
      shown = news
      return nil
    case .meets: return decide(news, rules, &counter)
    case .stays where isInConflict:
      // Nobody is to decide for a copy that the server has no more.
      return decide(news, rules, &counter)
    case let step?: carryOut(step, showing: news.copy)
    case nil: return decide(news, rules, &counter)
    }
    return nil
  }

  /// Asks who decides, and does what they say.
  mutating func decide(
    _ news: DocumentState, _ rules: MeetingRules, _ counter: inout RevisionCounter
  ) -> Decision {
    let meeting = Meeting(
      here, news, policies: rules.policies, rounds: entry?.rounds ?? 0,
      mergers: rules.mergers)
    let decision = meeting.decide()
    carryOut(decision, after: news, &counter)
    return decision
  }

  /// Does what was decided.
  mutating func carryOut(
    _ decision: Decision, after news: DocumentState, _ counter: inout RevisionCounter
  ) {
    note(.decision(decision))
    lose(decision.lost)
    switch decision.step {
    case .nothing: goOn(after: news, &counter)
    case .acknowledge(let copy), .apply(let copy), .settle(let copy): becomeSynced(copy)
    case .remove, .dropTombstone: becomeNothing(after: news.burial)
    case .rebase(let copy, let merged): stand(on: copy, with: merged, &counter)
    case .keepTombstone(let copy): stand(on: copy, with: nil, &counter)
    case .makeAgain(let content):
      makeAnew(after: news, &counter)
      (body, base, burial) = (content, nil, news.burial)
    case .park: leave(.parked, beside: news, &counter)
    case .giveUp: leave(.gaveUp, beside: news, &counter)
    }
  }

  private mutating func stand(
    on copy: ServerCopy, with content: DocumentValue?, _ counter: inout RevisionCounter
  ) {
    let fresh = counter.fresh()
    _ = change { $0.met(.rebased(copy.version), as: fresh) }
    (body, base, shown) = (content, copy, nil)
    // The server has it, be it as somebody else's.
    settle()
  }

  private mutating func makeAnew(after news: DocumentState, _ counter: inout RevisionCounter) {
    let fresh = counter.fresh()
    _ = change { $0.met(.madeAnew(after: news.burial), as: fresh) }
    shown = nil
  }

  private mutating func leave(
    _ meeting: OutboxEntry.Meeting, beside news: DocumentState, _ counter: inout RevisionCounter
  ) {
    let fresh = counter.fresh()
    _ = change { $0.met(meeting, as: fresh) }
    shown = news
  }

  /// Nothing was decided: what waits to be sent goes on waiting, and a conflict is over.
  private mutating func goOn(after news: DocumentState, _ counter: inout RevisionCounter) {
    guard let phase = entry?.phase else {
      if isNothing, news.burial != .none {
        burial = news.burial
        // It won't come any more.
        settle()
      }
      shown = nil
      return
    }
    switch phase {
    case .contested, .parked, .setAside(.outrun):
      // The deletion isn't of what was made here, which is sent as what it is.
      if let base { stand(on: base, with: body, &counter) } else { makeAnew(after: news, &counter) }
    case .waiting, .sending, .setAside: break
    }
  }
}

extension DocumentState {
  /// What is to be remembered of a deletion, once the document is gone here.
  var burial: Burial {
    switch self {
    case .deleted(let version): .at(version)
    case .present, .revived, .forgotten: .none
    }
  }
}
