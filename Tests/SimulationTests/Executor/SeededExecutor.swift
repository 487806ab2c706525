import Foundation
import SyncLock
import TestSupport

/// An executor whose seed decides which of the waiting jobs runs next, on one thread.
///
/// Everything that a simulated world does is a job in its bag: parts of tasks, of actors, work of
/// queues. Time is virtual: it stands still while jobs run, and jumps to the next timer when the
/// bag is empty (now and then before: a machine may be slow).
final class SeededExecutor: TaskExecutor {
  /// What waits in the bag.
  enum Job: Sendable {
    case task(UnownedJob)
    case actor(UnownedJob, SeededSerialExecutor)
    case work(@Sendable () -> Void)
  }

  fileprivate struct Timer {
    let due: Duration
    let number: Int
    let action: @Sendable () -> Void
  }

  fileprivate struct State {
    var jobs: [Job] = []
    var timers: [Timer] = []
    var lastTimer = 0
    var now = Duration.zero
    var steps = 0
    var random: SeededGenerator
    var trace: Trace
    var problems: [String] = []
    var watch: (@Sendable (Moment) -> Void)?
  }

  /// When the watcher of a simulation is asked to look.
  enum Moment: Sendable, Equatable {
    /// After this many jobs.
    case step(Int)
    /// Nothing but time can bring anything about.
    case idle
  }

  private let state: Locked<State>
  private let thread = pthread_self()

  /// An executor for the calling thread.
  init(seed: UInt64, keepsNotes: Bool = false) {
    state = Locked(
      State(random: SeededGenerator(seed: seed), trace: Trace(keepsNotes: keepsNotes)))
  }

  /// Called by Swift's runtime.
  func enqueue(_ job: consuming ExecutorJob) {
    add(.task(UnownedJob(job)))
  }

  /// Puts a job into the bag.
  func add(_ job: Job) {
    checkThread("a job was handed over")
    state.withLock { $0.jobs.append(job) }
  }

  /// Calls `action` when `due` has come; the number cancels it.
  @discardableResult
  func schedule(at due: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastTimer += 1
      state.timers.append(Timer(due: due, number: state.lastTimer, action: action))
      return state.lastTimer
    }
  }

  /// Whether the timer was still to come.
  func cancelTimer(_ number: Int) -> Bool {
    state.withLock { state in
      guard let place = state.timers.firstIndex(where: { $0.number == number }) else {
        return false
      }
      state.timers.remove(at: place)
      return true
    }
  }

  var now: Duration { state.withLock { $0.now } }
  /// How many jobs have run.
  var steps: Int { state.withLock { $0.steps } }
  var digest: UInt64 { state.withLock { $0.trace.digest } }
  var notes: [String] { state.withLock { $0.trace.notes } }
  /// What went wrong so far, each with its step.
  var problems: [String] { state.withLock { $0.problems } }

  /// Is called after each step, and before time jumps.
  func watch(_ body: (@Sendable (Moment) -> Void)?) { state.withLock { $0.watch = body } }

  /// Mixes something that happened into the digest.
  func note(_ text: String, _ detail: () -> String = { "" }) {
    checkThread("something happened")
    state.withLock { $0.trace.note(text, detail, step: $0.steps) }
  }

  /// Something is not as it must be.
  func fail(_ problem: String) {
    state.withLock { state in
      state.trace.note("PROBLEM: \(problem)", { "" }, step: state.steps)
      if state.problems.count < 10 { state.problems.append("step \(state.steps): \(problem)") }
    }
  }

  private func checkThread(_ what: String) {
    if pthread_equal(thread, pthread_self()) == 0 {
      fail("\(what) off the simulation's thread: a task escaped")
    }
  }
}

extension SeededExecutor {
  /// Runs `body` as a task until it has ended, then what it left behind.
  ///
  /// - Parameter limit: The most steps; more are a problem of their own.
  func run(limit: Int = 2_000_000, _ body: @escaping @Sendable () async -> Void) {
    let isOver = Locked(false)
    EscapeWatch.watching(self) {
      Task(executorPreference: self) {
        await body()
        isOver.withLock { $0 = true }
      }
      while !isOver.withLock({ $0 }) {
        guard steps < limit else { return fail("no end after \(limit) steps") }
        guard step() else {
          return fail(
            "nothing is left to do, and the run isn't over: somebody waits for ever, "
              + "or outside of the seeded executor")
        }
      }
      watch(nil)
      while step() {}
    }
  }

  /// Runs one job, or lets time jump; `false` when there is neither a job nor a timer.
  private func step() -> Bool {
    let (job, watch) = state.withLock { ($0.draw(), $0.watch) }
    switch job {
    case .task(let job): job.runSynchronously(on: asUnownedTaskExecutor())
    case .actor(let job, let actor): job.runSynchronously(on: actor.asUnownedSerialExecutor())
    case .work(let work): work()
    case nil:
      watch?(.idle)
      guard let action = state.withLock({ $0.nextTimer() }) else {
        return state.withLock { !$0.jobs.isEmpty }
      }
      action()
    }
    watch?(.step(steps))
    return true
  }
}

extension SeededExecutor.State {
  /// A job at random; `nil` when it is time for a timer.
  fileprivate mutating func draw() -> SeededExecutor.Job? {
    guard !jobs.isEmpty else { return nil }
    if !timers.isEmpty, random.oneIn(200) { return nextTimer().map { .work($0) } }
    steps += 1
    let place = jobs.count == 1 ? 0 : Int(random.next() % UInt64(jobs.count))
    trace.mix(jobs.count << 16 | place)
    jobs.swapAt(place, jobs.count - 1)
    return jobs.removeLast()
  }

  /// Moves the time to the earliest timer and takes it.
  fileprivate mutating func nextTimer() -> (@Sendable () -> Void)? {
    guard
      let place = timers.indices.min(by: {
        (timers[$0].due, timers[$0].number) < (timers[$1].due, timers[$1].number)
      })
    else { return nil }
    steps += 1
    let timer = timers.remove(at: place)
    now = max(now, timer.due)
    trace.mix(-timer.number)
    return timer.action
  }
}
