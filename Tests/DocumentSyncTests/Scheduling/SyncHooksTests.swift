import SyncLock
import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Closures around syncs.
final class SyncHooksTests: XCTestCase {
  private struct Refusal: Error {}

  func testTheyRunInTheOrderInWhichTheyWereGivenAndAreWaitedFor() async throws {
    let rig = ScheduleRig()
    let told = Locked<[String]>([])
    let gate = Gate()
    rig.scheduler.beforeSync { reasons in
      try await gate.wait()
      told.withLock { $0.append("before \(reasons)") }
    }
    rig.scheduler.beforeSync { _ in told.withLock { $0.append("second") } }
    rig.scheduler.afterSync { _, _ in told.withLock { $0.append("after") } }
    rig.scheduler.afterSync { _, _ in told.withLock { $0.append("last") } }
    async let made = rig.scheduler.syncOnce()
    try await gate.waiters(atLeast: 1)
    XCTAssertEqual(rig.passes, [], "nothing is sent before they have run")
    gate.open()
    _ = try await made
    XCTAssertEqual(
      told.withLock { $0 },
      ["before [DocumentSync.SyncReason.background]", "second", "after", "last"])
  }

  func testOneThatThrowsEndsTheSyncAndThoseAfterItAreTold() async throws {
    let rig = ScheduleRig()
    let told = Locked<[String]>([])
    rig.scheduler.beforeSync { _ in throw Refusal() }
    rig.scheduler.beforeSync { _ in told.withLock { $0.append("second") } }
    rig.scheduler.afterSync { _, error in
      told.withLock { $0.append("after: \(error is Refusal)") }
    }
    await assertThrows((any Error).self, try await rig.scheduler.syncOnce())
    XCTAssertEqual(told.withLock { $0 }, ["after: true"])
    XCTAssertEqual(rig.passes, [])
    XCTAssertFalse(rig.scheduler.state.state.schedule.isSyncing)
  }

  func testWhatSendsNothingCallsNone() async throws {
    let rig = ScheduleRig(account: Account())
    rig.scheduler.beforeSync { _ in XCTFail("nobody is signed in") }
    rig.scheduler.afterSync { _, _ in XCTFail("nobody is signed in") }
    _ = try await rig.synchronizer.sync()
    XCTAssertEqual(rig.passes, [nil])
  }

  func testOneThatStopsTheScheduleOrSignsOutDoesntWaitForItself() async throws {
    let account = Account()
    try await account.signIn(name: "ann", password: "milk")
    let rig = ScheduleRig(account: account)
    let attendant = WaitingAttendant(scheduler: rig.scheduler)
    account.attendant = attendant
    rig.scheduler.afterSync { [scheduler = rig.scheduler] _, _ in
      try? await account.signOut()
      await scheduler.stop()
    }
    try await assertTrue(rig.scheduler.syncOnce())
    XCTAssertEqual(account.status, .signedOut)
    XCTAssertTrue(attendant.hasEnded.withLock { $0 })
  }

  func testOneThatSignsOutWhileSomebodySignsInHoldsUpNeither() async throws {
    let account = Account()
    try await account.signIn(name: "ann", password: "milk")
    let rig = ScheduleRig(account: account)
    let attendant = WaitingAttendant(scheduler: rig.scheduler)
    account.attendant = attendant
    let gate = Gate()
    rig.scheduler.afterSync { _, _ in
      try? await gate.wait()
      try? await account.signOut()
    }
    async let made = rig.scheduler.syncOnce()
    try await gate.waiters(atLeast: 1)
    let signIn = Task { try await account.signIn(name: "bob", password: "beer") }
    try await attendant.becoming.waiters(atLeast: 1)
    attendant.becoming.open()
    gate.open()
    try await assertTrue(made)
    await assertThrows(DocumentError.overtaken, try await signIn.value)
    XCTAssertEqual(account.status, .signedOut)
  }

  func testAMarkMeansNothingOnceTheClosureHasReturned() async throws {
    let rig = ScheduleRig()
    let gate = Gate()
    let leftOver = Locked<Task<Bool, Never>?>(nil)
    rig.scheduler.afterSync { [scheduler = rig.scheduler] _, _ in
      XCTAssertTrue(SyncMark.isWithin(scheduler))
      leftOver.withLock {
        $0 = Task {
          try? await gate.wait()
          return SyncMark.isWithin(scheduler)
        }
      }
    }
    _ = try await rig.scheduler.syncOnce()
    gate.open()
    await assertEqual(leftOver.withLock { $0 }?.value, false)
    XCTAssertFalse(SyncMark.isWithin(rig.scheduler))
  }
}

/// Ends what is under way before somebody signs out.
private final class WaitingAttendant: AccountAttendant {
  let scheduler: SyncScheduler
  let hasEnded = Locked(false)
  let becoming = Gate()

  init(scheduler: SyncScheduler) { self.scheduler = scheduler }

  func syncIsWanted() {}
  func mayBecome(_ name: String, _ unsent: UnsentEdits) async throws {}
  func endSyncs() async {
    try? await becoming.wait()
    await scheduler.ended()
  }
  func becomes(
    _ name: String, _ unsent: UnsentEdits, then enter: @escaping @Sendable () throws -> Void
  ) async throws -> Bool {
    try enter()
    return true
  }
  func isKnown(as name: String, then enter: @escaping @Sendable () -> Void) async throws -> Bool {
    enter()
    return true
  }
  func willLeave(_ name: String) async throws {
    await scheduler.ended()
    hasEnded.withLock { $0 = true }
  }
  func hasLeft() {}
}
