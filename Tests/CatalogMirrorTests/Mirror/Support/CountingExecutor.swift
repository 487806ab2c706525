import Dispatch
import SyncDatabase
import SyncLock

/// Runs the index's jobs on a queue, and something of the test's before the job of a number.
final class CountingExecutor: BlockingExecutor {
  private let queue = DispatchQueue(label: "counting")
  private let jobs: Locked<Int>
  private let number: Int
  private let action: @Sendable () -> Void

  /// - Parameters:
  ///   - jobs: Counts the jobs of all runs that share it.
  ///   - number: From 1; before which job `action` is run.
  init(_ jobs: Locked<Int>, before number: Int, _ action: @escaping @Sendable () -> Void) {
    self.jobs = jobs
    self.number = number
    self.action = action
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      self.begin()
      job.runSynchronously(on: self.asUnownedSerialExecutor())
    }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }

  func runAndWait(_ work: () -> Void) {
    queue.sync {
      begin()
      work()
    }
  }

  private func begin() {
    let isDue = jobs.withLock { jobs in
      jobs += 1
      return jobs == number
    }
    if isDue { action() }
  }
}
