import XCTest

@testable import OneWaySynchronizer

/// The transitions of `RunState`, a row for every pair of a state and an event.
final class RunStateTableTests: XCTestCase {
  private typealias Action = RunState.Action

  /// The states, each reached by the shortest road to it. Caller 1 waits in all but the first two
  /// and the last; in the two of plans, it waits for a plan.
  private enum Start: CaseIterable {
    case idle, windowOpen, planWaits, planning, starting, running, askedAgain, cancelling,
      cancellingOwed, ended

    var state: RunState {
      var state = RunState()
      switch self {
      case .idle: break
      case .windowOpen:
        _ = state.requestMade(at: .zero, window: .seconds(2), atMost: .seconds(9))
        _ = state.ownerIsFree(at: .zero)
      case .planWaits:
        _ = state.planArrived(1)
      case .planning:
        state = Start.planWaits.state
        _ = state.ownerIsFree(at: .zero)
      case .starting:
        _ = state.callerArrived(1)
      case .running:
        _ = state.callerArrived(1)
        _ = state.ownerIsFree(at: .zero)
      case .askedAgain:
        state = Start.running.state
        _ = state.callerArrived(2)
      case .cancelling:
        state = Start.running.state
        _ = state.cancelCalled()
      case .cancellingOwed:
        state = Start.askedAgain.state
        _ = state.cancelCalled()
      case .ended:
        state = Start.running.state
        _ = state.passEnded(.succeeded, at: .zero)
      }
      return state
    }
  }

  func testACallerArrives() {
    expect(.callerArrived(7)) {
      switch $0 {
      case .idle: ([.launchOwner], .running)
      case .windowOpen, .ended: ([.interruptOwner], .running)
      case .planWaits: ([.interruptOwner], .idle)
      case .planning: ([], .planning(1))
      case .starting, .running, .askedAgain: ([], .running)
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([], .cancelling(owed: true))
      }
    }
  }

  func testTheFirstCallerLeaves() {
    expect(.callerLeft(1)) {
      switch $0 {
      case .idle, .windowOpen, .ended: ([], .idle)
      case .planWaits: ([.resume([1], .left)], .idle)
      case .planning: ([.interruptOwner], .planning(1))
      case .starting, .running: ([.interruptOwner], .cancelling(owed: false))
      case .askedAgain: ([.resume([1], .left)], .running)
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([.resume([1], .left)], .cancelling(owed: true))
      }
    }
  }

  func testARequestIsMade() {
    expect(.requestMade) {
      switch $0 {
      case .idle: ([.launchOwner], .idle)
      case .windowOpen, .planWaits, .ended: ([], .idle)
      case .planning: ([], .planning(1))
      case .starting, .running, .askedAgain: ([], .running)
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([], .cancelling(owed: true))
      }
    }
  }

  func testCancelIsCalled() {
    expect(.cancelCalled) {
      switch $0 {
      case .idle, .ended: ([], .idle)
      case .windowOpen: ([.interruptOwner], .idle)
      case .planWaits: ([.resume([1], .cancelledBeforeItBegan)], .idle)
      case .planning: ([.interruptOwner], .planning(1))
      case .starting, .running: ([.interruptOwner], .cancelling(owed: false))
      case .askedAgain: ([.interruptOwner], .cancelling(owed: true))
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([], .cancelling(owed: true))
      }
    }
  }

  func testAPlanIsAskedFor() {
    expect(.planArrived(7)) {
      switch $0 {
      case .idle: ([.launchOwner], .idle)
      case .windowOpen, .planWaits, .ended: ([.interruptOwner], .idle)
      case .planning: ([], .planning(1))
      case .starting, .running, .askedAgain: ([], .running)
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([], .cancelling(owed: true))
      }
    }
  }

  func testTheOwnerIsFreeBeforeTheWindowCloses() {
    expectStep(
      when: { ([], $0.ownerIsFree(at: .seconds(1))) },
      {
        switch $0 {
        case .idle, .ended: ([], .retire, .idle)
        case .windowOpen: ([], .sleep(until: .seconds(2)), .idle)
        case .planWaits: ([], .makePlan(1), .planning(1))
        case .starting: ([], .runPass(first: true), .running)
        case .planning, .running, .askedAgain, .cancelling, .cancellingOwed: nil  // it's at work
        }
      })
  }

