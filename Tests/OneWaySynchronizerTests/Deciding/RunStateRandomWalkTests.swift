@testable import SyncEngine
@testable import OneWaySynchronizer
import TestSupport
import XCTest

/// A seeded walk over `RunState` with a performer that only keeps books.
final class RunStateRandomWalkTests: XCTestCase {
  func testEveryCallerIsToldOnceAndOfTheFirstPassThatBeganAfterItsCall() {
    for seed in 1...2_000 {
      var walk = Walk(seed: UInt64(seed))
      for _ in 0..<60 { walk.step() }
      walk.finish()
      XCTAssertEqual(walk.violations, [], "seed \(seed)")
    }
  }
}

private struct Walk {
  private(set) var violations: [String] = []
  private var random: SeededGenerator
  private var state: RunState
  private var now = Duration.zero
  private var nextCaller: UInt64 = 0
  private var ownerAtWork: OwnerWork?
  private var passesBegun = 0
  /// How many passes had begun when a caller called.
  private var arrivals: [UInt64: Int] = [:]
  private var waiting: Set<UInt64> = []
  private var planners: Set<UInt64> = []
  private var drainers: Set<UInt64> = []

  private enum OwnerWork { case free, pass(begins: Bool), plan(UInt64), sleeping(until: Duration) }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    state = RunState(runsUntilQuiet: seed.isMultiple(of: 4))
  }

  mutating func step() {
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: arrive()
    case 2: if let id = waiting.sorted().randomElement(using: &random) { leave(id) }
    case 3: perform(state.requestMade(at: now, window: .seconds(2), atMost: .seconds(5)))
    case 4: perform(state.cancelCalled())
    case 5: now += .milliseconds(Int.random(in: 0...3_000, using: &random))
    case 6: askForPlan()
    case 7: beStuckOrReturn()
    case 8: if Int.random(in: 0..<3, using: &random) == 0 { drain() }
    default: advanceOwner()
    }
    check(state.hasOwner == (ownerAtWork != nil), "the owner exists exactly when it is launched")
    var known = state.waiting
    if case .planning(let id?) = state.phase { known.append(id) }
    check(!state.isStuck || known.isEmpty, "nobody waits for a call that is stuck")
    check(Set(known).count == known.count, "a caller waits for one thing")
    check(Set(known) == waiting, "who waits is known, and nobody else")
  }

  mutating func finish() {
    for _ in 0..<40 where ownerAtWork != nil {
      now += .seconds(10)
      advanceOwner()
    }
    check(waiting.isEmpty, "callers \(waiting.sorted()) were never told")
    check(!state.isSyncing && ownerAtWork == nil, "the machine came to rest")
  }

  private mutating func arrive() {
    nextCaller += 1
    if Int.random(in: 0..<8, using: &random) == 0 {
      let before = state
      perform(state.callerLeft(nextCaller))
      check(state == before, "nothing is remembered of a caller that hasn't arrived")
    }
    arrivals[nextCaller] = passesBegun
    waiting.insert(nextCaller)
    perform(state.callerArrived(nextCaller))
  }

  private mutating func askForPlan() {
    nextCaller += 1
    waiting.insert(nextCaller)
    planners.insert(nextCaller)
    perform(state.planArrived(nextCaller))
  }

  private mutating func drain() {
    nextCaller += 1
    waiting.insert(nextCaller)
    drainers.insert(nextCaller)
    perform(state.drainCalled(nextCaller))
  }

  /// A call of the pass or plan under way is stuck, or one that was returns.
  private mutating func beStuckOrReturn() {
    switch ownerAtWork {
    case nil, .free, .sleeping: return
    case .pass(let begins) where !begins: return
    case .pass, .plan: break
    }
    if state.isStuck, Bool.random(using: &random) {
      state.stuckCallReturned()
    } else {
      perform(state.callIsStuck())
    }
  }

  private mutating func leave(_ id: UInt64) { perform(state.callerLeft(id)) }

  private mutating func advanceOwner() {
    while state.isStuck { state.stuckCallReturned() }
    switch ownerAtWork {
    case nil: break
    case .free: take(state.ownerIsFree(at: now))
    case .sleeping(let deadline): if deadline <= now { take(state.ownerIsFree(at: now)) }
    case .plan(let id):
      ownerAtWork = .free
      let waits = state.phase == .planning(id) && state.leaving != id
      let actions = state.planEnded()
      if waits { check(waiting.remove(id) != nil, "planner \(id) was told twice") }
      perform(actions)
    case .pass(let begins):
      let outcomes: [PassOutcome] = begins ? [.succeeded, .failed, .cancelled] : [.cancelled]
      let outcome = outcomes.randomElement(using: &random) ?? .failed
      let (actions, step) = state.passEnded(outcome, at: now)
      perform(actions)
      take(step)
    }
  }

  private mutating func take(_ step: RunState.OwnerStep) {
    switch step {
    case .runPass:
      let begins = !state.isCancelling  // else nothing of it is called
      if begins { passesBegun += 1 }
      ownerAtWork = .pass(begins: begins)
    case .makePlan(let id):
      check(planners.contains(id), "a plan for \(id), who wants none")
      ownerAtWork = .plan(id)
    case .sleep(let deadline): ownerAtWork = .sleeping(until: deadline)
    case .askAgain: ownerAtWork = .free
    case .retire: ownerAtWork = nil
    }
  }

  private mutating func perform(_ actions: [RunState.Action]) {
    for action in actions {
      switch action {
      case .launchOwner:
        check(ownerAtWork == nil, "two owners")
        ownerAtWork = .free
      case .drainOwner: check(state.isCancelling || isPlanning, "only what is under way is drained")
      case .interruptOwner:
        if case .sleeping = ownerAtWork { ownerAtWork = .free }
      case .announceEnd:
        check(!state.isSyncing, "the end is announced when the state is idle")
      case .resume(let callers, let ending):
        for caller in callers { told(caller, ending) }
      }
    }
  }

  private mutating func told(_ caller: UInt64, _ ending: RunState.Ending) {
    check(waiting.remove(caller) != nil, "caller \(caller) was told twice")
    check(ending != .drained || drainers.contains(caller), "\(caller) drained nothing")
    if ending == .drained { check(!state.isSyncing && !isPlanning, "something is under way") }
    check(ending != .stuck || state.isStuck, "caller \(caller) was told that a call is stuck")
    guard case .result(let outcome) = ending, outcome != .cancelled else { return }
    check(!planners.contains(caller), "planner \(caller) was told a sync's result")
    let seen = arrivals[caller] ?? .max
    check(seen < passesBegun, "caller \(caller) got the result of a pass that began before")
    if !state.runsUntilQuiet {
      check(seen + 1 == passesBegun, "caller \(caller) wasn't told of the first pass that was its")
    }
  }

  private var isPlanning: Bool {
    if case .planning = state.phase { true } else { false }
  }

  private mutating func check(_ holds: Bool, _ claim: String) {
    if !holds { violations.append(claim) }
  }
}
