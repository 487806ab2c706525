/// What the server turns out to have.
extension StoredDocument {
  /// The server said what it has of the document.
  ///
  /// - Returns: What was decided; `nil` if there was nothing to decide, since it's known to have
  ///   come from here, or since a request is under way whose answer says more.
  mutating func met(
    _ news: DocumentState, _ rules: MeetingRules, _ counter: inout RevisionCounter
  ) -> Decision? {
    let (wasHidden, wasOpen, count) = (isHidden && !isNothing, isInConflict, events.count)
    if news.copy != nil { isHidden = false }
    let decision = meet(news, rules, &counter)
    if wasOpen, !isInConflict, events.count == count { note(.conflictEnded) }
    if wasHidden, !isHidden { note(.readable) }
    return decision
  }

  private mutating func meet(
    _ news: DocumentState, _ rules: MeetingRules, _ counter: inout RevisionCounter
  ) -> Decision? {
    let equal = news.copy.flatMap { revision(of: $0.value) ?? revision(isIn: $0.value, rules) }
    let before = entry
    switch change({ $0.shown(news, equal: equal) }) {
    case .later: shown = news
    case .meets, nil: return decide(news, rules, &counter)
    case .stays where isInConflict:
      // Nobody is to decide for a copy that the server has no more.
      return decide(news, rules, &counter)
    case let step?:
      noteShown(step, before?.phase)
      carryOut(step, showing: news.copy, from: before, &counter)
    }
    return nil
  }

  /// The newest of the contents without an answer that the server is known to have by what it made
  /// of it. Where the edit since has something else in a member that was added, or a deletion would
  /// take it along, somebody else may have added it: that is no recognition.
  func revision(isIn value: DocumentValue, _ rules: MeetingRules) -> Revision? {
    revision(thatMade: value, rules).flatMap { revision in
      let sent = content(of: revision)
      let added = value.withoutTimes.objectMembers.filter {
        sent?[$0.text] == nil && !rules.serverOwned.contains($0.text)
      }
      guard body != nil || added.isEmpty else { return nil }
      return added.allSatisfy { (body?[$0.text] ?? $0.value) == $0.value } ? revision : nil
    }
  }

  /// The newest of the contents without an answer of which the server may have made a value, with
  /// members beside those that were sent: its own, or what somebody else has added to them. What
  /// was taken out isn't one of those.
  private func revision(thatMade value: DocumentValue, _ rules: MeetingRules) -> Revision? {
    guard let entry else { return nil }
    return entry.unanswered.filter { !$0.kind.isDeletion }.map(\.revision).filter { revision in
      guard let sent = content(of: revision) else { return false }
      let left = base?.value.withoutTimes.objectMembers.map(\.text).filter { sent[$0] == nil } ?? []
      return value.isMade(of: sent, rules)
        && left.allSatisfy {
          value[$0] == nil || $0 == rules.typeMember || rules.serverOwned.contains($0)
        }
    }.max()
  }

  private mutating func noteShown(_ step: EntryStep, _ before: OutboxEntry.Phase?) {
    switch step {
    case .takesBase(_, let version), .leaves(.accepted(_, let version)): note(.recognised(version))
    case .losesBase, .leaves(.deleted): note(.removedThere)
    case .stays: noteRefusal(of: before)
    case .leaves(.neverSent), .leaves(.reverted), .leaves(.gaveWay), .meets, .asks, .later: break
    }
  }

  /// A whole pull has told nothing of it, though the server has something else.
  mutating func notShown() {
    let before = entry?.phase
    _ = change { $0.notShown() }
    noteRefusal(of: before)
  }

  /// What was in conflict turned out to be refused for a reason of the server's own.
  private mutating func noteRefusal(of before: OutboxEntry.Phase?) {
    guard case .contested = before, case .setAside(.refused(let refusal)) = entry?.phase else {
      return
    }
    note(.refused(status: refusal.status, words: refusal.words))
  }

  /// Asks who decides, and does what they say.
  mutating func decide(
    _ news: DocumentState, _ rules: MeetingRules, _ counter: inout RevisionCounter
  ) -> Decision {
    let decision = meeting(news, rules).decide()
    carryOut(decision, after: news, &counter)
    return decision
  }

