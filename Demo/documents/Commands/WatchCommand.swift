import Access
import Console
import DocumentSync
import SyncFetching

/// `documents watch STORE [--every 30s]`
struct WatchCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Runs until a signal ends it.
  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store)
    try open.check(invocation.syncing)
    let turn = try SyncTurn(storeAt: invocation.store + "-program")
    defer { turn.end() }
    if !invocation.syncing.access.verifiesServers {
      Streams.error("documents: \(Sentence.ending(AccessOptions.insecureWarning))")
    }
    // A missing password won't come by itself.
    _ = try Password.authorization(of: open.setup, invocation.syncing)
    let interval = invocation.syncing.interval
    let timing = WatchTiming(interval: interval, longest: max(interval, .seconds(600)))
    let job = WatchJob(invocation.store, timing, 0)
    await WatchLoop(DocumentWatch(open, invocation), WatchOrder([job], atOnce: 1)).run()
    return .cancelled
  }
}

/// Syncs of one store, again and again.
private struct DocumentWatch: WatchWork {
  private let runner: SyncRunner
  private let isJSON: Bool

  init(_ open: OpenStore, _ invocation: Invocation) {
    var request = invocation.syncing
    request.wishes.isByHand = false
    runner = SyncRunner(open, at: invocation.store, request)
    isJSON = invocation.isJSON
  }

  func run(_ job: WatchJob<Int>) async -> Result<SyncOutcome, any Error> {
    do { return .success(try await runner.run()) } catch { return .failure(error) }
  }

  func isFailure(_ outcome: Result<SyncOutcome, any Error>) -> Bool {
    guard case .success(let outcome) = outcome else { return true }
    return outcome.problem != nil
  }

  func tell(_ event: WatchEvent<Int, Result<SyncOutcome, any Error>>) {
    guard case .ended(_, let result, _) = event else { return }
    switch result {
    case .success(let outcome): _ = outcome.tell(isJSON: isJSON)
    case .failure(is CancellationError): break
    case .failure(let error): Failure(error).tell(isJSON: isJSON)
    }
  }

  func reload() async throws -> WatchOrder<Int>? { nil }
}
