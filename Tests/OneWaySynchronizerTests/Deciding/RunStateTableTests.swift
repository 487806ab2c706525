@testable import SyncEngine
@testable import OneWaySynchronizer
import XCTest

/// The transitions of `RunState`, a row for every pair of a state and an event.
final class RunStateTableTests: XCTestCase {
  private typealias Action = RunState.Action
  private typealias Start = RunStateStart

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
      case .stuck: ([.resume([7], .stuck)], .running)
      case .draining: ([], .draining(owed: false))
      case .drainingOwed: ([], .draining(owed: true))
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
      case .stuck: ([], .running)
      case .draining: ([.resume([1], .left)], .draining(owed: false))
      case .drainingOwed: ([.resume([1], .left)], .draining(owed: true))
      }
    }
  }

  func testARequestIsMade() {
    expect(.requestMade) {
      switch $0 {
      case .idle: ([.launchOwner], .idle)
      case .windowOpen, .planWaits, .ended: ([], .idle)
      case .planning: ([], .planning(1))
      case .starting, .running, .askedAgain, .stuck: ([], .running)
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([], .cancelling(owed: true))
      case .draining: ([], .draining(owed: false))
      case .drainingOwed: ([], .draining(owed: true))
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
      case .starting, .running, .stuck: ([.interruptOwner], .cancelling(owed: false))
      case .askedAgain: ([.interruptOwner], .cancelling(owed: true))
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([], .cancelling(owed: true))
      case .draining: ([.interruptOwner], .cancelling(owed: false))
      case .drainingOwed: ([.interruptOwner], .cancelling(owed: true))
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
      case .stuck: ([.resume([7], .stuck)], .running)
      case .draining: ([], .draining(owed: false))
      case .drainingOwed: ([], .draining(owed: true))
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
        case .planning, .running, .askedAgain, .cancelling, .cancellingOwed, .stuck,
          .draining, .drainingOwed:
          nil  // it's at work
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
    let drained: (PassOutcome, [RunState.CallerID]) -> [Action] = { outcome, callers in
      [
        .resume(callers, .result(outcome)), .resume([9], .drained), .announceEnd(outcome),
      ]
    }
    for outcome in [PassOutcome.failed, .succeeded, .removalRefused(count: 3, of: 4)] {
      expectStep(
        when: { $0.passEnded(outcome, at: .seconds(1)) },
        {
          switch $0 {
          case .idle, .windowOpen, .planWaits, .planning, .starting, .ended: nil  // no pass
          case .stuck: ([.announceEnd(outcome)], .askAgain, .idle)
          case .running: (told(outcome, [1]), .askAgain, .idle)
          case .askedAgain:
            ([.resume([1], .result(outcome))], .runPass(first: false), .running)
          case .cancelling:
            (told(outcome == .succeeded ? .succeeded : .cancelled, [1]), .askAgain, .idle)
          case .cancellingOwed: (told(.cancelled, [1, 2]), .askAgain, .idle)
          case .draining:
            (drained(outcome == .succeeded ? .succeeded : .cancelled, [1]), .askAgain, .idle)
          case .drainingOwed: (drained(.cancelled, [1, 2]), .askAgain, .idle)
          }
        })
    }
  }

  func testACallIsStuck() {
    expect(.callIsStuck) {
      switch $0 {
      case .idle, .windowOpen, .planWaits, .starting, .ended: nil  // no call is under way
      case .planning: ([.resume([1], .stuck)], .planning(nil))
      case .running: ([.resume([1], .stuck)], .running)
      case .askedAgain: ([.resume([1, 2], .stuck)], .running)
      case .cancelling: ([.resume([1], .stuck)], .cancelling(owed: false))
      case .cancellingOwed: ([.resume([1, 2], .stuck)], .cancelling(owed: true))
      case .stuck: ([], .running)
      case .draining: ([.resume([1, 9], .stuck)], .draining(owed: false))
      case .drainingOwed: ([.resume([1, 2, 9], .stuck)], .draining(owed: true))
      }
    }
  }

  func testDrainIsCalled() {
    expect(.drainCalled(7)) {
      switch $0 {
      case .idle, .ended: ([.resume([7], .drained)], .idle)
      case .windowOpen: ([.interruptOwner, .resume([7], .drained)], .idle)
      case .planWaits:
        ([.resume([1], .cancelledBeforeItBegan), .resume([7], .drained)], .idle)
      case .planning: ([.drainOwner], .planning(1))
      case .starting, .running: ([.drainOwner], .draining(owed: false))
      case .askedAgain: ([.drainOwner], .draining(owed: true))
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([], .cancelling(owed: true))
      case .stuck: ([.drainOwner, .resume([7], .stuck)], .draining(owed: false))
      case .draining: ([], .draining(owed: false))
      case .drainingOwed: ([], .draining(owed: true))
      }
    }
  }

  private enum Event {
    case callerArrived(UInt64), callerLeft(UInt64), planArrived(UInt64), requestMade, cancelCalled,
      callIsStuck, drainCalled(UInt64)
  }

  private func expect(
    _ event: Event, _ row: (Start) -> ([Action], RunState.Phase)?, line: UInt = #line
  ) {
    for start in Start.allCases {
      guard let row = row(start) else { continue }
      var state = start.state
      let actions =
        switch event {
        case .callerArrived(let id): state.callerArrived(id)
        case .callerLeft(let id): state.callerLeft(id)
        case .planArrived(let id): state.planArrived(id)
        case .requestMade:
          state.requestMade(at: .seconds(1), window: .seconds(2), atMost: .seconds(9))
        case .cancelCalled: state.cancelCalled()
        case .callIsStuck: state.callIsStuck()
        case .drainCalled(let id): state.drainCalled(id)
        }
      XCTAssertEqual(actions, row.0, "\(event) in \(start)", line: line)
      XCTAssertEqual(state.phase, row.1, "\(event) in \(start)", line: line)
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
