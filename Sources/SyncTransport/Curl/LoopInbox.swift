internal import CSyncCurl
private import Dispatch
private import SyncLock

/// What is left for a ``CurlLoop``: commands, and jobs of tasks that prefer its thread.
///
/// A thread that leaves something wakes the loop; the loop's own thread doesn't, and looks here
/// before it sleeps.
final class LoopInbox: @unchecked Sendable {  // the handle is used under the lock while it's open
  private let multi: UnsafeMutableRawPointer
  private let state = Locked(State())

  /// A piece of a task that is ready to run.
  struct Job {
    let job: UnownedJob
    let executor: UnownedTaskExecutor

    func run() { job.runSynchronously(on: executor) }
  }

  private struct State {
    var commands: [CurlLoop.Command] = []
    var jobs: [Job] = []
    var isOpen = true
  }

  init(_ multi: UnsafeMutableRawPointer) {
    self.multi = multi
  }

  var isEmpty: Bool { state.withLock { $0.commands.isEmpty && $0.jobs.isEmpty } }

  /// Leaves a command. `false` when the loop has ended.
  func leave(_ command: CurlLoop.Command) -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      state.commands.append(command)
      if state.commands.count == 1 { wake() }
      return true
    }
  }

  /// Leaves a job; when the loop has ended, it is run elsewhere.
  func leave(_ job: Job) {
    let isTaken = state.withLock { state in
      guard state.isOpen else { return false }
      state.jobs.append(job)
      if state.jobs.count == 1 { wake() }
      return true
    }
    if !isTaken { runElsewhere(job) }
  }

  /// Under the lock, so that the loop's thread can't free the handle meanwhile.
  private func wake() {
    if CurlLoop.current?.inbox !== self { curl_multi_wakeup(multi) }
  }

  /// Hands over the commands, in exchange for an empty array.
  func swapCommands(_ commands: inout [CurlLoop.Command]) {
    state.withLock { swap(&$0.commands, &commands) }
  }

  /// Hands over the jobs, in exchange for an empty array.
  func swapJobs(_ jobs: inout [Job]) {
    state.withLock { swap(&$0.jobs, &jobs) }
  }

  /// Takes no more; a job that is still there is run elsewhere.
  func close() {
    var jobs: [Job] = []
    state.withLock { state in
      state.isOpen = false
      swap(&state.jobs, &jobs)
    }
    jobs.forEach(runElsewhere)
  }

  private func runElsewhere(_ job: Job) {
    DispatchQueue.global().async { job.run() }
  }
}
