/// What becomes of requests for it.
extension StoredDocument {
  /// Its turn has come: answers what is asked of the server, or `nil` when it isn't to be sent.
  mutating func sendBegan(
    looksFirst: LookAhead = .never, makesKeys: Bool = false, repeats: Bool = false,
    _ counter: inout RevisionCounter
  ) -> SendOrder? {
    let fresh = counter.fresh()
    // The server doesn't know the id that it has as long as it has no key.
    if makesKeys, !repeats, entry?.change == .delete(base: nil) {
      _ = change { $0.isLookedFor() }
      return nil
    }
    let order =
      change {
        $0.sendBegan(
          fresh: fresh, looksFirst: looksFirst, makesKeys: makesKeys, repeats: repeats)
      } ?? nil
    // A look ahead is told with what it showed, if that is new.
    if let order, !isAhead(order) { note(.sent(order.kind)) }
    return order
  }

  /// The request under way has ended. If something was shown meanwhile, it's met now.
  ///
  /// - Parameters:
  ///   - count: how many documents the request was for.
  ///   - looksAfter: whether a document that may have been made is looked for before it's sent
  ///     again.
  /// - Returns: What was decided where the server has something else.
  mutating func answered(
    _ verdict: SendVerdict, inRequestOf count: Int = 1, looksAfter: Bool = false,
    _ rules: MeetingRules, _ counter: inout RevisionCounter
  ) -> [Decision] {
    guard let old = entry, let order = old.underWay else { return [] }
    let joined = order.kind == .look ? joined(verdict, rules) : nil
    let (before, sent) = (shown, content(of: order.revision))
    shown = nil
    var decisions: [Decision] = []
    let copy = verdict.copy
    let made = order.kind == .look ? copy.flatMap { revision(isIn: $0.value, rules) } : nil
    let equal = copy.flatMap { revision(of: $0.value) } ?? made
    let step =
      change {
        $0.answered(verdict, equal: equal, inRequestOf: count, looksAfter: looksAfter)
      } ?? .stays
    if !isAsBefore(order, verdict) { noteEnd(of: order, step, from: old) }
    if step == .meets, let joined {
      carryOut(joined, after: verdict.news ?? .forgotten, &counter)
    } else if step == .meets, let news = verdict.news {
      decisions.append(decide(news, rules, &counter))
    } else {
      carryOut(step, showing: copy, from: old, &counter)
      if let given = givenWay(step, sent, copy, rules) {
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
    guard let old = entry, let order = old.underWay else { return nil }
    let before = shown
    shown = nil
    let step = change { $0.sendAbandoned(looksAfter: looksAfter) } ?? .stays
    noteEnd(of: order, step, from: old)
    guard let before else { return nil }
    return met(before, rules, &counter)
  }

  /// A list shows under another key what was sent and not answered.
  mutating func found(as key: DocumentID) {
    _ = change { $0.found(as: key) }
  }

  /// A list of all that there is shows that it wasn't made.
  mutating func notMade(_ counter: inout RevisionCounter) {
    let old = entry
    let step = change { $0.notMade() } ?? .stays
    carryOut(step, showing: nil, from: old, &counter)
  }

  /// Nothing can show whether it was made.
  mutating func cannotBeFound(_ counter: inout RevisionCounter) {
    let old = entry
    let step = change { $0.cannotBeFound() } ?? .stays
    carryOut(step, showing: nil, from: old, &counter)
  }

  /// The contents that were sent to be made, and not answered, where they are to be looked for.
  var lostCreations: [DocumentValue] {
    guard let entry, entry.isLostCreation else { return [] }
    return entry.unanswered.compactMap { content(of: $0.revision) }
  }

  /// Does what the entry says.
  ///
  /// - Parameters:
  ///   - copy: the server's, as it was shown.
  ///   - old: the entry before it said so.
  mutating func carryOut(
    _ step: EntryStep, showing copy: ServerCopy?, from old: OutboxEntry?,
    _ counter: inout RevisionCounter
  ) {
    note(TakenSend(step, ofDeletion: old?.hasSentDeletion ?? false))
    switch step {
    case .stays, .meets, .asks, .later: break
    case .takesBase(let revision, let version):
      guard let copy = reached(revision, version, copy) else { break }
      join(copy.value, madeOf: content(of: revision), &counter)
      base = copy
      settle()
    case .losesBase:
      base = nil
      tombstone = tombstoneOfEntry
    case .leaves(.accepted(let revision, let version)):
      if let copy = reached(revision, version, copy) { becomeSynced(copy) }
    case .leaves(.deleted(let version)): becomeNothing(after: .at(version))
    case .leaves(.neverSent): becomeNothing(after: tombstoneOfEntry)
    case .leaves(.reverted), .leaves(.gaveWay):
      if let base { becomeSynced(base) }
    }
    forgetWhatWasShown()
  }

  /// Whether a look showed nothing that wasn't known: what was looked at for says the rest.
  private func isAsBefore(_ order: SendOrder, _ verdict: SendVerdict) -> Bool {
    order.kind == .look && verdict.notice == .answers && entry?.phase == .waiting
      && entry?.change.base == base?.version
  }

  /// Whether it's a look at what is to be changed or deleted next.
  private func isAhead(_ order: SendOrder) -> Bool {
    order.kind == .look && entry?.change.base != nil
  }

  private mutating func noteEnd(of order: SendOrder, _ step: EntryStep, from old: OutboxEntry) {
    if order.kind == .look, old.change.base != nil { note(.sent(.look)) }
    note(end(of: order, step, from: old))
  }

  /// What became of a request.
  private func end(
    of order: SendOrder, _ step: EntryStep, from old: OutboxEntry
  ) -> DocumentEvent {
    switch step {
    case .takesBase(_, let version), .leaves(.accepted(_, let version)): return .accepted(version)
    case .losesBase, .leaves(.deleted): return .removedThere
    case .leaves(.neverSent): return .takenAway
    case .stays, .leaves(.reverted), .leaves(.gaveWay), .meets, .asks, .later: break
    }
    switch entry?.phase {
    case .setAside(.refused(let refusal)):
      return .refused(status: refusal.status, words: refusal.words)
    case .setAside(.madeAs): return .foundOther
    case .setAside(.mayBeMade): return .unanswered(times: 1)
    case .contested, .parked: return isLostCreation ? .unanswered(times: 1) : .foundOther
    case .waiting, .sending, .setAside, nil: break
    }
    let left = entry?.unanswered ?? []
    let isLost =
      left.count > old.unanswered.count || left.contains { $0.revision == order.revision }
    return isLost ? .unanswered(times: 1) : .untaken(times: 1)
  }

  private var isLostCreation: Bool { entry?.isLostCreation ?? false }

  /// The server's copy with the content of a revision: as it was shown, or else as it was sent.
  private func reached(
    _ revision: Revision, _ version: DocumentVersion, _ copy: ServerCopy?
  ) -> ServerCopy? {
    if let copy, copy.version == version { return copy }
    return content(of: revision).map { ServerCopy(value: $0, version: version) }
  }

  /// What was sent and came back as something else, in the answer that the server took it.
  private func givenWay(
    _ step: EntryStep, _ sent: DocumentValue?, _ copy: ServerCopy?, _ rules: MeetingRules
  ) -> (decision: Decision, copy: ServerCopy)? {
    guard case .leaves(.accepted(_, let version)) = step, let sent, let copy,
      copy.version == version
    else { return nil }
    let lost = DocumentLoss.answered(copy.value, to: sent, rules)
    return lost.isEmpty ? nil : (Decision(.apply(copy), lost: lost, by: .answer), copy)
  }
}

extension SendVerdict {
  fileprivate var copy: ServerCopy? {
    switch self {
    case .accepted(_, let copy): copy
    case .shown(let state, _): state.copy
    case .madeAs, .deleted, .unmet, .refused, .tooMany, .unknown, .untaken, .stopped: nil
    }
  }

  /// What the server turned out to have: a copy is met as one, also where it is said to be of
  /// another document.
  fileprivate var news: DocumentState? {
    guard case .shown(let state, _) = self else { return nil }
    return state.copy.map { .present($0) } ?? state
  }
}

extension TakenSend {
  /// What the server has taken, by what the entry says.
  fileprivate init?(_ step: EntryStep, ofDeletion hasSentDeletion: Bool) {
    switch step {
    case .takesBase(_, let version), .leaves(.accepted(_, let version)):
      self.init(isRemoval: false, version: version)
    case .leaves(.deleted(let version)) where hasSentDeletion:
      self.init(isRemoval: true, version: version)
    case .losesBase: self.init(isRemoval: true, version: nil)
    case .stays, .leaves, .meets, .asks, .later: return nil
    }
  }
}

extension OutboxEntry {
  /// Whether the server may have been asked to remove it.
  fileprivate var hasSentDeletion: Bool {
    (unanswered + [underWay].compactMap(\.self)).contains(where: \.kind.isDeletion)
  }
}
