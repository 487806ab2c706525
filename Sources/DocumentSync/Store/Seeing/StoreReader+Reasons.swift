extension StoreReader {
  /// Why a document isn't at the server as it is here; `nil` if it is, or isn't known.
  package func reason(of id: DocumentID) throws -> UnsentReason? {
    try stored(id).flatMap { try reason(of: $0) }
  }

  /// Why a document isn't at the server as it is here; `nil` if it is.
  func reason(of document: StoredDocument) throws -> UnsentReason? {
    guard let entry = document.entry else {
      if document.isInConflict { return .isInConflict }
      if try isHeldBack(document) { return .isHeldBack }
      return document.isSynced || document.isNothing ? nil : .isStashed
    }
    switch entry.phase {
    case .waiting: return try reasonToWait(entry, at: document.scope.server)
    case .sending: return .isUnderWay
    case .contested where entry.isLostCreation: return .mayBeMade
    case .contested: return .wasOvertaken
    case .parked: return .isInConflict
    case .setAside(.refused(let refusal)):
      return .isRefused(status: refusal.status, words: refusal.words)
    case .setAside(.madeAs(let key)): return .isMadeAs(key)
    case .setAside(.outrun(let rounds)): return .wasOutrun(rounds: rounds)
    case .setAside(.unknownForm): return .isUnknown
    }
  }

  private func reasonToWait(_ entry: OutboxEntry, at server: String) throws -> UnsentReason {
    if !entry.awaits.isEmpty {
      let shelf = DocumentShelf(session)
      let others = try entry.awaits.map { ($0, try shelf.predecessor($0)) }
      return .waits(for: Dictionary(others, uniquingKeysWith: { first, _ in first }))
    }
    var pause = try pause(of: server)
    switch pause.permission(at: session.now, isUnderWay: false) {
    case .open: return .isToBeSent(tries: entry.tries)
    case .ownWait: return .backsOff(until: pause.own?.until ?? session.now)
    case .asked(let until): return .serverAsked(until: until)
    }
  }
}
