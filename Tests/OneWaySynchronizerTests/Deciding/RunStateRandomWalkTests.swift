import TestSupport
import XCTest

@testable import OneWaySynchronizer

/// A seeded walk over `RunState` with a performer that only keeps books.
final class RunStateRandomWalkTests: XCTestCase {
  func testEveryCallerIsToldOnceAndNeverOfAPassThatBeganBeforeItsCall() {
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
  private var state = RunState()
  private var now = Duration.zero
  private var nextCaller: UInt64 = 0
  private var ownerAtWork: OwnerWork?
  private var passesBegun = 0
  /// How many passes had begun when a caller called.
  private var arrivals: [UInt64: Int] = [:]
  private var waiting: Set<UInt64> = []

  private enum OwnerWork { case free, pass, sleeping(until: Duration) }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func step() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: arrive()
    case 2: if let id = waiting.sorted().randomElement(using: &random) { leave(id) }
    case 3: perform(state.requestMade(at: now, window: .seconds(2), atMost: .seconds(5)))
    case 4: perform(state.cancelCalled())
    case 5: now += .milliseconds(Int.random(in: 0...3_000, using: &random))
    default: advanceOwner()
    }
    check(state.hasOwner == (ownerAtWork != nil), "the owner exists exactly when it is launched")
    check(Set(state.callers).isDisjoint(with: state.nextCallers), "a caller waits for one run")
    check(
      Set(state.callers + state.nextCallers) == waiting, "who waits is known, and nobody else")
  }

  mutating func finish() {
    for _ in 0..<20 where ownerAtWork != nil {
      now += .seconds(10)
      advanceOwner()
    }
    check(waiting.isEmpty, "callers \(waiting.sorted()) were never told")
    check(!state.isSyncing && ownerAtWork == nil, "the machine came to rest")
    check(state.absent.isEmpty, "nothing is remembered of calls that are over")
  }

  private mutating func arrive() {
    nextCaller += 1
    let leavesFirst = Int.random(in: 0..<8, using: &random) == 0
    if leavesFirst { perform(state.callerLeft(nextCaller)) }
    arrivals[nextCaller] = passesBegun
    waiting.insert(nextCaller)
    perform(state.callerArrived(nextCaller))
    state.callerIsGone(nextCaller)
  }

  private mutating func leave(_ id: UInt64) {
    perform(state.callerLeft(id))
  }

  private mutating func advanceOwner() {
    switch ownerAtWork {
    case nil: break
    case .free: take(state.ownerIsFree(at: now))
    case .sleeping(let deadline): if deadline <= now { take(state.ownerIsFree(at: now)) }
    case .pass:
      let outcomes: [PassOutcome] = [.succeeded, .failed, .cancelled]
      take(state.passEnded(outcomes.randomElement(using: &random) ?? .failed, at: now))
    }
  }

  private mutating func take(_ step: RunState.OwnerStep) {
    switch step {
    case .runPass:
      passesBegun += 1
      ownerAtWork = .pass
    case .sleep(let deadline): ownerAtWork = .sleeping(until: deadline)
    case .endRun(let actions):
      ownerAtWork = .free
      perform(actions)
    case .retire: ownerAtWork = nil
    }
  }

  private mutating func perform(_ actions: [RunState.Action]) {
    for action in actions {
      switch action {
      case .launchOwner:
        check(ownerAtWork == nil, "two owners")
        ownerAtWork = .free
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
    guard case .result(let outcome) = ending, outcome != .cancelled else { return }
    let seen = arrivals[caller] ?? .max
    check(seen < passesBegun, "caller \(caller) got the result of a pass that began before")
  }

  private mutating func check(_ holds: Bool, _ claim: String) {
    if !holds { violations.append(claim) }
  }
}
