/// What becomes of its requests.
extension OutboxEntry {
  /// Its turn has come: answers what is asked of the server, or `nil` when it isn't to be sent.
  ///
  /// - Parameters:
  ///   - fresh: a number that is taken when the present revision has been sent already, as another
  ///     request than the one that is due now.
  ///   - looksFirst: what is to be looked at before.
  ///   - makesKeys: whether the server makes the keys of what is created.
  ///   - repeats: whether it knows a request again, so that what was sent without an answer is sent
  ///     as it was, until that says which document it made.
  mutating func sendBegan(
    fresh: Revision, looksFirst: LookAhead = .never, makesKeys: Bool = false, repeats: Bool = false
  ) -> SendOrder? {
    guard phase == .waiting, awaits.isEmpty else { return nil }
    if makesKeys, repeats, change.base == nil, let order = unanswered.first(where: \.isKeyless) {
      lastOrder = order
      phase = .sending(order)
      return order
    }
    let kind: SendOrder.Kind =
      switch change {
      case .create: .create
      case .update(let base): looksFirst == .changes ? .look : .update(base)
      case .delete(let base): base.flatMap { looksFirst == .never ? .delete($0) : nil } ?? .look
      }
    if let lastOrder, kind != .look, lastOrder.revision == revision, lastOrder.kind != kind {
      revision = fresh
    }
    let order = SendOrder(
      revision: revision, kind: kind, isKeyless: makesKeys && kind == .create)
    if kind != .look { lastOrder = order }
    phase = .sending(order)
    return order
  }

  /// The request under way has ended.
  ///
  /// An end that comes when none is under way (the store was opened again meanwhile) changes
  /// nothing: the request counts as one whose answer was lost.
  ///
  /// - Parameters:
  ///   - equal: the revision that a copy which was shown is equal to, see ``shown(_:equal:)``.
  ///   - count: how many entries the request was for.
  ///   - looksAfter: whether a document that may have been made is looked for before it's sent
  ///     again, since the server would make another one.
  mutating func answered(
    _ verdict: SendVerdict, equal: Revision? = nil, inRequestOf count: Int = 1,
    looksAfter: Bool = false
  ) -> EntryStep {
    guard let order = underWay else { return .stays }
    phase = .waiting
    switch verdict {
    case .accepted(let version, _): return accepted(order, version)
    // An edit since would make another one, too.
    case .madeAs(let key, _, _): if !isNothingLeft { phase = .setAside(.madeAs(key)) }
    // Nobody asked for that. A service that shows no single rows may say the same of each: a list
    // tells.
    case .deleted where order.kind == .look && change.isUpdate:
      phase = .contested(nil)
      return .asks
    case .deleted(let version): return vanished(version)
    case .shown(.deleted, let refusal) where change == .create && isUnsent:
      // Made anew where it was deleted, which this server doesn't allow.
      noteRefusal(refusal, of: order)
    case .shown(let state, let refusal):
      if isNothingLeft, equal == nil { return .leaves(.neverSent) }
      // To be shown what is looked at before it's changed is no refusal.
      phase = .contested(order.kind == .look && change.base != nil ? nil : refusal)
      return shown(state, equal: equal)
    case .unmet(let refusal):
      if isNothingLeft { return .leaves(.neverSent) }
      phase = .contested(refusal)
      return .asks
    // What may not be looked at may still be changed.
    case .refused where order.kind == .look && change.base != nil: break
    case .refused(let refusal): noteRefusal(refusal, of: order)
    case .tooMany: batchShare = .refused(in: count)
    case .unknown(let trouble):
      remember(order)
      noteTrouble(trouble, inRequestOf: count)
      if looksAfter { return looksForCreation(order) }
    case .untaken(let trouble): noteTrouble(trouble, inRequestOf: count)
    // Some services store what they are sent, and lead elsewhere.
    case .stopped(.unexpected):
      remember(order)
      if looksAfter { return looksForCreation(order) }
    case .stopped: break
    }
    return isNothingLeft ? .leaves(.neverSent) : .stays
  }

  /// The store was opened, and a request had been under way when it was last closed.
  mutating func sendAbandoned(looksAfter: Bool = false) -> EntryStep {
    guard let order = underWay else { return .stays }
    phase = .waiting
    remember(order)
    return looksAfter ? looksForCreation(order) : .stays
  }

  /// The server has this revision's content, under this version. What was sent after it may still
  /// come there.
  mutating func reached(_ reached: Revision, _ version: DocumentVersion) -> EntryStep {
    unanswered.removeAll { $0.revision <= reached }
    tombstone = .none
    rounds = 0
    forgetTrouble()
    if reached == revision { return .leaves(.accepted(reached, version)) }
    change = change.isDeletion ? .delete(base: version) : .update(base: version)
    phase = .waiting
    return .takesBase(reached, version)
  }

  /// The server has removed the document, as it was asked to.
  mutating func vanished(_ version: DocumentVersion?) -> EntryStep {
    unanswered = []
    tombstone = .at(version)
    rounds = 0
    forgetTrouble()
    if change.isDeletion { return .leaves(.deleted(version)) }
    change = .create
    phase = .waiting
    return .losesBase
  }

  /// Whether it's the deletion of what no server can have.
  private var isNothingLeft: Bool { change == .delete(base: nil) && isUnsent }

  private mutating func accepted(_ order: SendOrder, _ version: DocumentVersion) -> EntryStep {
    switch order.kind {
    case .create, .update: reached(order.revision, version)
    case .delete: vanished(version)
    case .look: .stays
    }
  }

