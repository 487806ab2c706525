import Dispatch
import SyncLock

/// An executor that runs no job until it is told to, and then one after the other.
final class LateExecutor: TaskExecutor {
  private struct State {
    var isHeld = true
    var kept: [UnownedJob] = []
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "late")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isKept = state.withLock { state in
      if state.isHeld { state.kept.append(job) }
      return state.isHeld
    }
    if !isKept { run(job) }
  }

  /// How many jobs wait.
  var keptCount: Int { state.withLock { $0.kept.count } }

  func letGo() {
    let kept = state.withLock { state in
      state.isHeld = false
      defer { state.kept = [] }
      return state.kept
    }
    for job in kept { run(job) }
  }

  private func run(_ job: UnownedJob) {
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
