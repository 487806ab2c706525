import TestSupport
import XCTest

@testable import DocumentSync

/// When syncs are asked for: every state sees every event.
final class SyncScheduleTests: XCTestCase {
  private typealias Schedule = SyncSchedule

  private enum Start: CaseIterable { case idle, running, waiting, held, syncing, stopped, ending }

  private let now = Duration.seconds(100)
  private static let accesses: [SyncSchedule.Access] = [
    .open, .nobody, .offline(until: .seconds(130)), .offline(until: nil),
  ]

  private func state(_ start: Start, every interval: Duration? = .seconds(60)) -> Schedule {
    var state = Schedule(rule: .init(interval: interval))
    if start == .idle { return state }
    state.started(at: .zero)
    _ = state.woke(at: .seconds(1), .open)
    _ = state.syncBegins(.open)
    if start == .syncing { return state }
    if start == .ending {
      state.stopped()
      return state
    }
    state.syncEnded(.open)
    switch start {
    case .waiting: _ = state.triggered(.edit, .open)
    case .held: _ = state.triggered(.edit, .offline(until: .seconds(120)))
    case .stopped: state.stopped()
    case .idle, .running, .syncing, .ending: break
    }
    return state
  }

  /// Each state with each access, and what the two are called.
  private func each(_ body: (Start, SyncSchedule.Access, inout Schedule, String) -> Void) {
    for start in Start.allCases {
      for access in Self.accesses {
        var state = state(start)
        body(start, access, &state, "\(start), \(access)")
      }
    }
  }

  func testATriggerAsksTheEngineOnlyWhereThatIsOfUse() {
    each { start, access, state, name in
      let before = state
      let action = state.triggered(.foreground, access)
      switch (start, access) {
      case (.stopped, _), (.ending, _):
        XCTAssertEqual(state, before, name)
        XCTAssertEqual(action, .nothing, name)
      case (.idle, _):
        XCTAssertEqual(state.reasons, [.foreground], name)
        XCTAssertEqual(action, .nothing, name)
      case (_, .nobody):
        XCTAssertEqual(state, before, name)
        XCTAssertEqual(action, .nothing, name)
      case (_, .offline(let until)):
        XCTAssertEqual(state.reasons, before.reasons + [.foreground], name)
        XCTAssertEqual(state.heldUntil, until, name)
        XCTAssertEqual(action, .nothing, name)
      case (_, .open):
        XCTAssertEqual(state.reasons, before.reasons + [.foreground], name)
        XCTAssertNil(state.heldUntil, name)
        XCTAssertEqual(action, .request, name)
      }
    }
  }

  func testTheSameReasonIsGivenOnce() {
    var state = state(.running)
    for reason in [SyncReason.edit, .foreground, .edit, .edit] {
      XCTAssertEqual(state.triggered(reason, .open), .request)
    }
    XCTAssertEqual(state.syncBegins(.open), [.edit, .foreground])
    XCTAssertEqual(state.reasons, [])
  }

  func testASyncBeginsOnlyWithAReasonAndWhereItIsOfUse() {
    each { start, access, state, name in
      let reasons = state.syncBegins(access)
      let isAllowed = access == .open && [.waiting, .held].contains(start)
      XCTAssertEqual(reasons, isAllowed ? [.edit] : nil, name)
      if isAllowed {
        XCTAssertTrue(state.isSyncing)
        XCTAssertNil(state.heldUntil)
      }
    }
  }

  func testByHandASyncBeginsEverywhere() {
    each { start, access, state, name in
      let reasons = state.syncBegins(access, asked: [.manual])
      XCTAssertEqual(reasons?.last, .manual, name)
    }
  }

  func testOnceInTheBackgroundASyncBeginsWhereItIsOfUse() {
    each { start, access, state, name in
      let reasons = state.syncBegins(access, asked: [.background])
      let isAllowed = access == .open && ![.stopped, .ending].contains(start)
      XCTAssertEqual(reasons?.last, isAllowed ? .background : nil, name)
    }
  }

  func testTheFirstSyncComesSoonAndThenOneEachInterval() {
    var state = Schedule(rule: .init(interval: .seconds(60)))
    XCTAssertNil(state.next)
    state.started(at: .seconds(10))
    XCTAssertEqual(state.next, .seconds(11))
    XCTAssertEqual(state.woke(at: .seconds(10), .open), .nothing)
    XCTAssertEqual(state.woke(at: .seconds(11), .open), .sync)
    XCTAssertEqual(state.syncBegins(.open), [.launch])
    XCTAssertEqual(state.next, .seconds(71))
    state.syncEnded(.open)
    XCTAssertEqual(state.woke(at: .seconds(72), .open), .sync)
    XCTAssertEqual(state.syncBegins(.open), [.timer])
    state.syncEnded(.open)
    XCTAssertEqual(state.next, .seconds(131))
    XCTAssertEqual(state.woke(at: .seconds(500), .open), .sync)
    XCTAssertEqual(state.next, .seconds(551), "what was slept through is left out")
  }

  func testWithoutAnIntervalOnlyTheFirstIsMade() {
    let state = state(.running, every: nil)
    XCTAssertNil(state.next)
  }

  func testWithoutCredentialsTheTimerGoesOnAndAsksForNothing() {
    var state = state(.running)
    XCTAssertEqual(state.woke(at: .seconds(61), .nobody), .nothing)
    XCTAssertEqual(state.reasons, [])
    XCTAssertEqual(state.next, .seconds(121))
  }

