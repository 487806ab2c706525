import SyncLock
import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// What no sync may be under way for.
///
/// Who took over a store looked whether a sync was under way after they had said whose documents
/// it's to send: one that began between the two went on with theirs.
final class BetweenSyncsTests: XCTestCase {
  func testASyncThatWantsToBeginWaitsForItsEnd() async throws {
    let rig = ScheduleRig()
    let gate = Gate()
    async let between: Void? = rig.scheduler.betweenSyncs { try await gate.wait() }
    try await gate.waiters(atLeast: 1)
    async let made = rig.scheduler.syncOnce()
    await rig.waiting()
    XCTAssertEqual(rig.passes, [])
    gate.open()
    try await assertTrue(between != nil)
    _ = try await made
    XCTAssertEqual(rig.passes, [[.background]])
  }

  func testASyncThatIsCancelledWhileItWaitsDoesNotBegin() async throws {
    let rig = ScheduleRig()
    let gate = Gate()
    async let between: Void? = rig.scheduler.betweenSyncs { try await gate.wait() }
    try await gate.waiters(atLeast: 1)
    let made = Task { try await rig.scheduler.syncOnce() }
    await rig.waiting()
    rig.synchronizer.cancel()
    await assertThrows((any Error).self, try await made.value)
    XCTAssertEqual(rig.passes, [])
    gate.open()
    _ = try await between
  }

  func testItIsNotDoneWhileASyncIsUnderWay() async throws {
    let rig = ScheduleRig()
    rig.processor.gate.close()
    async let made = rig.scheduler.syncOnce()
    try await rig.processor.gate.waiters(atLeast: 1)
    let done: Void? = try await rig.scheduler.betweenSyncs { XCTFail("it was done") }
    XCTAssertNil(done)
    rig.processor.gate.open()
    _ = try await made
  }

  func testAPartOfASyncIsNotKeptFromItByThatSync() async throws {
    let rig = ScheduleRig()
    let done = Locked(0)
    rig.scheduler.beforeSync { _ in
      try await assertTrue(rig.scheduler.betweenSyncs { done.withLock { $0 += 1 } } != nil)
    }
    _ = try await rig.scheduler.syncOnce()
    XCTAssertEqual(done.withLock { $0 }, 1)
  }

  /// What a closure leaves behind goes on when the closure has returned.
  func testASyncGoesOnOnlyWhenWhatAClosureBeganIsOver() async throws {
    let rig = ScheduleRig()
    let gate = Gate()
    let left = Locked<Task<Void, any Error>?>(nil)
    rig.scheduler.beforeSync { _ in
      left.withLock {
        $0 = Task { _ = try await rig.scheduler.betweenSyncs { try await gate.wait() } }
      }
      try await gate.arrivals(atLeast: 1)
    }
    async let made = rig.scheduler.syncOnce()
    await rig.waiting()
    XCTAssertEqual(rig.passes, [])
    gate.open()
    _ = try await made
    XCTAssertEqual(rig.passes, [[.background]])
    try await left.withLock { $0 }?.value
  }
}