  func testTheOwnerIsFreeWhenTheWindowCloses() {
    var state = Start.windowOpen.state
    XCTAssertEqual(state.ownerIsFree(at: .seconds(2)), .runPass(first: true))
    XCTAssertEqual(state.phase, .running)
    XCTAssertTrue(state.present.isRequested)
    XCTAssertNil(state.window)
  }

  func testAPassEnds() {
    let told: (PassOutcome, [RunState.CallerID]) -> [Action] = { outcome, callers in
      [.resume(callers, .result(outcome)), .announceEnd(outcome)]
    }
    for outcome in [PassOutcome.failed, .succeeded, .removalRefused(count: 3, of: 4)] {
      expectStep(
        when: { $0.passEnded(outcome, at: .seconds(1)) },
        {
          switch $0 {
          case .idle, .windowOpen, .planWaits, .planning, .starting, .ended: nil  // no pass
          case .running: (told(outcome, [1]), .askAgain, .idle)
          case .askedAgain:
            ([.resume([1], .result(outcome))], .runPass(first: false), .running)
          case .cancelling:
            (told(outcome == .succeeded ? .succeeded : .cancelled, [1]), .askAgain, .idle)
          case .cancellingOwed: (told(.cancelled, [1, 2]), .askAgain, .idle)
          }
        })
    }
  }

  func testRunningUntilQuietEverybodyIsToldAtTheEnd() {
    var state = RunState(runsUntilQuiet: true)
    _ = state.callerArrived(1)
    _ = state.ownerIsFree(at: .zero)
    _ = state.callerArrived(2)
    let (none, step) = state.passEnded(.failed, at: .zero)
    XCTAssertEqual(none, [])
    XCTAssertEqual(step, .runPass(first: false))
    let (actions, last) = state.passEnded(.succeeded, at: .zero)
    XCTAssertEqual(actions, [.resume([1, 2], .result(.succeeded)), .announceEnd(.succeeded)])
    XCTAssertEqual(last, .askAgain)
  }

  func testAnOwedPassThatNobodyWantsAnyMoreIsDropped() {
    var state = Start.askedAgain.state
    XCTAssertEqual(state.callerLeft(2), [.resume([2], .left)])
    let (actions, step) = state.passEnded(.succeeded, at: .zero)
    XCTAssertEqual(actions, [.resume([1], .result(.succeeded)), .announceEnd(.succeeded)])
    XCTAssertEqual(step, .askAgain)
  }

  func testAPassThatNobodyWaitsForAnyMoreFinishesForTheOneAfterIt() {
    var state = Start.askedAgain.state
    _ = state.callerLeft(1)
    XCTAssertEqual(state.phase, .running)
    let (actions, step) = state.passEnded(.succeeded, at: .zero)
    XCTAssertEqual(actions, [])
    XCTAssertEqual(step, .runPass(first: false))
    XCTAssertEqual(state.present.callers, [2])
  }

  func testTheLastOfARunIsItsLastWhicheverPassItWaitsFor() {
    var state = Start.askedAgain.state
    _ = state.callerLeft(1)
    XCTAssertEqual(state.callerLeft(2), [.interruptOwner])
    XCTAssertEqual(state.phase, .cancelling(owed: true))
    let (actions, _) = state.passEnded(.succeeded, at: .zero)
    XCTAssertEqual(actions, [.resume([2], .left), .announceEnd(.cancelled)])
  }

  func testAPlanComesBetweenTwoPassesAndARunAfterIt() {
    var state = Start.askedAgain.state
    XCTAssertEqual(state.planArrived(5), [])
    let (actions, step) = state.passEnded(.succeeded, at: .zero)
    XCTAssertEqual(actions, [.resume([1], .result(.succeeded)), .announceEnd(.succeeded)])
    XCTAssertEqual(step, .askAgain)
    XCTAssertEqual(state.ownerIsFree(at: .zero), .makePlan(5))
    _ = state.planArrived(6)
    XCTAssertFalse(state.isSyncing)
    XCTAssertEqual(state.planEnded(), [])
    XCTAssertEqual(state.ownerIsFree(at: .zero), .runPass(first: true), "a run goes before a plan")
    XCTAssertEqual(state.present.callers, [2])
  }

