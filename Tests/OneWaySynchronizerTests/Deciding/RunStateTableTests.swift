import XCTest

@testable import OneWaySynchronizer

/// The transitions of `RunState`, a row for every pair of a state and an event.
final class RunStateTableTests: XCTestCase {
  private typealias Action = RunState.Action

  /// The states, each reached by the shortest road to it. Caller 1 waits in all but the first two.
  private enum Start: CaseIterable {
    case idle, windowOpen, starting, running, askedAgain, cancelling, cancellingOwed, ended

    var state: RunState {
      var state = RunState()
      switch self {
      case .idle: break
      case .windowOpen:
        _ = state.requestMade(at: .zero, window: .seconds(2), atMost: .seconds(9))
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
      case .idle: ([.launchOwner], .running(again: false))
      case .windowOpen, .ended: ([.interruptOwner], .running(again: false))
      case .starting: ([], .running(again: false))
      case .running, .askedAgain: ([], .running(again: true))
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([], .cancelling(owed: true))
      }
    }
  }

  func testTheFirstCallerLeaves() {
    expect(.callerLeft(1)) {
      switch $0 {
      case .idle, .windowOpen, .ended: ([], .idle)
      case .starting, .running: ([.interruptOwner], .cancelling(owed: false))
      case .askedAgain: ([.resume([1], .left)], .running(again: true))
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([.resume([1], .left)], .cancelling(owed: true))
      }
    }
  }

  func testARequestIsMade() {
    expect(.requestMade) {
      switch $0 {
      case .idle: ([.launchOwner], .idle)
      case .windowOpen, .ended: ([], .idle)
      case .starting, .running: ([], .running(again: false))
      case .askedAgain: ([], .running(again: true))
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
      case .starting, .running: ([.interruptOwner], .cancelling(owed: false))
      case .askedAgain: ([.interruptOwner], .cancelling(owed: true))
      case .cancelling: ([], .cancelling(owed: false))
      case .cancellingOwed: ([], .cancelling(owed: true))
      }
    }
  }

  func testTheOwnerIsFreeBeforeTheWindowCloses() {
    expectStep(of: .ownerIsFree(at: .seconds(1))) {
      switch $0 {
      case .idle, .ended: (.retire, .idle)
      case .windowOpen: (.sleep(until: .seconds(2)), .idle)
      case .starting: (.runPass(first: true), .running(again: false))
      case .running, .askedAgain, .cancelling, .cancellingOwed: nil  // the owner is at work
      }
    }
  }

  func testTheOwnerIsFreeWhenTheWindowCloses() {
    var state = Start.windowOpen.state
    XCTAssertEqual(state.ownerIsFree(at: .seconds(2)), .runPass(first: true))
    XCTAssertEqual(state.phase, .running(again: false))
    XCTAssertTrue(state.isRequested)
    XCTAssertNil(state.window)
  }

  func testAPassEnds() {
    let told: (PassOutcome, [RunState.CallerID]) -> RunState.OwnerStep = { outcome, callers in
      .endRun([.resume(callers, .result(outcome)), .announceEnd(outcome)])
    }
    for outcome in [PassOutcome.failed, .succeeded, .removalRefused(count: 3, of: 4)] {
      expectStep(of: .passEnded(outcome)) {
        switch $0 {
        case .idle, .windowOpen, .starting, .ended: nil  // no pass is under way
        case .running: (told(outcome, [1]), .idle)
        case .askedAgain: (.runPass(first: false), .running(again: false))
        case .cancelling:
          (told(outcome == .succeeded ? .succeeded : .cancelled, [1]), .idle)
        case .cancellingOwed: (told(.cancelled, [1, 2]), .idle)
        }
      }
    }
  }

  func testACallerWhoWasCancelledBeforeItsCallArrivedStartsNothing() {
    for start in Start.allCases {
      var state = start.state
      let before = state
      XCTAssertEqual(state.callerLeft(7), [])
      XCTAssertEqual(state.callerArrived(7), [.resume([7], .left)])
      XCTAssertEqual(state, before, "\(start)")
    }
  }

  func testWhoCalledWhileACancelledRunWindsDownOpensTheNext() {
    var state = Start.cancelling.state
    XCTAssertEqual(state.callerArrived(8), [])
    XCTAssertEqual(
      state.passEnded(.cancelled, at: .zero),
      .endRun([.resume([1], .result(.cancelled)), .announceEnd(.cancelled)]))
    XCTAssertFalse(state.isSyncing)
    XCTAssertEqual(state.ownerIsFree(at: .zero), .runPass(first: true))
    XCTAssertEqual(state.callers, [8])
  }

  func testWhoCallsBetweenTwoRunsStandsBehindThoseWhoWait() {
    var state = Start.cancelling.state
    _ = state.callerArrived(8)
    _ = state.passEnded(.cancelled, at: .zero)
    XCTAssertEqual(state.callerArrived(9), [.interruptOwner])
    XCTAssertEqual(state.callers, [8, 9])
  }

  func testASecondCancelAlsoDropsTheNextRun() {
    var state = Start.cancelling.state
    _ = state.callerArrived(8)
    XCTAssertEqual(state.cancelCalled(), [.resume([8], .cancelledBeforeItBegan)])
    _ = state.passEnded(.cancelled, at: .zero)
    XCTAssertEqual(state.ownerIsFree(at: .zero), .retire)
  }

  private enum Event {
    case callerArrived(UInt64), callerLeft(UInt64), requestMade, cancelCalled
  }

  private enum OwnerEvent {
    case ownerIsFree(at: Duration), passEnded(PassOutcome)
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
        case .requestMade:
          state.requestMade(at: .seconds(1), window: .seconds(2), atMost: .seconds(9))
        case .cancelCalled: state.cancelCalled()
        }
      XCTAssertEqual(actions, row(start).0, "\(event) in \(start)", line: line)
      XCTAssertEqual(state.phase, row(start).1, "\(event) in \(start)", line: line)
    }
  }

  private func expectStep(
    of event: OwnerEvent, _ row: (Start) -> (RunState.OwnerStep, RunState.Phase)?,
    line: UInt = #line
  ) {
    for start in Start.allCases {
      guard let (step, phase) = row(start) else { continue }
      var state = start.state
      let answer =
        switch event {
        case .ownerIsFree(let now): state.ownerIsFree(at: now)
        case .passEnded(let outcome): state.passEnded(outcome, at: .seconds(1))
        }
      XCTAssertEqual(answer, step, "\(event) in \(start)", line: line)
      XCTAssertEqual(state.phase, phase, "\(event) in \(start)", line: line)
    }
  }
}