  func testWhatIsHeldOfflineIsAskedForWhenTheRestIsOver() {
    var state = state(.held)
    XCTAssertEqual(state.woke(at: .seconds(119), .offline(until: .seconds(120))), .nothing)
    XCTAssertEqual(state.woke(at: .seconds(120), .open), .sync)
    XCTAssertEqual(state.syncBegins(.open)?.first, .edit)
    state.syncEnded(.offline(until: .seconds(140)))
    XCTAssertEqual(state.reasons.first, .edit, "the server couldn't be reached")
    XCTAssertEqual(state.heldUntil, .seconds(140))
    XCTAssertEqual(state.woke(at: .seconds(140), .open), .sync)
    XCTAssertEqual(state.syncBegins(.open)?.first, .edit)
    state.syncEnded(.open)
    XCTAssertEqual(state.reasons, [])
  }

  func testWhatAPersonAskedForIsntHeld() {
    var state = state(.running)
    _ = state.syncBegins(.open, asked: [.manual])
    state.syncEnded(.offline(until: .seconds(140)))
    XCTAssertEqual(state.reasons, [])
    XCTAssertNil(state.heldUntil)
  }

  /// Without an interval, the schedule ended with the first 500 or 429: what was unsent stayed so.
  func testASyncThatMetTroubleIsFollowedByAnotherAfterPausesThatGrow() {
    var state = state(.running, every: nil)
    var (now, pauses) = (now, [Duration]())
    for round in 0..<8 {
      XCTAssertEqual(state.syncBegins(.open, asked: round == 0 ? [.manual] : []) != nil, true)
      state.syncEnded(.open, .init(rest: round == 2 ? .seconds(90) : .zero, random: 1), at: now)
      let next = state.next ?? now
      XCTAssertEqual(state.woke(at: next - .milliseconds(1), .open), .nothing)
      XCTAssertEqual(state.woke(at: next, .open), .sync)
      pauses.append(next - now)
      now = next
    }
    XCTAssertEqual(pauses, [5, 10, 90, 40, 80, 160, 300, 300].map { .seconds($0) })
    XCTAssertEqual(state.reasons, [.timer], "what was asked for by hand goes on by the timer")
    _ = state.syncBegins(.open)
    state.syncEnded(.open, at: now)
    XCTAssertNil(state.next)
    XCTAssertEqual(state.troubles, 0)
    _ = state.syncBegins(.open, asked: [.manual])
    state.syncEnded(.offline(until: .seconds(140)), .init(rest: .zero, random: 1), at: now)
    XCTAssertEqual(state.heldUntil, .seconds(140))
    state.stopped()
    XCTAssertNil(state.next)
  }

  func testWhenTheServerCanBeReachedAgainWhatIsHeldIsAskedForAtOnce() {
    each { start, access, state, name in
      let action = state.accessChanged(access)
      let isOfUse = access == .open && [.waiting, .held].contains(start)
      XCTAssertEqual(action, isOfUse ? .request : .nothing, name)
    }
  }

  func testStoppingForgetsWhatNobodyWaitsForAndLetsASyncEnd() {
    for start in Start.allCases {
      var state = state(start)
      let wasSyncing = state.isSyncing
      state.stopped()
      XCTAssertEqual(state.phase, .stopped)
      XCTAssertEqual(state.isSyncing, wasSyncing)
      XCTAssertEqual(state.reasons, [])
      XCTAssertNil(state.next)
      state.syncEnded(.offline(until: .seconds(130)))
      XCTAssertFalse(state.isSyncing)
      XCTAssertEqual(state.reasons, [])
      XCTAssertEqual(state.woke(at: now, .open), .nothing)
    }
  }

  func testItCanBeStartedAgain() {
    for start in Start.allCases {
      var state = state(start)
      let before = state
      state.started(at: now)
      XCTAssertEqual(state.phase, .running)
      switch start {
      case .idle, .stopped, .ending: XCTAssertEqual(state.next, .seconds(101), "\(start)")
      case .running, .waiting, .held, .syncing: XCTAssertEqual(state, before, "\(start)")
      }
    }
  }

  func testARandomWalkNeverSyncsWhereItIsOfNoUse() {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<2_000 {
      var (state, at) = (Schedule(rule: .init(interval: .seconds(9))), Duration.zero)
      for _ in 0..<40 {
        at += .seconds(Int.random(in: 0...5, using: &random))
        let access = Self.accesses.randomElement(using: &random) ?? .open
        switch Int.random(in: 0..<8, using: &random) {
        case 0: state.started(at: at)
        case 1: state.stopped()
        case 2, 3: _ = state.triggered(.edit, access)
        case 4: _ = state.accessChanged(access)
        case 5:
          guard !state.isSyncing else { continue }
          let reasons = state.syncBegins(access)
          XCTAssertTrue(reasons == nil || access == .open)
          XCTAssertNotEqual(reasons, [])
        case 6: state.syncEnded(access)
        default: _ = state.woke(at: at, access)
        }
        if let next = state.next, state.phase != .running { XCTFail("\(next)") }
        if state.phase == .stopped { XCTAssertEqual(state.reasons, []) }
        if let held = state.heldUntil, state.reasons.isEmpty { XCTFail("\(held): \(state)") }
      }
    }
  }
}
