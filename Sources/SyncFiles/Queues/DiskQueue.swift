internal import Dispatch
private import SyncLock

/// Where blocking work on the disk is done: one piece after the other, in the order given.
///
/// A seam, so that a simulation can run the work when it wants to.
package protocol DiskQueue: Sendable {
  /// Runs `work` after everything that was enqueued before.
  func enqueue(_ work: @escaping @Sendable () -> Void)
  /// Enqueues `work` when `delay` has passed.
  func enqueue(after delay: Duration, _ work: @escaping @Sendable () -> Void)
  /// Whether its work goes on while a thread waits. Default true; in a simulation it doesn't.
  var isConcurrent: Bool { get }
}

extension DiskQueue {
  package var isConcurrent: Bool { true }

  /// Runs `work` on the queue and gives its result; a task that waits blocks no thread.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    // Handed over behind a lock: ThreadSanitizer doesn't see that a continuation which is resumed
    // before its task has gone to sleep orders what came before.
    let result = Locked<Result<Value, any Error>?>(nil)
    await withCheckedContinuation { continuation in
      enqueue {
        let outcome = Result(catching: work)
        result.withLock { $0 = outcome }
        continuation.resume()
      }
    }
    guard let outcome = result.withLock({ $0 }) else { preconditionFailure("nothing was run") }
    return try outcome.get()
  }
}

/// The default: a serial queue of the system's.
package struct DispatchDiskQueue: DiskQueue {
  private let queue = DispatchQueue(label: "mirror.disk", qos: .userInitiated)

  package init() {}

  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  package func enqueue(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
  }
}
