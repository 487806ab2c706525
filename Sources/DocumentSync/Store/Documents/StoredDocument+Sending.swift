/// How a request for a document ended.
struct SendEnd: Sendable, Equatable {
  /// What it means for the entry. Which revision a copy that was shown is equal to, need not be in
  /// it.
  var verdict: SendVerdict
  /// The document as the server has it now, where the answer holds it.
  var copy: ServerCopy?
  /// When the version came to be that the server gave it, in milliseconds since 1970 by its clock.
  var time: Int64?
  /// How many documents the request was for.
  var count = 1
  /// Whether a document that may have been made is looked for before it's sent again.
  var looksAfter = false
}

/// What becomes of requests for it.
extension StoredDocument {
  /// Its turn has come: answers what is asked of the server, or `nil` when it isn't to be sent.
  mutating func sendBegan(
    looksFirst: Bool = false, _ counter: inout RevisionCounter
  ) -> SendOrder? {
    let fresh = counter.fresh()
    return change { $0.sendBegan(fresh: fresh, looksFirst: looksFirst) } ?? nil
  }

  /// The request under way has ended. If something was shown meanwhile, it's met now.
  ///
  /// - Returns: What was decided where the server has something else.
  mutating func answered(
    _ end: SendEnd, _ rules: MeetingRules, _ counter: inout RevisionCounter
  ) -> [Decision] {
    guard entry?.underWay != nil else { return [] }
    let before = shown
    let sent = entry?.underWay.flatMap { content(of: $0.revision) }
    shown = nil
    var decisions: [Decision] = []
    let verdict = known(end)
    let step =
      change {
        $0.answered(verdict, inRequestOf: end.count, looksAfter: end.looksAfter)
      } ?? .stays
    if step == .meets, let news = news(verdict, end) {
      decisions.append(decide(news, rules, &counter))
    } else {
      carryOut(step, showing: end.copy, time: end.time)
      if let given = givenWay(step, sent, end.copy, rules.typeMember) {
        carryOut(given.decision, after: .present(given.copy), &counter)
        decisions.append(given.decision)
      }
    }
    if let before, let decision = met(before, rules, &counter) {
      decisions.append(decision)
    }
    return decisions
  }

  /// The store was opened, and a request had been under way when it was last closed.
  mutating func sendAbandoned(
    _ rules: MeetingRules, looksAfter: Bool = false, _ counter: inout RevisionCounter
  ) -> Decision? {
    guard entry?.underWay != nil else { return nil }
    let before = shown
    shown = nil
    _ = change { $0.sendAbandoned(looksAfter: looksAfter) }
    guard let before else { return nil }
    return met(before, rules, &counter)
  }

  /// A list shows under another key what was sent and not answered.
  mutating func found(as key: DocumentID) {
    _ = change { $0.found(as: key) }
  }

  /// The contents that were sent to be made, and not answered, where they are to be looked for.
  var lostCreations: [DocumentValue] {
    guard let entry, entry.isLostCreation else { return [] }
    return entry.unanswered.compactMap { content(of: $0.revision) }
  }

  /// A whole pull has told nothing of it, though the server has something else.
  mutating func notShown() {
    _ = change { $0.notShown() }
  }

  /// Does what the entry says.
  mutating func carryOut(_ step: EntryStep, showing copy: ServerCopy?, time: Int64?) {
    note(.entry(step))
    switch step {
    case .stays, .meets, .asks, .later: break
    case .takesBase(let revision, let version):
      guard let copy = reached(revision, version, copy, time) else { break }
      base = copy
      body = body?.joiningTimes(of: copy.value)
      settle()
    case .losesBase:
      base = nil
      burial = burialOfEntry
    case .leaves(.accepted(let revision, let version)):
      if let copy = reached(revision, version, copy, time) { becomeSynced(copy) }
    case .leaves(.deleted(let version)): becomeNothing(after: .at(version))
    case .leaves(.neverSent): becomeNothing(after: burialOfEntry)
    case .leaves(.reverted), .leaves(.gaveWay):
      if let base { becomeSynced(base) }
    }
    forgetWhatWasShown()
  }

  /// The server's copy with the content of a revision: as it was shown, or else as it was sent.
  private func reached(
    _ revision: Revision, _ version: DocumentVersion, _ copy: ServerCopy?, _ time: Int64?
  ) -> ServerCopy? {
    if let copy, copy.version == version { return copy }
    return content(of: revision).map { ServerCopy(value: $0, version: version, time: time) }
  }

  /// What was sent and came back as something else, in the answer that the server took it.
  private func givenWay(
    _ step: EntryStep, _ sent: DocumentValue?, _ copy: ServerCopy?, _ typeMember: String
  ) -> (decision: Decision, copy: ServerCopy)? {
    guard case .leaves(.accepted(_, let version)) = step, let sent, let copy,
      copy.version == version
    else { return nil }
    let lost = DocumentLoss.answered(copy.value, to: sent, typeMember: typeMember)
    return lost.isEmpty ? nil : (Decision(.apply(copy), lost: lost, by: .answer), copy)
  }

  /// The verdict, with the revision that a copy which was shown is equal to.
  private func known(_ end: SendEnd) -> SendVerdict {
    guard case .shown(.copy(let version, equal: nil), let refusal) = end.verdict,
      let copy = end.copy, copy.version == version
    else { return end.verdict }
    return .shown(.copy(version, equal: revision(of: copy.value)), refusal)
  }

  /// What the server has, if the answer holds all of it.
  private func news(_ verdict: SendVerdict, _ end: SendEnd) -> ServerNews? {
    guard case .shown(let state, _) = verdict else { return nil }
    switch state {
    case .copy(let version, _):
      return end.copy.flatMap { $0.version == version ? .present($0) : nil }
    case .deleted(let version): return .deleted(version)
    }
  }
}
