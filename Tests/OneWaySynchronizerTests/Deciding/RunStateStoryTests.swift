@testable import SyncEngine
@testable import OneWaySynchronizer
import XCTest

/// Ways through `RunState` that are longer than one event.
final class RunStateStoryTests: XCTestCase {
  private typealias Start = RunStateStart

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
    XCTAssertEqual(state.callerJoined(7), [])
    XCTAssertEqual(state.present.callers, [1, 7])
    state.seekerPutOff(7)
    XCTAssertEqual(state.owed.callers, [7])
    XCTAssertEqual(state.passEnded(.succeeded, at: .zero).1, .runPass(first: false))
  }

  func testNothingIsRememberedOfACallerThatLeavesAndIsNotThere() {
    for start in Start.allCases {
      var state = start.state
      XCTAssertEqual(state.callerLeft(7), [])
      XCTAssertEqual(state, start.state, "\(start)")
    }
  }

  func testASeekerThatWasToldWaitsNoMore() {
    var state = Start.running.state
    _ = state.callerJoined(7)
    state.seekerWasTold(7)
    XCTAssertEqual(state, Start.running.state)
    XCTAssertEqual(state.callerLeft(7), [], "its leaving doesn't cancel the run of others")
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

  func testThoseWhoLeaveDontChangeTheOrderOfTheOthers() {
    var state = RunState()
    for id in 1...9 { _ = state.callerArrived(RunState.CallerID(id)) }
    _ = state.ownerIsFree(at: .zero)
    for id in 11...19 { _ = state.callerArrived(RunState.CallerID(id)) }
    for id: RunState.CallerID in [5, 1, 9, 14] {
      XCTAssertEqual(state.callerLeft(id), [.resume([id], .left)])
    }
    _ = state.callerJoined(20)
    state.seekerPutOff(4)
    let (first, _) = state.passEnded(.succeeded, at: .zero)
    XCTAssertEqual(first, [.resume([2, 3, 6, 7, 8, 20], .result(.succeeded))])
    let (second, _) = state.passEnded(.failed, at: .zero)
    XCTAssertEqual(second.first, .resume([4, 11, 12, 13, 15, 16, 17, 18, 19], .result(.failed)))
  }

  func testWhoCallsBetweenTwoRunsStandsBehindThoseWhoWait() {
    var state = Start.cancelling.state
    _ = state.callerArrived(8)
    _ = state.passEnded(.cancelled, at: .zero)
    XCTAssertEqual(state.callerArrived(9), [.interruptOwner])
    XCTAssertEqual(state.present.callers, [8, 9])
  }

  func testRequestsWaitForACallThatIsStuck() {
    var state = Start.askedAgain.state
    _ = state.requestMade(at: .zero, window: .seconds(2), atMost: .seconds(9))
    _ = state.callIsStuck()
    XCTAssertTrue(state.isSyncing)
    XCTAssertEqual(state.waiting, [])
    XCTAssertEqual(state.callerArrived(8), [.resume([8], .stuck)])
    XCTAssertNotNil(state.window, "who isn't waited for takes no request along")
    state.stuckCallReturned()
    let (actions, step) = state.passEnded(.failed, at: .seconds(2))
    XCTAssertEqual(actions, [], "nobody waits for the pass that was stuck")
    XCTAssertEqual(step, .runPass(first: false), "the request's")
  }

  func testWhoLeavesARunThatIsStuckIsToldSoAndTheOthersThatItIsStuck() {
    var state = Start.running.state
    _ = state.callerLeft(1)
    _ = state.callerArrived(8)
    XCTAssertEqual(state.callIsStuck(), [.resume([1], .left), .resume([8], .stuck)])
    XCTAssertEqual(state.callIsStuck(), [], "another one")
    state.stuckCallReturned()
    XCTAssertTrue(state.isStuck)
    state.stuckCallReturned()
    XCTAssertFalse(state.isStuck)
    XCTAssertEqual(state.passEnded(.cancelled, at: .zero).0, [.announceEnd(.cancelled)])
    XCTAssertEqual(state.ownerIsFree(at: .zero), .retire)
  }

  func testASecondCancelAlsoDropsTheNextRun() {
    var state = Start.cancelling.state
    _ = state.callerArrived(8)
    XCTAssertEqual(state.cancelCalled(), [.resume([8], .cancelledBeforeItBegan)])
    _ = state.passEnded(.cancelled, at: .zero)
    XCTAssertEqual(state.ownerIsFree(at: .zero), .retire)
  }
}
