internal import SyncLock

/// Lets so many callers in at once; the others wait in the order in which they came. How many may
/// be changed at any time.
final class AsyncSemaphore: Sendable {
  private let state: Locked<State>

  private struct State: Sendable {
    var permits: Int
    /// Below zero while more are in than may be.
    var free: Int
    var nextTicket = 0
    /// Who waits; a ticket whose holder was cancelled stays in `line` and is passed over.
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var line = FIFO<Int>()
    /// Who waits only until somebody could come in.
    var onlookers: [Int: CheckedContinuation<Void, any Error>] = [:]

    /// Takes who may come in now, and who waited for that to be so.
    mutating func admit() -> [CheckedContinuation<Void, any Error>] {
      var admitted: [CheckedContinuation<Void, any Error>] = []
      while free > 0, let next = popWaiting() {
        free -= 1
        admitted.append(next)
      }
      if free > 0 {
        admitted += onlookers.values
        onlookers = [:]
      }
      return admitted
    }

    private mutating func popWaiting() -> CheckedContinuation<Void, any Error>? {
      while let ticket = line.popFirst() {
        if let continuation = waiting.removeValue(forKey: ticket) { return continuation }
      }
      return nil
    }
  }

  /// A semaphore of so many permits; fewer than 1 counts as 1.
  init(permits: Int) {
    state = Locked(State(permits: max(1, permits), free: max(1, permits)))
  }

  var permits: Int { state.withLock { $0.permits } }

  var isFull: Bool { state.withLock { $0.free <= 0 } }

  /// Whether more would be let in at this moment, and nobody waits for that.
  var hasRoom: Bool { room > 0 }

  /// How many more would be let in at this moment.
  var room: Int { state.withLock { $0.waiting.isEmpty ? max(0, $0.free) : 0 } }

  /// How many wait only until somebody could come in.
  var onlookerCount: Int { state.withLock { $0.onlookers.count } }

  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Changes how many are let in at once; fewer than 1 counts as 1. Who is in already stays. Tell
  /// those that it returns when no lock is held.
  func setPermits(_ permits: Int) -> Wakeups {
    let admitted = state.withLock { state in
      let change = max(1, permits) - state.permits
      guard change != 0 else { return [CheckedContinuation<Void, any Error>]() }
      state.permits += change
      state.free += change
      return state.admit()
    }
    var wakeups = Wakeups()
    for next in admitted { wakeups.add { next.resume() } }
    return wakeups
  }

  /// Runs `body` while holding a permit.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits; what `body` throws.
  func withPermit<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    try await enter(taking: true)
    defer { release() }
    return try await body()
  }

  /// Waits until a permit is free, and doesn't take it: it may be gone again by then.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits.
  func waitForRoom() async throws {
    try await enter(taking: false)
  }

  private func enter(taking: Bool) async throws {
    try Task.checkCancellation()
    let ticket = state.withLock { state -> Int? in
      guard state.free <= 0 else {
        if taking { state.free -= 1 }
        return nil
      }
      state.nextTicket += 1
      return state.nextTicket
    }
    guard let ticket else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Swift.Result<Void, any Error>? = state.withLock { state in
          // Under the lock: a cancellation before this is seen here, one after it finds the ticket.
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.free > 0 {
            if taking { state.free -= 1 }
            return .success(())
          }
          if taking {
            state.waiting[ticket] = continuation
            state.line.append(ticket)
          } else {
            state.onlookers[ticket] = continuation
          }
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      state.withLock {
        $0.waiting.removeValue(forKey: ticket) ?? $0.onlookers.removeValue(forKey: ticket)
      }?.resume(throwing: CancellationError())
    }
  }

  private func release() {
    let admitted = state.withLock { state in
      state.free += 1
      return state.admit()
    }
    for next in admitted { next.resume() }
  }
}
