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
  /// - Throws: a ``DocumentSyncFailure``, what the store throws.
  func fetch(
    _ id: DocumentID, in scope: DocumentScope, _ wishes: SyncWishes
  ) async throws -> ServerCopy? {
    try await call(about: scope, wishes) { try await fetch(id, in: scope, $0) }
  }

  private func fetch(
    _ id: DocumentID, in scope: DocumentScope, _ pass: Pass
  ) async throws -> ServerCopy? {
    let looked = try await pass.session.ask(about: scope.collection, notes: \LookReply.notes) {
      try LookReply(await endpoint.push(.look(at: id, in: scope.collection)))
    }
    switch looked.state {
    case .present(let copy), .revived(let copy):
      let news = PulledPage([DocumentChange(id: id, state: .present(copy))])
      let rules = pass.place.rules(of: scope.collection, pass.wishes)
      let outcomes = try await pass.store.sync { try $0.listed(news, of: scope, rules) }
      pass.tally.pulled(outcomes, in: scope.collection)
      if let problem = outcomes.first(where: { $0.id == id })?.failure { throw problem }
      return copy
    case .deleted, .forgotten: return nil
    case nil:
      let error = DocumentSyncError(looked, in: scope.collection)
      pass.tally.note { [now = seams.now()] report in
        report.errors.append(error)
        report.answers[error] = looked.notes.call?.noted(at: now)
      }
      throw error
    }
  }

  /// Sends what waits of one document, and what it goes after, and nothing else.
  ///
  /// - Returns: what of its change gave way to the server's.
  /// - Throws: a ``DocumentSyncFailure``, what the store throws. That the server didn't take it is
  ///   no error: it's in the outbox.
  func send(
    _ id: DocumentID, in scope: DocumentScope, _ wishes: SyncWishes
  ) async throws -> [DocumentLoss] {
    try await call(about: scope, wishes) { pass in
      try await pass.session.turn()
      let capabilities = try await capabilities(pass)
      guard !capabilities.isReadOnly else { throw DocumentSyncError.readOnly }
      for _ in 0..<3 {
        try await push(id, capabilities, pass)
        guard try await pass.store.read({ try $0.reason(of: id) }) == .wasOvertaken else { break }
        // The server may have made its key meanwhile.
        _ = try await fetch(try await pass.store.read { try $0.named(id) }, in: scope, pass)
      }
      let name = try await pass.store.read { try $0.named(id) }
      return pass.tally.report.lost.filter { $0.id == name }.map(\.loss).filter(\.gaveWay)
    }
  }

  private func push(
    _ id: DocumentID, _ capabilities: EndpointCapabilities, _ pass: Pass
  ) async throws {
    let only = try await pass.store.read { try $0.allAwaited(by: id) }
    let board = PushBoard(
      pass.place.scopes, capabilities, routed: pass.place.routed, keyless: pass.place.keyless,
      limit: 1, only: only)
    try await PushRun(
      store: pass.store, endpoint: endpoint, session: pass.session, board: board, tally: pass.tally,
      isFollowed: false, rules: { pass.place.rules(of: $0.collection, pass.wishes) }
    ).run()
  }

  /// Makes a call: what was being sent when the program ended last is given up before, and what
  /// goes wrong is told with the server's answer, and with what was done all the same.
  private func call<Result>(
    about scope: DocumentScope, _ wishes: SyncWishes, _ body: (Pass) async throws -> Result
  ) async throws -> Result {
    let place = place
    let session = try await ServerSession(
      store, server: place.server, wishes.caller, seams: seams)
    let pass = Pass(
      place: place, store: store.seen { scope.owner }, began: seams.now(), reasons: [],
      wishes: wishes, session: session, tally: SyncTally(), turn: nil)
    try await pass.store.sync { editor in
      try editor.abandonSends({ place.rules(of: $0.collection, wishes) }, routed: place.routed)
    }
    do {
      return try await body(pass)
    } catch let error as DocumentSyncError {
      _ = note(error, pass)
      throw DocumentSyncFailure(reason: error, report: pass.tally.report)
    }
  }
}

extension DocumentLoss {
  /// Whether it's a change of ours in whose place the server's is here.
  fileprivate var gaveWay: Bool {
    switch reason {
    case .policy, .deletion, .forgotten: side == .here
    case .resigned, .restored, .answered, .accountHadOne: false
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
