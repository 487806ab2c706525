import SyncLock

/// The clock of a simulated world: it stands still until there is nothing to do but wait.
struct VirtualClock: Clock {
  let world: SeededExecutor

  /// A point in virtual time, as distance from the world's beginning.
  struct Instant: InstantProtocol {
    let sinceStart: Duration

    func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }

    func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

    static func < (one: Instant, other: Instant) -> Bool { one.sinceStart < other.sinceStart }
  }

  private enum Sleep {
    case awaited
    case asleep(timer: Int, CheckedContinuation<Void, any Error>)
    case over
  }

  var now: Instant { Instant(sinceStart: world.now) }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleep = Locked(Sleep.awaited)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        fallAsleep(until: deadline, sleep, continuation)
      }
    } onCancel: {
      wake(sleep)
    }
  }

  private func fallAsleep(
    until deadline: Instant, _ sleep: Locked<Sleep>,
    _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let isCancelled = sleep.withLock { sleep in
      if case .over = sleep { return true }
      let timer = world.schedule(at: deadline.sinceStart) { continuation.resume() }
      sleep = .asleep(timer: timer, continuation)
      return false
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  /// The sleeper was cancelled.
  private func wake(_ sleep: Locked<Sleep>) {
    let before = sleep.withLock { sleep in
      defer { sleep = .over }
      return sleep
    }
    if case .asleep(let timer, let continuation) = before, world.cancelTimer(timer) {
      continuation.resume(throwing: CancellationError())
    }
  }
}
