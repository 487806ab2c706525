import SyncLock
import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Syncs that nobody waits for.
final class SyncSchedulerTests: XCTestCase {
  func testTheFirstSyncComesAfterASecondAndThenOneEachInterval() async throws {
    let rig = ScheduleRig(every: .seconds(60))
    try await rig.running {
      try await rig.advance(by: .milliseconds(999), passes: 0)
      XCTAssertEqual(rig.passes, [])
      try await rig.advance(by: .milliseconds(1), passes: 1)
      try await rig.clock.sleepers(atLeast: 1)
      XCTAssertEqual(rig.clock.deadlines.map(\.sinceStart), [.seconds(61)])
      try await rig.advance(by: .seconds(60), passes: 2)
      try await rig.clock.sleepers(atLeast: 1)
      try await rig.advance(by: .seconds(60), passes: 3)
    }
    XCTAssertEqual(rig.passes, [[.launch], [.timer], [.timer]])
  }

  func testTriggersThatComeCloseTogetherBecomeOneSyncWithAllTheirReasons() async throws {
    let rig = ScheduleRig(every: .seconds(1_000))
    try await rig.running {
      try await rig.advance(by: .seconds(1), passes: 1)
      for reason in [SyncReason.edit, .edit, .foreground] {
        rig.scheduler.trigger(reason)
        try await rig.clock.sleepers(atLeast: 2)
        rig.clock.advance(by: .seconds(1))
      }
      try await rig.advance(by: .seconds(1), passes: 2)
    }
    XCTAssertEqual(rig.passes, [[.launch], [.edit, .foreground]])
  }

  func testATriggerDuringASyncMakesOneMore() async throws {
    let rig = ScheduleRig(every: .seconds(1_000))
    try await rig.running {
      rig.processor.gate.close()
      rig.clock.advance(by: .seconds(1))
      try await rig.processor.gate.waiters(atLeast: 1)
      rig.scheduler.trigger(.edit)
      rig.scheduler.trigger(.foreground)
      rig.processor.gate.open()
      try await rig.clock.sleepers(atLeast: 1)
      try await rig.advance(by: .seconds(2), passes: 2)
    }
    XCTAssertEqual(rig.passes.compactMap { $0 }, [[.launch], [.edit, .foreground]])
  }

  func testWithoutCredentialsNothingIsSentAndNothingFails() async throws {
    let account = Account()
    let rig = ScheduleRig(account: account, every: .seconds(60))
    try await rig.running {
      rig.scheduler.trigger(.edit)
      rig.clock.advance(by: .seconds(1))
      try await rig.clock.sleepers(atLeast: 1)
      try await assertFalse(rig.scheduler.syncOnce())
      XCTAssertEqual(rig.passes, [])
      try await account.signIn(name: "ann", password: "milk")
      rig.scheduler.trigger(.signIn)
      try await rig.clock.sleepers(atLeast: 2)
      try await rig.advance(by: .seconds(2), passes: 1)
    }
    XCTAssertEqual(rig.passes, [[.signIn]])
  }

  /// Launched while the credentials couldn't be read, it was signed out until somebody loaded them.
  func testCredentialsThatCouldNotBeReadAtTheStartAreReadByTheNextTrigger() async throws {
    let locked = LockedCredentials()
    let account = Account(credentials: locked)
    let rig = ScheduleRig(account: account, every: .seconds(1_000))
    try await rig.running {
      rig.scheduler.trigger(.edit)
      try await rig.clock.sleepers(atLeast: 2)
      locked.isLocked.withLock { $0 = false }
      try await rig.advance(by: .seconds(2), passes: 1)
    }
    XCTAssertEqual(account.status, .ready(name: "ann"))
    XCTAssertEqual(rig.passes.compactMap { $0 }.first?.contains(.edit), true)
  }

  func testWhoSignsOutBeforeARequestedSyncBeginsHasNothingSent() async throws {
    let account = Account()
    try await account.signIn(name: "ann", password: "milk")
    let rig = ScheduleRig(account: account, every: .seconds(1_000))
    try await rig.running {
      try await rig.advance(by: .seconds(1), passes: 1)
      rig.scheduler.trigger(.edit)
      try await rig.clock.sleepers(atLeast: 2)
      try await account.signOut()
      rig.clock.advance(by: .seconds(2))
      try await rig.synchronizer.sync()
    }
    XCTAssertEqual(rig.passes.compactMap { $0 }, [[.launch]])
  }

