private import Dispatch

/// Runs an actor's jobs on a serial dispatch queue of its own, so that blocking calls don't hold
/// up the few threads that all Swift tasks share.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor with a new queue.
  ///
  /// - Parameter label: The queue's name, for debuggers.
  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  /// Called by Swift's runtime.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Called by Swift's runtime, to assert that the caller runs on the queue.
  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
