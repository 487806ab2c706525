/// What users do.
extension OutboxEntry {
  /// The document was saved.
  ///
  /// Saving again what the server had last ends the change, unless the server may have taken
  /// something else meanwhile. An edit settles no conflict: it stays one, with the new content.
  ///
  /// - Parameters:
  ///   - revision: of the content.
  ///   - isBase: whether the content is the one that the change stands on.
  ///   - others: documents that it goes after from now on, too.
  mutating func saved(
    as revision: Revision, isBase: Bool = false, after others: Set<DocumentID> = []
  ) -> EntryStep {
    if isBase, change.base != nil, isUnsent { return .leaves(.reverted) }
    self.revision = revision
    switch change {
    case .create, .update: break
    case .delete(let base): change = base.map { .update(base: $0) } ?? .create
    }
    awaits.formUnion(others)
    forgetTrouble()
    rounds = 0
    switch phase {
    case .setAside(.madeAs): break
    case .setAside: phase = .waiting
    case .waiting, .sending, .contested, .parked: break
    }
    return .stays
  }

  /// The document was deleted.
  ///
  /// What no server can have is gone at once. What was to go before the content needn't go before
  /// the deletion. A deletion settles every conflict.
  mutating func deleted(as revision: Revision, after others: Set<DocumentID> = []) -> EntryStep {
    if change.isDeletion { return .stays }
    if change == .create, isUnsent { return .leaves(.neverSent) }
    self.revision = revision
    change = .delete(base: change.base)
    awaits = others
    forgetTrouble()
    rounds = 0
    switch phase {
    case .sending: break
    case .waiting, .contested, .parked, .setAside: phase = .waiting
    }
    return .stays
  }

  /// Somebody wants what was set aside to be tried again, or what no pull has found to be made.
  ///
  /// - Parameter fresh: the content's number from now on: under its old one, a server that knows
  ///   requests again might repeat its old answer.
  mutating func retryWanted(as fresh: Revision) -> EntryStep {
    switch phase {
    case .setAside:
      revision = fresh
      phase = .waiting
      rounds = 0
      forgetTrouble()
    case .contested where isLostCreation: phase = .waiting
    case .waiting, .sending, .contested, .parked: break
    }
    return .stays
  }
}
