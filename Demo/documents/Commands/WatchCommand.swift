import Console
import DocumentEndpoints
import DocumentSync

/// `documents watch STORE [--every 30s]`
struct WatchCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Runs until a signal ends it.
  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store, for: invocation.syncing)
    try open.check(invocation.syncing)
    let lock = try ProgramLock(ofStore: invocation.store)
    defer { lock.release() }
    open.warn(invocation.syncing)
    let interval = invocation.syncing.interval
    let timing = WatchTiming(interval: interval, longest: max(interval, .seconds(600)))
    let job = WatchJob(invocation.store, timing, 0)
    await open.replica.close()
    await WatchLoop(DocumentWatch(invocation), WatchOrder([job], atOnce: 1)).run()
    return .cancelled
  }
}

/// Syncs of one store, again and again. It's opened anew for each: with the password of that
/// moment, and as one who doesn't know yet where the server is and whether it can be reached.
private struct DocumentWatch: WatchWork {
  private let store: String
  private let request: SyncRequest
  private let isJSON: Bool

  init(_ invocation: Invocation) {
    store = invocation.store
    var request = invocation.syncing
    request.isByHand = false
    self.request = request
    isJSON = invocation.isJSON
  }

  func run(_ job: WatchJob<Int>) async -> Result<SyncOutcome, any Error> {
    do {
      let open = try await OpenStore.open(store, for: request)
      let ended: Result<SyncOutcome, any Error>
      do {
        ended = .success(try await open.sync(request))
      } catch {
        ended = .failure(error)
      }
      await open.replica.close()
      return ended
    } catch {
      return .failure(error)
    }
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
