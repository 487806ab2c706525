import Access
import Console
import DocumentSync
import SyncEssentials
import SyncFetching

/// `documents sync STORE`
struct SyncCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store)
    let turn = try SyncTurn(storeAt: invocation.store + "-program")
    defer { turn.end() }
    let request = invocation.syncing
    if !request.access.verifiesServers {
      Streams.error("documents: \(Sentence.ending(AccessOptions.insecureWarning))")
    }
    if request.retries {
      let ids = invocation.words.map { DocumentID($0) }
      _ = try await open.store.edit { door in
        if ids.isEmpty {
          try door.retryAll()
          try door.retryFiles()
        } else {
          for id in ids { try door.retry(id) }
        }
      }
    }
    let outcome = try await SyncRunner(open, at: invocation.store, request).run()
    return await Streams.telling { [isJSON = invocation.isJSON] in outcome.tell(isJSON: isJSON) }
  }
}

/// One sync of a store, and how it ended.
struct SyncRunner: Sendable {
  private let open: OpenStore
  private let path: String
  private let request: SyncRequest

  init(_ open: OpenStore, at path: String, _ request: SyncRequest) {
    (self.open, self.path, self.request) = (open, path, request)
  }

  func run() async throws -> SyncOutcome {
    let endpoint = try open.signedEndpoint(request)
    let policies: [ConflictPolicy] = [.merge, .serverWins]
    var options = ReplicaOptions(
      server: open.server, account: open.setup.account,
      collections: open.collections.map { SyncedCollection($0, policies: policies) })
    options.syncsEdits = false
    let replica = try await DocumentReplica(.file(path), endpoint: endpoint, options: options)
    let (began, start) = (Self.now, ContinuousClock.now)
    var outcome = SyncOutcome(counts: try await open.store.read { try $0.counts() })
    do {
      outcome.report = try await replica.sync(wishes)
    } catch let failure as DocumentSyncFailure {
      (outcome.report, outcome.problem) = (failure.report, failure.reason)
    }
    outcome.took = ContinuousClock.now - start
    if outcome.report.isQuiet, outcome.problem == nil {
      // The library writes nothing then; people want to know when it was.
      let run = SyncRun(began: began, ended: Self.now, reason: "by hand")
      try await replica.store.sync { try $0.note(run) }
    }
    outcome.counts = try await replica.store.read { try $0.counts() }
    await replica.close()
    return outcome
  }

  private var wishes: SyncWishes {
    var wishes = request.wishes
    wishes.refusals =
      switch request.onError {
      case .leave: .leave
      case .resign: .resign
      case .retry: .retry(atMost: 3)
      case .ask: .ask { await TerminalQuestion().decision(about: $0) }
      }
    return wishes
  }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

extension OpenStore {
  /// The collections of the types, each once.
  var collections: [String] {
    types.kinds.reduce(into: []) { names, kind in
      if !names.contains(kind.collection) { names.append(kind.collection) }
    }
  }
}
