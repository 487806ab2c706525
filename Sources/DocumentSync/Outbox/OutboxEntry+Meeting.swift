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
      if change == .create, isUnsent || burial.isSame(as: version) {
        burial = burial.shownAgain(as: version)
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
      burial = .none
      sendAgain(as: revision)
    case .madeAnew(let burial):
      if change.isDeletion { return .leaves(.deleted(burial.version)) }
      change = .create
      self.burial = burial
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
