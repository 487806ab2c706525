import OneWaySynchronizer
import SyncLock

/// Keeps the books of a simulated engine: every call of user code is held against the contract
/// when it begins, and every caller's answer when it comes.
final class EngineBook: Sendable {
  private struct State {
    /// Counts what happens, so that it can be told what came first.
    var events = 0
    var open: PassNote?
    var passes: [PassNote] = []
    var lastAsk = 0
    var lastCancel = -1
    /// The last time that anybody cancelled anything.
    var lastDisturbance = -1
    var lastPassEnd = 0
    var options: [SyncOptions] = [SyncOptions()]
    var isClosed = false
    var sought: Set<Int> = []
  }

  private let world: World
  private let state = Locked(State())

  init(_ world: World) {
    self.world = world
  }

  private func change<Value>(_ body: (inout State) -> sending Value) -> sending Value {
    state.withLock { state in
      state.events += 1
      return body(&state)
    }
  }

  var passes: [PassNote] { state.withLock { $0.passes } }

  /// From now on no user code may be called.
  func close() {
    change { state in
      state.isClosed = true
      world.expect(state.open == nil, "a pass is open at the end")
    }
  }

  /// Somebody set the options.
  func optionsChanged(to options: SyncOptions) { change { $0.options.append(options) } }

  /// `sync()` or `requestSync()` is about to be called; its place among the events.
  func asks() -> Int {
    change { state in
      state.lastAsk = state.events
      return state.events
    }
  }

  /// `ensure(_:)` of this key is about to be called.
  func seeks(_ key: Int) {
    change { state in
      state.lastAsk = state.events
      state.sought.insert(key)
    }
  }

  /// `cancel()` has returned.
  func cancelReturned() {
    change { state in
      (state.lastCancel, state.lastDisturbance) = (state.events, state.events)
      state.open?.wasCancelled = true
    }
  }

  /// The task of a caller is about to be cancelled.
  func callerIsCancelled() { change { $0.lastDisturbance = $0.events } }

  /// Changes what is known of the pass under way.
  func note(_ body: (inout PassNote) -> Void) {
    change { state in
      guard var pass = state.open else { return }
      body(&pass)
      state.open = pass
    }
  }
}

/// Calls of user code.
extension EngineBook {
  func enter(_ stage: SyncStage, _ key: Int?, isCancelled: Bool) {
    world.note("\(stage) \(key ?? -1)")
    let problems = change { state -> [String] in
      var problems: [String] = []
      if state.isClosed { problems.append("\(stage) is called after the end") }
      var pass = state.open ?? PassNote(opened: state.events, candidates: state.options)
      if state.open == nil {
        if stage != .begin { problems.append("a pass begins with \(stage)") }
        if state.lastCancel > state.lastAsk { problems.append("a pass begins after the cancel") }
      }
      pass.sought = state.sought
      if stage.comesAlways, isCancelled { problems.append("\(stage) runs in a cancelled task") }
      problems += pass.enter(stage, key)
      state.open = pass
      return problems
    }
    for problem in problems { world.fail(problem) }
  }

  func leave(_ stage: SyncStage, _ error: (any Error)?) {
    change { state in
      guard var pass = state.open, let place = pass.active.firstIndex(of: stage) else {
        return world.fail("\(stage) ends outside of its pass")
      }
      pass.active.remove(at: place)
      if let error {
        if !stage.isDownload {
          pass.isBroken = pass.isBroken || !(error is CancellationError)
        } else if !(error is CancellationError) {
          pass.failures += 1
        }
      }
      state.open = pass
    }
  }

  /// The pass is over; called as the last thing that `syncDidEnd` does.
  func passEnded(_ report: PassReport<Int>) {
    world.note("\(report.outcome) \(report.counts)")
    let problems = change { state -> [String] in
      guard var pass = state.open else { return ["a pass ends that didn't begin"] }
      let isDisturbed = state.lastDisturbance >= state.lastPassEnd
      let problems = pass.problems(with: report, isDisturbed: isDisturbed)
      (pass.ended, pass.outcome, pass.counts) = (state.events, report.outcome, report.counts)
      state.passes.append(pass)
      state.open = nil
      state.lastPassEnd = state.events
      state.options = state.options.suffix(1)
      return problems
    }
    for problem in problems { world.fail(problem) }
  }

  /// Time is about to jump.
  func checkIdleness() {
    if let problem = state.withLock({ $0.open?.idleness }) { world.fail(problem) }
  }
}

/// Callers.
extension EngineBook {
  /// A call of `sync()` has its answer, passes that all began after it.
  func answered(since ask: Int, _ passes: [PassReport<Int>]) {
    let isFresh = change { state in
      state.passes.indices.contains { last in
        let first = last - passes.count + 1
        guard first >= 0, state.passes[first].opened >= ask else { return false }
        return zip(state.passes[first...last], passes).allSatisfy {
          $0.outcome == $1.outcome && $0.counts == $1.counts
        }
      }
    }
    world.expect(isFresh && !passes.isEmpty, "a caller got a result from before its call")
  }

  /// A call of `sync()` was told that the run was cancelled.
  func wasCancelled(since ask: Int) {
    let isRight = change { $0.lastDisturbance > ask }
    world.expect(isRight, "a caller was told of a cancel that never was")
  }
}