  func testOfflineOneProbeIsMadeAfterAGrowingPause() async throws {
    let rig = ScheduleRig(every: .seconds(1_000))
    rig.processor.sign.withLock { $0 = .unreachable }
    try await rig.running {
      try await rig.advance(by: .seconds(1), passes: 1)
      rig.scheduler.trigger(.edit)
      for (pause, count) in [(5, 2), (10, 3), (20, 4)] {
        try await rig.clock.sleepers(atLeast: 1)
        try await rig.advance(by: .seconds(pause) - .milliseconds(1), passes: count - 1)
        XCTAssertEqual(rig.passes.count, count - 1)
        try await rig.advance(by: .milliseconds(1), passes: count)
      }
      rig.processor.sign.withLock { $0 = .answered }
      try await rig.clock.sleepers(atLeast: 1)
      try await rig.advance(by: .seconds(40), passes: 5)
    }
    XCTAssertEqual(
      rig.passes.map { $0.map(Set.init) },
      [[.launch]] + Array(repeating: [.launch, .edit], count: 4))
  }

  func testTheNetworksReturnCutsAPauseShort() async throws {
    let rig = ScheduleRig(every: .seconds(1_000))
    rig.processor.sign.withLock { $0 = .unreachable }
    try await rig.running {
      try await rig.advance(by: .seconds(1), passes: 1)
      rig.processor.sign.withLock { $0 = .answered }
      rig.scheduler.trigger(.networkBack)
      try await rig.clock.sleepers(atLeast: 2)
      try await rig.advance(by: .seconds(2), passes: 2)
    }
    XCTAssertEqual(rig.passes, [[.launch], [.launch, .networkBack]])
  }

  func testASyncByHandIsMadeWhateverIsKnown() async throws {
    let rig = ScheduleRig(account: Account())
    rig.processor.sign.withLock { $0 = .unreachable }
    for _ in 0..<2 {
      rig.scheduler.isWanted()
      await assertThrows((any Error).self, try await rig.synchronizer.sync())
    }
    XCTAssertEqual(rig.passes, [[.manual], [.manual]])
  }

  func testOnceInTheBackgroundIsOneSyncAndNoTimer() async throws {
    let rig = ScheduleRig(every: .seconds(60))
    try await assertTrue(rig.scheduler.syncOnce())
    XCTAssertEqual(rig.passes, [[.background]])
    XCTAssertEqual(rig.clock.deadlines, [])
  }

  func testStoppingLetsASyncEndAndForgetsTheRest() async throws {
    let rig = ScheduleRig(every: .seconds(60))
    let ended = Locked(false)
    rig.scheduler.afterSync { _, error in
      XCTAssertNil(error)
      ended.withLock { $0 = true }
    }
    try await rig.running {
      rig.processor.gate.close()
      rig.clock.advance(by: .seconds(1))
      try await rig.processor.gate.waiters(atLeast: 1)
      rig.scheduler.trigger(.edit)
      async let stopped: Void = rig.scheduler.stop()
      _ = try await rig.scheduler.state.wait { $0.schedule.phase == .stopped ? () : nil }
      rig.processor.gate.open()
      await stopped
      XCTAssertTrue(ended.withLock { $0 }, "it went on to its end")
      try await assertFalse(rig.scheduler.syncOnce())
    }
    XCTAssertEqual(rig.passes.compactMap { $0 }, [[.launch]])
  }

  func testCancellingTheScheduleEndsIt() async throws {
    let rig = ScheduleRig(every: .seconds(60))
    let task = Task { await rig.scheduler.run() }
    try await rig.clock.sleepers(atLeast: 1)
    task.cancel()
    await task.value
    XCTAssertEqual(rig.scheduler.state.state.schedule.phase, .stopped)
    XCTAssertEqual(rig.passes, [])
  }

  func testBeginAndEndOfActivityAreToldOnceEach() async throws {
    let rig = ScheduleRig()
    var states = rig.scheduler.activity.makeAsyncIterator()
    var told = [await states.next()]
    rig.processor.gate.close()
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 { group.addTask { try await rig.scheduler.syncOnce() } }
      try await rig.processor.gate.waiters(atLeast: 1)
      rig.processor.gate.open()
      for try await _ in group {}
    }
    // A pass of which another one has done the work before does nothing, and isn't told.
    let toldOfPasses = rig.passes.compactMap { $0 }.flatMap { _ in [true, false] }
    for _ in toldOfPasses { told.append(await states.next()) }
    XCTAssertEqual(told, [false] + toldOfPasses)
  }
}

/// Credentials that can't be read until a test unlocks them.
private final class LockedCredentials: CredentialStore {
  struct Refusal: Error {}

  let isLocked = Locked(true)

  func load() async throws -> AccountCredentials? {
    if isLocked.withLock({ $0 }) { throw Refusal() }
    return .token(name: "ann", token: "t")
  }

  func keep(_ credentials: AccountCredentials) async throws {}
  func remove() async throws {}
}
