/// What users do. Each answers whether anything changed.
extension StoredDocument {
  /// It was saved: it's to be sent.
  ///
  /// Saving what is there already does nothing, unless that was only stashed; and saving what the
  /// server had last ends the change.
  ///
  /// - Parameter others: those that it goes after, and that it must wait for.
  mutating func saved(
    _ content: DocumentValue, after others: Set<DocumentID> = [], _ counter: inout RevisionCounter
  ) -> Bool {
    let (isSame, isSynced) = (body?.hasSameContent(as: content) ?? false, isSynced)
    if isSame, isSynced || entry != nil && others.isEmpty { return false }
    let isBase = !isSynced && base?.value.hasSameContent(as: content) ?? false
    guard let old = entry else {
      if isBase { return backToBase(&counter) }
      make(base.map { .update(base: $0.version) } ?? .create, after: others, &counter)
      body = content
      return true
    }
    let fresh = counter.fresh()
    let step = change { $0.saved(as: fresh, isBase: isBase, after: others) }
    if step == .leaves(.reverted) { return backToBase(&counter) }
    if !old.isNeverSent || old.change.isDeletion { note(.saved(times: 1)) }
    body = content
    forgetWhatWasShown()
    return true
  }

  /// It was stashed: it isn't to be sent. Of what is to be sent already, the latest content is.
  mutating func stashed(_ content: DocumentValue, _ counter: inout RevisionCounter) -> Bool {
    if entry != nil { return saved(content, &counter) }
    if let body, body.hasSameContent(as: content) { return false }
    if let base, base.value.hasSameContent(as: content) { return backToBase(&counter) }
    body = content
    note(.stashed(times: 1))
    return true
  }

  /// It was deleted. What no server can have is gone at once.
  mutating func deleted(
    after others: Set<DocumentID> = [], _ counter: inout RevisionCounter
  ) -> Bool {
    guard body != nil else { return false }
    // The server may have another one than the person saw; that isn't to vanish untold.
    let news = isInConflict ? shown : nil
    if entry != nil {
      let fresh = counter.fresh()
      let step = change { $0.deleted(as: fresh, after: others) }
      if step == .leaves(.neverSent) {
        neverSentDeleted(beside: news, &counter)
        return true
      }
      note(.deleted)
    } else if let base {
      make(.delete(base: base.version), after: others, &counter)
      if news != nil { note(.deleted) }
    } else {
      vanish(after: tombstone)
      return true
    }
    body = nil
    settle()
    forgetWhatWasShown()
    if let news { _ = met(news, MeetingRules(), &counter) }
    return true
  }

  private mutating func neverSentDeleted(
    beside news: DocumentState?, _ counter: inout RevisionCounter
  ) {
    guard let news else { return vanish(after: tombstoneOfEntry) }
    note(.deleted)
    becomeNothing(after: tombstoneOfEntry)
    // What is gone was never the server's, which has another document under that id.
    _ = met(news, MeetingRules(), &counter)
  }

  /// The local copy was taken away, which nobody is told.
  mutating func dropped() { vanish(after: tombstone) }

  /// What was to be sent of it is thrown away: it's as the server had it last.
  mutating func editDropped(_ counter: inout RevisionCounter) {
    guard entry != nil else { return }
    if backToBase(&counter) { return }
    vanish(after: tombstoneOfEntry)
  }

  /// Somebody wants what was set aside to be tried again, or what no pull has found to be made.
  mutating func retryWanted(_ counter: inout RevisionCounter) -> Bool {
    let before = entry?.phase
    let fresh = counter.fresh()
    _ = change { $0.retryWanted(as: fresh) }
    guard entry?.phase != before else { return false }
    if case .setAside = before { note(.retried) }
    forgetWhatWasShown()
    return true
  }

  /// Its change was given up: the server's last value is here again, or nothing where the server
  /// has none. Not while a request is under way, whose answer says more.
  mutating func resigned(_ counter: inout RevisionCounter) -> Bool {
    guard let entry, entry.underWay == nil else { return false }
    note(.resigned)
    lose([
      DocumentLoss(path: .whole, value: body?.withoutTimes, side: .here, reason: .resigned)
    ])
    if base != nil { return backToBase(&counter) }
    let news = shown
    becomeNothing(after: tombstoneOfEntry)
    if let news { _ = met(news, MeetingRules(), &counter) }
    return true
  }

  /// Something that had been lost takes the place of what is here. Of an edit that no server has,
  /// what gives way is told.
  ///
  /// - Parameters:
  ///   - content: what is here from now on; `nil` if nothing is.
  ///   - taken: where in what is here it's put; `nil` if nothing is there.
  mutating func restored(
    _ content: DocumentValue?, at taken: DocumentPath?, _ counter: inout RevisionCounter
  ) -> Bool {
    let old = taken.flatMap { body?.withoutTimes[$0] }
    let (isUnsent, isFirst) = (body != nil && !isSynced, entry == nil)
    let isChanged =
      if let content { saved(content, &counter) } else { deleted(&counter) }
    guard isChanged, isUnsent, let old, let taken else { return isChanged }
    if old == content?.withoutTimes[taken] { return true }
    lose([DocumentLoss(path: taken, value: old, side: .here, reason: .restored)])
    keepLife()
    if events.isEmpty, let entry { note(isFirst ? entry.firstEvent : .saved(times: 1)) }
    return true
  }

  /// Somebody decided between it and the server's. Answers `nil` if there was nothing to decide.
  mutating func resolved(
    _ resolution: DocumentConflict.Resolution, _ counter: inout RevisionCounter
  ) -> Decision? {
    guard let conflict, let news = shown else { return nil }
    let decision = conflict.decision(resolution)
    // It was no policy that won.
    _ = change { $0.rounds = 0 }
    carryOut(decision, after: news, &counter)
    return decision
  }

  /// What waits for somebody to decide.
  var conflict: DocumentConflict? {
    guard isInConflict, let body, let shown else { return nil }
    return DocumentConflict(base: base, here: body, there: shown.copy)
  }

  /// The deletion that the entry knows of.
  var tombstoneOfEntry: Tombstone { entry?.tombstone ?? tombstone }

  /// What the server said is kept only as long as it's to be dealt with.
  mutating func forgetWhatWasShown() {
    if entry != nil, entry?.underWay == nil, !isInConflict { shown = nil }
  }

  mutating func make(
    _ change: OutboxEntry.Change, after others: Set<DocumentID>, _ counter: inout RevisionCounter
  ) {
    let fresh = counter.fresh()
    var made = OutboxEntry(
      number: fresh.number, id: id, collection: scope.collection, revision: fresh, change: change,
      awaits: others, tombstone: tombstone)
    // An edit settles no conflict.
    if shown != nil, !change.isDeletion { made.phase = .parked }
    entry = made
  }

  /// The last value of the server is here again; if that has another one by now, it's taken.
  private mutating func backToBase(_ counter: inout RevisionCounter) -> Bool {
    guard let base else { return false }
    let news = shown
    becomeSynced(base)
    if let news { _ = met(news, MeetingRules(), &counter) }
    if events.isEmpty { note(news == nil ? .reverted : .conflictEnded) }
    return true
  }
}

extension OutboxEntry {
  /// Whether nothing of it was ever asked of a server.
  var isNeverSent: Bool { lastOrder == nil && isUnsent }

  /// The change that it was made with, as long as nothing of it was sent.
  var firstEvent: DocumentEvent {
    switch change {
    case .create: .made
    case .update(let base): .edited(base)
    case .delete: .deleted
    }
  }
}
