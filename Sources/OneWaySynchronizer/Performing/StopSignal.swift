import SyncLock
import Synchronization

/// A flag that is raised once and can be waited for.
final class StopSignal: Sendable {
  private let raised: Atomic<Bool>
  private let waiters = Locked(Waiters())

  private struct Waiters {
    var next: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
  }

  init(isRaised: Bool) {
    raised = Atomic(isRaised)
  }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  func raise() {
    let woken = waiters.withLock { waiters in
      raised.store(true, ordering: .releasing)
      defer { waiters.waiting = [:] }
      return Array(waiters.waiting.values)
    }
    for waiter in woken { waiter.resume() }
  }

  /// Returns when the flag is raised or the waiting task is cancelled.
  func wait() async {
    let number = waiters.withLock { waiters in
      waiters.next += 1
      return waiters.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = waiters.withLock { waiters in
          if isRaised || Task.isCancelled { return true }
          waiters.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      waiters.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}

extension StopSignal {
  /// Runs `body` in a child task that is cancelled when the flag is raised, and waits for its end
  /// in any case. The calling task isn't cancelled by the flag.
  func interrupting<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        await self.wait()
        return nil
      }
      while let end = try await group.next() {
        group.cancelAll()
        if let value = end { return value }
      }
      preconditionFailure("the body neither returned nor threw")
    }
  }
}
