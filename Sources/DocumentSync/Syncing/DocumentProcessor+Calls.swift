/// Single documents, in calls of their own: who makes one waits for its answer alone.
extension DocumentProcessor {
  /// How long a call waits for the end of a sync that is under way: so many pauses.
  private static let pauses = (count: 50, length: Duration.milliseconds(100))

  /// Runs `body` while nobody syncs the store.
  ///
  /// - Throws: ``DocumentError/isSyncedElsewhere`` after five seconds.
  func alone<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    for pause in 0... {
      do {
        let turn = try place.storePath.map { try StoreLock(storeAt: $0) }
        defer { turn?.end() }
        guard let scheduler else { return try await body() }
        if let result = try await scheduler.betweenSyncs(body) { return result }
      } catch DocumentError.isSyncedElsewhere where pause < Self.pauses.count {}
      guard pause < Self.pauses.count else { break }
      try await seams.sleep(Self.pauses.length)
    }
    throw DocumentError.isSyncedElsewhere
  }

  /// Asks the server for one document. What it has meets what is here; that it has none changes
  /// nothing.
  ///
  /// - Returns: what it has; `nil` if it says that it has none.
  /// - Throws: a ``DocumentSyncError``, what the store throws.
  func fetch(
    _ id: DocumentID, in scope: DocumentScope, _ wishes: SyncWishes
  ) async throws -> ServerCopy? {
    let session = try await ServerSession(
      store, server: place.server, wishes.caller, seams: seams)
    let looked = try await session.ask(about: scope.collection, notes: \LookReply.notes) {
      try LookReply(await endpoint.push(.look(at: id, in: scope.collection)))
    }
    switch looked.state {
    case .present(let copy), .revived(let copy):
      let news = PulledPage([DocumentChange(id: id, state: .present(copy))])
      let rules = place.rules(of: scope.collection, wishes)
      let outcomes = try await store.seen { scope.owner }.sync {
        try $0.listed(news, of: scope, rules)
      }
      if let problem = outcomes.first(where: { $0.id == id })?.failure { throw problem }
      return copy
    case .deleted, .forgotten: return nil
    case nil: throw DocumentSyncError(looked, in: scope.collection)
    }
  }

  /// Sends what waits of one document, and what it goes after, and nothing else.
  ///
  /// - Throws: a ``DocumentSyncError``, what the store throws. That the server didn't take it is no
  ///   error: it's in the outbox.
  func send(_ id: DocumentID, in scope: DocumentScope, _ wishes: SyncWishes) async throws {
    let session = try await ServerSession(
      store, server: place.server, wishes.caller, seams: seams)
    let pass = Pass(
      place: place, store: store.seen { scope.owner }, began: seams.now(), reasons: [],
      wishes: wishes, session: session, tally: SyncTally(), turn: nil)
    try await pass.store.sync { [place] editor in
      try editor.abandonSends({ place.rules(of: $0.collection, wishes) }, routed: place.routed)
    }
    try await session.turn()
    let capabilities = try await capabilities(pass)
    guard !capabilities.isReadOnly else { throw DocumentSyncError.readOnly }
    for _ in 0..<3 {
      let only = try await pass.store.read { try $0.allAwaited(by: id) }
      let board = PushBoard(
        place.scopes, capabilities, routed: place.routed, keyless: place.keyless, limit: 1,
        only: only)
      try await PushRun(
        store: pass.store, endpoint: endpoint, session: session, board: board, tally: pass.tally,
        isFollowed: false, rules: { [place] in place.rules(of: $0.collection, wishes) }
      ).run()
      guard try await pass.store.read({ try $0.reason(of: id) }) == .wasOvertaken else { return }
      _ = try await fetch(id, in: scope, wishes)
    }
  }
}

extension DocumentSyncError {
  /// Why a look showed nothing.
  fileprivate init(_ looked: LookReply, in collection: String) {
    guard let answer = looked.answer else {
      self = .unreadable("it isn't the document that was asked for")
      return
    }
    self.init(
      EndpointError(
        .refused(status: answer.status, words: answer.words, subject: answer.subject),
        notes: looked.notes), in: collection)
  }
}

extension StoreReader {
  /// A document, and all that it goes after, and that those go after.
  fileprivate func allAwaited(by id: DocumentID) throws -> Set<DocumentID> {
    let table = AwaitedTable(session: session)
    var (all, left) = (Set<DocumentID>(), [try named(id)])
    while let next = left.popLast() {
      guard all.insert(next).inserted else { continue }
      left += try table.awaited(by: next)
    }
    return all
  }
}
