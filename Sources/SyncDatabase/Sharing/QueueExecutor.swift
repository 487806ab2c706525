private import Dispatch

/// A serial executor on which code outside of Swift's concurrency can wait its turn.
package protocol BlockingExecutor: SerialExecutor {
  /// Runs `work` on the executor and returns when it has ended. Blocks the calling thread, so it
  /// is only for threads that may be blocked; never to be called from the executor itself.
  func runAndWait(_ work: () -> Void)
}

/// Runs an actor's jobs on a serial dispatch queue of its own, so that blocking calls don't hold
/// up the few threads that all Swift tasks share.
package final class QueueExecutor: BlockingExecutor {
  private let queue: DispatchQueue

  /// An executor with a new queue.
  ///
  /// - Parameter label: The queue's name, for debuggers.
  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Called by Swift's runtime, to assert that the caller runs on the queue.
  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }

  package func runAndWait(_ work: () -> Void) {
    queue.sync(execute: work)
  }
}