  func testWhoLeavesAPlanIsToldWhenItHasEnded() {
    var state = Start.planning.state
    _ = state.callerLeft(1)
    XCTAssertEqual(state.planEnded(), [.resume([1], .left)])
    XCTAssertEqual(state.ownerIsFree(at: .zero), .retire)
  }

  func testASeekerWaitsForThePassUnderWay() {
    var state = Start.running.state
    XCTAssertEqual(state.seekerJoined(7), [])
    XCTAssertEqual(state.present.callers, [1, 7])
    state.seekerPutOff(7)
    XCTAssertEqual(state.owed.callers, [7])
    XCTAssertEqual(state.passEnded(.succeeded, at: .zero).1, .runPass(first: false))
  }

  func testACallerWhoWasCancelledBeforeItsCallArrivedStartsNothing() {
    for start in Start.allCases {
      var state = start.state
      let before = state
      XCTAssertEqual(state.callerLeft(7), [])
      XCTAssertEqual(state.callerArrived(7), [.resume([7], .left)])
      XCTAssertEqual(state.callerLeft(8), [])
      XCTAssertEqual(state.planArrived(8), [.resume([8], .left)])
      XCTAssertEqual(state.callerLeft(9), [])
      XCTAssertEqual(state.seekerJoined(9), [.resume([9], .left)])
      XCTAssertEqual(state, before, "\(start)")
    }
  }

  func testWhoCalledWhileACancelledRunWindsDownOpensTheNext() {
    var state = Start.cancelling.state
    XCTAssertEqual(state.callerArrived(8), [])
    let (actions, _) = state.passEnded(.cancelled, at: .zero)
    XCTAssertEqual(actions, [.resume([1], .result(.cancelled)), .announceEnd(.cancelled)])
    XCTAssertFalse(state.isSyncing)
    XCTAssertEqual(state.ownerIsFree(at: .zero), .runPass(first: true))
    XCTAssertEqual(state.present.callers, [8])
  }

  func testWhoCallsBetweenTwoRunsStandsBehindThoseWhoWait() {
    var state = Start.cancelling.state
    _ = state.callerArrived(8)
    _ = state.passEnded(.cancelled, at: .zero)
    XCTAssertEqual(state.callerArrived(9), [.interruptOwner])
    XCTAssertEqual(state.present.callers, [8, 9])
  }

  func testASecondCancelAlsoDropsTheNextRun() {
    var state = Start.cancelling.state
    _ = state.callerArrived(8)
    XCTAssertEqual(state.cancelCalled(), [.resume([8], .cancelledBeforeItBegan)])
    _ = state.passEnded(.cancelled, at: .zero)
    XCTAssertEqual(state.ownerIsFree(at: .zero), .retire)
  }

  private enum Event {
    case callerArrived(UInt64), callerLeft(UInt64), planArrived(UInt64), requestMade, cancelCalled
  }

  private func expect(
    _ event: Event, _ row: (Start) -> ([Action], RunState.Phase), line: UInt = #line
  ) {
    for start in Start.allCases {
      var state = start.state
      let actions =
        switch event {
        case .callerArrived(let id): state.callerArrived(id)
        case .callerLeft(let id): state.callerLeft(id)
        case .planArrived(let id): state.planArrived(id)
        case .requestMade:
          state.requestMade(at: .seconds(1), window: .seconds(2), atMost: .seconds(9))
        case .cancelCalled: state.cancelCalled()
        }
      XCTAssertEqual(actions, row(start).0, "\(event) in \(start)", line: line)
      XCTAssertEqual(state.phase, row(start).1, "\(event) in \(start)", line: line)
    }
  }

  private func expectStep(
    when event: (inout RunState) -> ([Action], RunState.OwnerStep),
    _ row: (Start) -> ([Action], RunState.OwnerStep, RunState.Phase)?, line: UInt = #line
  ) {
    for start in Start.allCases {
      guard let (actions, step, phase) = row(start) else { continue }
      var state = start.state
      let answer = event(&state)
      XCTAssertEqual(answer.0, actions, "\(start)", line: line)
      XCTAssertEqual(answer.1, step, "\(start)", line: line)
      XCTAssertEqual(state.phase, phase, "\(start)", line: line)
    }
  }
}