  /// What was edited since is sent all the same: it may be what the server wants.
  private mutating func noteRefusal(_ refusal: Refusal, of order: SendOrder) {
    if order.isKeyless { unanswered.removeAll { $0.revision == order.revision } }
    if order.revision == revision { phase = .setAside(.refused(refusal)) }
  }

  private mutating func remember(_ order: SendOrder) {
    guard order.kind != .look else { return }
    unanswered.removeAll { $0.revision == order.revision }
    unanswered.append(order)
  }

  /// What may have been made isn't sent again before a pull.
  private mutating func looksForCreation(_ order: SendOrder) -> EntryStep {
    guard order.kind == .create, change == .create else { return .stays }
    phase = .contested(nil)
    return .asks
  }

  private mutating func noteTrouble(_ trouble: Trouble, inRequestOf count: Int) {
    tries += 1
    if trouble.isSuspicious { batchShare = .broken(in: count) }
  }
}

/// What the server turns out to have, and what follows from it.
extension OutboxEntry {
  /// The server's value was shown: by a pull, or by an answer.
  ///
  /// What was sent and not answered is known again: it counts as accepted, whatever was edited
  /// since, and is no conflict.
  ///
  /// - Parameter equal: the newest of our revisions with the very content of a copy, among the
  ///   present one, the one whose request this answers, and those that were sent without an answer;
  ///   `nil` if none has it.
  mutating func shown(_ state: DocumentState, equal: Revision? = nil) -> EntryStep {
    guard underWay == nil else { return .later }
    switch state {
    case .present(let copy), .revived(let copy):
      if let equal, !isDeletion(equal) { return reached(equal, copy.version) }
      if copy.version == change.base { return notShown() }
      return isContested()
    case .deleted(let version):
      if unanswered.contains(where: \.kind.isDeletion) { return vanished(version) }
      if change.isDeletion { return .leaves(.deleted(version)) }
      if change == .create, isUnsent || tombstone.isSame(as: version) {
        tombstone = tombstone.shownAgain(as: version)
        return conflictIsOver()
      }
      return isContested()
    // It wasn't made: it's sent again as what it is.
    case .forgotten: return isLostCreation ? notShown() : .meets
    }
  }

  /// A whole pull since has told nothing of the document.
  ///
  /// So the server refuses it for a reason of its own, and would do so again.
  mutating func notShown() -> EntryStep {
    switch phase {
    case .contested(let refusal):
      phase = refusal.map { .setAside(.refused($0)) } ?? .waiting
      return .stays
    case .sending: return .later
    case .waiting, .parked, .setAside: return .stays
    }
  }

  /// The server's value has met the local change.
  ///
  /// - Parameter revision: of the content from now on: on another base it's another request.
  mutating func met(_ meeting: Meeting, as revision: Revision) -> EntryStep {
    guard underWay == nil else { return .later }
    switch meeting {
    case .rebased(let version):
      change = change.isDeletion ? .delete(base: version) : .update(base: version)
      unanswered = []
      tombstone = .none
      sendAgain(as: revision)
    case .madeAnew(let tombstone):
      if change.isDeletion { return .leaves(.deleted(tombstone.version)) }
      change = .create
      self.tombstone = tombstone
      // A deletion of ours that comes true later would be of what is made now.
      unanswered.removeAll(where: \.kind.isDeletion)
      sendAgain(as: revision)
    case .parked: phase = .parked
    case .gaveUp: phase = .setAside(.outrun(rounds: rounds))
    case .over: return .leaves(.gaveWay)
    }
    return .stays
  }

  private mutating func sendAgain(as revision: Revision) {
    if case .contested(.some) = phase { rounds += 1 }
    self.revision = revision
    phase = .waiting
    forgetTrouble()
  }

  private mutating func isContested() -> EntryStep {
    switch phase {
    case .waiting, .setAside: phase = .contested(nil)
    case .contested, .parked, .sending: break
    }
    return .meets
  }

  /// What it was in conflict with is gone: it's sent as what it was.
  private mutating func conflictIsOver() -> EntryStep {
    switch phase {
    case .contested, .parked: phase = .waiting
    case .waiting, .setAside, .sending: break
    }
    return .stays
  }

  /// Whether a revision is that of a deletion, which no content is equal to.
  private func isDeletion(_ revision: Revision) -> Bool {
    if revision == self.revision { return change.isDeletion }
    return (unanswered + [lastOrder].compactMap(\.self))
      .contains { $0.revision == revision && $0.kind.isDeletion }
  }
}

/// What is to be done with an entry after an event, in the same transaction.
enum EntryStep: Sendable, Equatable {
  /// It stays in the outbox, as it says itself.
  case stays
  /// It stays: the server has this revision's content, which is the base of what was changed since.
  case takesBase(Revision, DocumentVersion)
  /// It stays: the server has removed the document, and what was saved since is made anew. That
  /// it was removed is to be remembered, for when it leaves without having been sent.
  case losesBase
  case leaves(Departure)
  /// It stays; what the server has was shown and must now be met with the local change.
  case meets
  /// It stays; what the server has must be asked for, or awaited from the next pull.
  case asks
  /// Nothing happened, since the answer to a request under way says more; tell it again after that.
  case later
}

/// Why an entry leaves the outbox.
enum Departure: Sendable, Equatable {
  /// The server has its content, under this version.
  case accepted(Revision, DocumentVersion)
  /// The document is gone at the server, which calls its deletion so. It's to be remembered, for a
  /// document that is made anew under the same id.
  case deleted(DocumentVersion?)
  /// It was deleted here before any server can have had it.
  case neverSent
  /// The last value of the server was saved again.
  case reverted
  /// Where it met the server's value, the server's value won.
  case gaveWay
}
