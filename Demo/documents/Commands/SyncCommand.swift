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
    try open.check(request)
    if !request.access.verifiesServers {
      Streams.error("documents: \(Sentence.ending(AccessOptions.insecureWarning))")
    }
    if request.retries {
      let ids = invocation.words.map { DocumentID($0) }
      _ = try await open.store.edit { door in
        if ids.isEmpty {
          try door.retryAll()
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
    var options = ReplicaOptions(
      server: open.server, account: open.setup.account,
      collections: open.collections.map {
        let policies: [ConflictPolicy] =
          open.setup.isLatest($0) ? [.latest] : [.merge, .serverWins]
        return SyncedCollection($0, policies: policies)
      })
    options.syncsEdits = false
    options.deciders.refusal = Asking.answer
    let replica = try await DocumentReplica(.file(path), endpoint: endpoint, options: options)
    let (began, start) = (Self.now, ContinuousClock.now)
    var outcome = SyncOutcome(
      server: open.setup.server, counts: try await open.store.read { try $0.counts() })
    do {
      outcome.report = try await replica.sync(request.wishes)
    } catch let failure as DocumentSyncFailure {
      (outcome.report, outcome.problem) = (failure.report, failure.reason)
    }
    outcome.took = ContinuousClock.now - start
    if outcome.problem == nil, outcome.report.isQuiet {
      // A sync that did something is remembered by itself. Whoever looks at a store by hand wants
      // to know as well when it was last in step.
      let reason: SyncReason = request.wishes.isByHand ? .manual : .timer
      let run = SyncRun(began: began, ended: Self.now, reason: reason.rawValue)
      try await replica.store.sync { [account = open.setup.account] in
        try $0.noteQuiet(run, of: account)
      }
    }
    (outcome.counts, outcome.waiting) = try await replica.store.read {
      (try $0.counts(), try WaitingDocuments($0))
    }
    outcome.open = try await replica.store.read { try OpenWork($0) }
    await replica.close()
    return outcome
  }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

extension OpenStore {
  /// The latest edit can't be told of documents whose edits carry no times.
  func check(_ request: SyncRequest) throws {
    guard request.wishes.policies.contains(.latest) else { return }
    let others = setup.kinds.filter { !setup.isLatest($0.collection) }.map(\.name)
    guard let first = others.first else { return }
    throw UsageError(
      "edits of \(others.joined(separator: ", ")) carry no times, so that the latest can't be told;"
        + " 'documents init … --type \(first) --latest' stamps them from then on")
  }

  /// The collections of the types, each once.
  var collections: [String] {
    types.kinds.reduce(into: []) { names, kind in
      if !names.contains(kind.collection) { names.append(kind.collection) }
    }
  }
}