  /// Where the server has more than what was sent without an answer, both stand on that in this
  /// meeting, and are united as after a look: only members that both have added since go to those
  /// who decide. It's no copy that the server is known to have had, so it isn't kept as one.
  private func meeting(_ news: DocumentState, _ rules: MeetingRules) -> Meeting {
    var meeting = Meeting(
      here, news, policies: rules.policies, rounds: entry?.rounds ?? 0,
      mergers: rules.mergers)
    guard let copy = news.copy else { return meeting }
    meeting.here = here.taking(rules.serverOwned, of: copy.value)
    guard let body, let made = revision(thatMade: copy.value, rules),
      let sent = content(of: made), !sent.hasSameContent(as: copy.value)
    else { return meeting }
    let known = ServerCopy(value: sent, version: base?.version ?? copy.version, time: base?.time)
    meeting.here = .edited(
      base: known, body: body.taking(rules.serverOwned, of: copy.value), sent: unanswered)
    meeting.there = .present(copy)
    if rules.givesWayWhole { meeting.policies.insert(.merge, at: 0) }
    return meeting
  }

  mutating func carryOut(
    _ decision: Decision, after news: DocumentState, _ counter: inout RevisionCounter
  ) {
    // What comes for the first time has had no life yet.
    let isFirst = isNothing && events.isEmpty
    // What a push showed comes once more with the next pull.
    let isKnown = isInConflict && shown == news && decision.isOpen
    if let end = DocumentMeetingEnd(decision), !isFirst, !isKnown { note(.met(end)) }
    if decision.basis == .ownSend { note(decision.step.taken) }
    lose(decision.lost)
    switch decision.step {
    case .nothing: goOn(after: news, &counter)
    case .acknowledge(let copy), .apply(let copy), .settle(let copy): becomeSynced(copy)
    case .remove, .dropTombstone: becomeNothing(after: news.tombstone)
    case .rebase(let copy, let merged): stand(on: copy, with: merged, &counter)
    case .keepTombstone(let copy): stand(on: copy, with: nil, &counter)
    case .makeAgain(let content):
      makeAnew(after: news, &counter)
      (body, base, tombstone) = (content, nil, news.tombstone)
    case .park: leave(.parked, beside: news, &counter)
    case .giveUp: leave(.gaveUp, beside: news, &counter)
    }
  }

  mutating func stand(
    on copy: ServerCopy, with content: DocumentValue?, _ counter: inout RevisionCounter
  ) {
    let fresh = counter.fresh()
    _ = change { $0.met(.rebased(copy.version), as: fresh) }
    (body, base, shown) = (content, copy, nil)
    // The server has it, be it as somebody else's.
    settle()
  }

  mutating func makeAnew(after news: DocumentState, _ counter: inout RevisionCounter) {
    let fresh = counter.fresh()
    _ = change { $0.met(.madeAnew(after: news.tombstone), as: fresh) }
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
      if isNothing, news.tombstone != .none {
        tombstone = news.tombstone
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
  var tombstone: Tombstone {
    switch self {
    case .deleted(let version): .at(version)
    case .present, .revived, .forgotten: .none
    }
  }
}

extension DocumentMeetingEnd {
  /// How a meeting ended; `nil` where nobody needs to be told.
  fileprivate init?(_ decision: Decision) {
    let (step, version): (Step, DocumentVersion?)
    switch decision.step {
    case .nothing, .acknowledge: return nil
    case .apply(let copy): (step, version) = (.applied, copy.version)
    case .remove: (step, version) = (.removed, nil)
    case .rebase(let base, _): (step, version) = (.rebased, base.version)
    case .settle(let copy): (step, version) = (.settled, copy.version)
    case .makeAgain: (step, version) = (.madeAgain, nil)
    case .keepTombstone(let base): (step, version) = (.deletesOther, base.version)
    case .dropTombstone: (step, version) = (.deletionDone, nil)
    case .park(let conflict): (step, version) = (.parked, conflict.there?.version)
    case .giveUp(let conflict): (step, version) = (.gaveUp, conflict.there?.version)
    }
    self.init(step: step, basis: decision.basis, version: version)
  }
}

extension Decision.Step {
  /// What had been sent, where the server turned out to have it.
  fileprivate var taken: TakenSend? {
    switch self {
    case .settle(let copy), .rebase(let copy, _), .keepTombstone(let copy):
      TakenSend(isRemoval: false, version: copy.version)
    case .nothing, .acknowledge, .apply, .remove, .makeAgain, .dropTombstone, .park, .giveUp: nil
    }
  }
}

extension DocumentValue {
  /// Whether a server may have made it of what was sent: nothing of that is missing.
  func isMade(of sent: DocumentValue, _ rules: MeetingRules) -> Bool {
    if hasSameContent(as: sent) { return true }
    let saysMore = sent.withoutTimes.objectMembers.contains {
      $0.text != rules.typeMember && !rules.serverOwned.contains($0.text)
    }
    return saysMore && DocumentLoss.answered(self, to: sent, rules).isEmpty
  }
}
