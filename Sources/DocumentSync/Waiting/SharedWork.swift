import SyncLock

/// Work that several wait for, and that goes on when one of them leaves.
final class SharedWork<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let outcome = Watched<Result<Value, any Error>?>(nil)
  private let state = Locked(State())
  private let work: @Sendable () async throws -> Value

  /// Work that begins when it is told to: it may be kept under a lock, and begun after it.
  init(_ work: @escaping @Sendable () async throws -> Value) {
    self.work = work
  }

  /// Begins the work; once.
  ///
  /// In an unstructured task: none of those who wait is its parent, since each may leave while it
  /// goes on for the others.
  func begin() {
    HeldLocks.assertNone()
    let task = Task { [outcome, work] in
      let result = await Self.result(of: work)
      outcome.change { $0 = result }
    }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  private static func result(
    of work: @Sendable () async throws -> Value
  ) async -> Result<Value, any Error> {
    do {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }

  /// What came of it; throws `CancellationError` at once if the waiting task is cancelled.
  func value() async throws -> Value {
    try await outcome.wait { $0 }.get()
  }

  /// Tells the work that nobody waits any more.
  func cancel() {
    HeldLocks.assertNone()
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
