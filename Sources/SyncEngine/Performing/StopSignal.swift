import SyncLock
import Synchronization

/// A flag that is raised once, so that nothing more begins, and cancels the work that runs under
/// it.
final class StopSignal: Sendable {
  private let raised: Atomic<Bool>
  private let cancelWork = Locked<(@Sendable () -> Void)?>(nil)
  /// What is told when the flag is raised.
  private let listener = Locked<(@Sendable () -> Void)?>(nil)
  /// What the work prefers to run on.
  let executor: (any TaskExecutor)?

  init(isRaised: Bool, executor: (any TaskExecutor)?) {
    raised = Atomic(isRaised)
    self.executor = executor
  }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  /// Raises the flag and cancels what runs under it, before it returns; or, if it isn't
  /// `cancelling`, leaves that to end by itself.
  func raise(cancelling: Bool = true) {
    let cancel = cancelWork.withLock { cancel in
      raised.store(true, ordering: .releasing)
      return cancel
    }
    HeldLocks.assertNone()
    listener.withLock { $0 }?()
    if cancelling { cancel?() }
  }

  /// Calls `body` when the flag is raised, or at once if it is; maybe twice if it is raised just
  /// then. One at a time; `nil` for none any more.
  func whenRaised(_ body: (@Sendable () -> Void)?) {
    listener.withLock { $0 = body }
    if isRaised { body?() }
  }

  /// Runs `body` in a task that is cancelled when the flag is raised, and waits for its end in any
  /// case. The calling task isn't cancelled by the flag. One piece of work at a time.
  ///
  /// The task is unstructured, and the only one beside the owner's: a child task could be
  /// cancelled only from within its group, one scheduling turn later, in which a processor would be
  /// asked about another thousand items. It never outlives this call.
  func interrupting<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // The body begins when the lock knows how to cancel it: who raises the flag from within it
    // finds that.
    let (known, begin) = AsyncStream<Never>.makeStream()
    let work = Task(executorPreference: executor) {
      for await _ in known {}
      return try await body()
    }
    let wasRaised = cancelWork.withLock { cancel in
      cancel = { work.cancel() }
      return isRaised
    }
    if wasRaised { work.cancel() }
    begin.finish()
    defer { _ = cancelWork.withLock { $0.take() } }
    return try await work.value
  }

  /// As ``interrupting(_:)``, for a stage of user code. It isn't begun once the flag is raised: the
  /// task may start a while after it was made, and `cancel()` may have returned by then.
  func interruptingStage<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await interrupting { [self] in
      if isRaised { throw CancellationError() }
      return try await body()
    }
  }
}
