/// Has somebody decide what waits for a decision in a collection, and what a server refused; what
/// comes of it is sent in the same sync.
struct AskRun: Sendable {
  /// The pause before the first further try.
  static let firstPause = Duration.seconds(1)

  let store: DocumentStore
  let talk: ServerTalk
  let tally: SyncTally
  let scope: DocumentScope
  let refusals: RefusalPolicy
  let decide: ConflictDecider?
  /// Sends what can be sent.
  let push: @Sendable () async throws -> Void

  /// Asks about each once. Nobody is asked within a transaction.
  ///
  /// - Throws: what sending throws, what the store throws, or `CancellationError`.
  func run() async throws {
    let isDecided = try await askAboutConflicts()
    let isToBeSent = try await askAboutRefusals()
    if isDecided || isToBeSent { try await push() }
    if case .retry(let limit) = refusals { try await retry(atMost: limit) }
  }

  // MARK: - Conflicts

  private func askAboutConflicts() async throws -> Bool {
    guard let decide else { return false }
    var isDecided = false
    for id in try await store.read({ try $0.conflicts(in: scope) }) {
      try Task.checkCancellation()
      guard let conflict = try await store.read({ try $0.conflict(id) }),
        let resolution = await decide(id, conflict)
      else { continue }
      isDecided = try await resolve(id, resolution, of: conflict) || isDecided
    }
    return isDecided
  }

  /// Answers whether it was still to be decided so: meanwhile anything may have been edited.
  private func resolve(
    _ id: DocumentID, _ resolution: DocumentConflict.Resolution, of conflict: DocumentConflict
  ) async throws -> Bool {
    let decision = try await store.sync { door -> Decision? in
      guard try door.reader.conflict(id) == conflict else { return nil }
      return try UserDoor(door.session).resolve(id, resolution)
    }
    guard let decision else { return false }
    tally.decided(decision, of: id, in: scope.collection)
    return true
  }

  // MARK: - Refusals

  /// Answers whether something is to be sent once more.
  private func askAboutRefusals() async throws -> Bool {
    switch refusals {
    case .leave, .retry: return false
    case .resign, .ask: break
    }
    var isToBeSent = false
    for id in try await store.read({ try $0.setAside(in: scope) }) {
      try Task.checkCancellation()
      guard let refused = try await refused(id) else { continue }
      switch await decision(about: refused) {
      case .leave: break
      case .resign: try await resign(refused)
      case .retry: isToBeSent = try await store.sync { try $0.retry(id) } || isToBeSent
      }
    }
    return isToBeSent
  }

  private func decision(about refused: RefusedChange) async -> RefusedChange.Decision {
    switch refusals {
    case .leave, .retry: .leave
    case .resign: .resign
    case .ask(let ask): await ask(refused)
    }
  }

  /// The change as it's set aside now; `nil` if it isn't any more, or for another reason.
  private func refused(_ id: DocumentID) async throws -> RefusedChange? {
    guard let document = try await store.read({ try $0.stored(id) }),
      case .setAside(.refused(let refusal)) = document.entry?.phase
    else { return nil }
    return RefusedChange(
      id: id, collection: scope.collection, content: document.body?.asSeen,
      status: refusal.status, words: refusal.words)
  }

  private func resign(_ refused: RefusedChange) async throws {
    let lost = try await store.sync { door -> [LostChange] in
      let before = try door.reader.lost(of: refused.id).count
      guard try door.resign(refused.id) else { return [] }
      return Array(try door.reader.lost(of: refused.id).dropFirst(before))
    }
    tally.resigned(refused.id, lost.map(\.loss), in: scope.collection)
  }

  private func retry(atMost limit: Int) async throws {
    var pause = Self.firstPause
    for _ in 0..<max(0, limit) {
      let refused = tally.refused(in: scope.collection)
      guard !refused.isEmpty else { return }
      try await talk.seams.sleep(pause)
      pause *= 2
      try await store.sync { door in for id in refused { try door.retry(id) } }
      try await push()
    }
  }
}
