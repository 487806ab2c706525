/// What a server has taken of what was sent: as it answered, or as it turned out later, when the
/// answer was lost.
struct TakenSend: Sendable, Hashable {
  /// Whether it was removed there; else it was stored.
  let isRemoval: Bool
  /// What the server calls the outcome, if it has a name for it.
  let version: DocumentVersion?
}

extension StoredDocument {
  /// What the server has taken, by what was carried out in this turn.
  ///
  /// - Parameter entry: what was still to be sent before it.
  func taken(from entry: OutboxEntry?) -> TakenSend? {
    steps.lazy.compactMap { step in
      switch step {
      case .entry(.leaves(.accepted(_, let version))), .entry(.takesBase(_, let version)):
        TakenSend(isRemoval: false, version: version)
      case .entry(.leaves(.deleted(let version))) where entry?.hasSentDeletion ?? false:
        TakenSend(isRemoval: true, version: version)
      case .entry(.losesBase): TakenSend(isRemoval: true, version: nil)
      case .decision(let decision) where decision.ground == .ownSend: decision.step.taken
      case .entry, .decision: nil
      }
    }.first
  }
}

extension OutboxEntry {
  /// Whether the server may have been asked to remove it.
  fileprivate var hasSentDeletion: Bool {
    (unanswered + [underWay].compactMap(\.self)).contains(where: \.kind.isDeletion)
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
