/// A change that a server refused.
public struct RefusedChange: Sendable, Hashable {
  /// Of which document.
  public let id: DocumentID
  package let collection: String
  /// What the document is to be; `nil` if it's to be deleted.
  public let content: DocumentValue?
  /// The status of HTTP.
  public let status: Int
  /// The server's own words.
  public let words: String
}

/// What is to become of a change that a server refused.
public enum RefusalAnswer: Sendable, Hashable {
  /// It stays set aside.
  case leave
  /// It's given up, and told as lost.
  case resign
  /// It's tried again, at once.
  case tryAgain
}

/// Decides between a document and the server's; `nil` leaves the conflict open.
///
/// It is asked at the end of a sync, one document at a time, while that sync waits for it: it must
/// answer in the end. What it answers is sent by the same sync. An answer about what has become
/// something else meanwhile is left out.
public typealias ConflictDecider =
  @Sendable (DocumentID, DocumentConflict) async -> DocumentConflict.Resolution?
/// Decides about a change that a server refused, as a ``ConflictDecider`` does.
public typealias RefusalDecider = @Sendable (RefusedChange) async -> RefusalAnswer

/// Whom a sync asks where a policy says so.
struct SyncDeciders: Sendable {
  var conflict: ConflictDecider?
  var refusal: RefusalDecider?
}

/// Deals with what a sync left open in a collection: asks those who decide, and does with what the
/// server refused as the policy says.
struct OpenQuestions: Sendable {
  /// So many are looked for at once.
  private static let piece = 100

  let store: DocumentStore
  let scope: DocumentScope
  let policy: ErrorPolicy
  let deciders: SyncDeciders
  let tally: SyncTally
  let now: @Sendable () -> Int64

  /// Before anything is sent: what is due is tried again.
  func releaseWhatIsDue() async throws {
    guard case .retry(let limit) = policy else { return }
    let rule = RetryRule(limit: limit)
    try await forEach(.setAside) { id, _ in
      try await store.sync { editor in
        guard try editor.reader.refused(id) != nil,
          let refusals = try editor.reader.life(of: id)?.refusals,
          rule.isDue(refusals: refusals.count, last: refusals.last, at: now())
        else { return }
        _ = try editor.retryChange(id)
      }
    }
  }

  /// After everything was sent and fetched. Answers whether something is to be sent because of it.
  func settle() async throws -> Bool {
    var isToSend = false
    if let ask = deciders.conflict {
      try await forEach(.conflict) { id, _ in
        if try await decide(id, ask) { isToSend = true }
      }
    }
    switch policy {
    case .leave, .retry: break
    case .resign:
      try await forEach(.setAside) { id, refused in try await resign(id, refused) }
    case .ask:
      guard let ask = deciders.refusal else { break }
      try await forEach(.setAside) { id, refused in
        guard let refused else { return }
        if try await answer(await ask(refused.change), refused) { isToSend = true }
      }
    }
    return isToSend
  }

  // MARK: - One of them

  private func decide(
    _ id: DocumentID,
    _ ask: @Sendable (DocumentID, DocumentConflict) async -> DocumentConflict.Resolution?
  ) async throws -> Bool {
    guard let conflict = try await store.read({ try $0.conflict(id) }),
      let resolution = await ask(id, conflict)
    else { return false }
    let decision = try await store.sync { editor -> Decision? in
      guard try editor.reader.conflict(id) == conflict else { return nil }
      return try editor.resolve(id, resolution)
    }
    guard let decision else { return false }
    tally.pulled(
      [PulledOutcome(id: id, isChanged: resolution != .here, decision: decision)],
      in: scope.collection)
    return true
  }

  private func answer(
    _ answer: RefusalAnswer, _ refused: RefusedEntry
  ) async throws -> Bool {
    let id = refused.change.id
    switch answer {
    case .leave: return false
    case .resign:
      try await resign(id, refused)
      return false
    case .tryAgain:
      let isTried = try await store.sync { editor in
        try editor.reader.refused(id) == refused ? try editor.retryChange(id) : false
      }
      if isTried { tally.isOver(id) }
      return isTried
    }
  }

  private func resign(_ id: DocumentID, _ refused: RefusedEntry?) async throws {
    guard let refused else { return }
    let isGivenUp = try await store.sync { editor in
      try editor.reader.refused(id) == refused ? try editor.resign(id) : false
    }
    guard isGivenUp else { return }
    tally.isOver(id)
    let loss = DocumentLoss(
      path: .whole, value: refused.change.content, side: .here, reason: .resigned)
    tally.note { $0.lost.append(.init(id: id, loss: loss)) }
  }

  // MARK: - All of them

  private func forEach(
    _ question: OpenQuestion, _ body: (DocumentID, RefusedEntry?) async throws -> Void
  ) async throws {
    var last: Int64 = 0
    while true {
      let found = try await store.read { [last] in
        try $0.open(question, in: scope, after: last, limit: Self.piece)
      }
      for (number, id) in found {
        try Task.checkCancellation()
        last = number
        try await body(id, try await store.read { try $0.refused(id) })
      }
      if found.count < Self.piece { return }
    }
  }
}

/// A change that was refused, and which of its contents.
struct RefusedEntry: Sendable, Equatable {
  let change: RefusedChange
  let revision: Revision
}

extension StoreReader {
  /// What a server refused of a document; `nil` if nothing is set aside for that.
  fileprivate func refused(_ id: DocumentID) throws -> RefusedEntry? {
    guard let document = try stored(id), let entry = document.entry,
      case .setAside(.refused(let refusal)) = entry.phase
    else { return nil }
    return RefusedEntry(
      change: RefusedChange(
        id: id, collection: entry.collection, content: document.body?.asSeen,
        status: refusal.status, words: refusal.words),
      revision: entry.revision)
  }
}

extension SyncTally {
  /// What was refused of a document counts no more.
  fileprivate func isOver(_ id: DocumentID) {
    note { $0.failures.removeAll { $0.isRefusal && $0.name == id.text } }
  }
}
