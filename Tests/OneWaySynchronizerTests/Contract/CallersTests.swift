import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// Callers that leave, and synchronizers that are let go of.
final class CallersTests: XCTestCase {
  func testACallerWhoseTaskIsCancelledLeavesAtOnceIfOthersWait() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, leaver) = try await processor.held(.fetch, during: await synchronizer.sync())
    let stayer = try await synchronizer.caller(2, makes: await synchronizer.sync())
    leaver.cancel()
    await assertThrows(CancellationError.self, try await leaver.value)
    XCTAssertFalse(hold.wasCancelled, "the run goes on for the other")
    hold.release()
    try await assertEqual(stayer.value.passes.last?.outcome, .succeeded)
  }

  func testTheLastCallerCancelsTheRunAndLeavesWhenItHasEnded() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, caller) = try await processor.held(
      .content("a"), ignoringCancellation: true, during: await synchronizer.sync())
    caller.cancel()
    try await hold.reached().cancelled()
    XCTAssertEqual(synchronizer.waitingCallers, 1, "it waits for the run's end")
    hold.fail(CancellationError())
    await assertThrows(CancellationError.self, try await caller.value)
    XCTAssertEqual(processor.reports.map(\.outcome), [.cancelled])
    XCTAssertFalse(synchronizer.isSyncing)
  }

  func testACallerThatIsCancelledAlreadyStartsNothing() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let calls: [@Sendable () async throws -> Void] = [
      { try await synchronizer.sync() }, { _ = try await synchronizer.plan() },
      { try await synchronizer.ensure("a") },
    ]
    for call in calls {
      let gate = Gate()
      let caller = Task {
        try? await gate.wait()  // ends when the task is cancelled
        try await call()
      }
      caller.cancel()
      await assertThrows(CancellationError.self, try await caller.value)
      XCTAssertEqual(synchronizer.waitingCallers, 0)
    }
    XCTAssertEqual(processor.calls, [])
    XCTAssertFalse(synchronizer.isSyncing)
  }

  func testARequestCountsAsACallerThatNeverLeaves() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: ManualClock())
    synchronizer.requestSync()
    let hold = processor.hold(.fetch)
    let caller = Task { try await synchronizer.sync() }  // takes the request along
    try await hold.reached()
    caller.cancel()
    await assertThrows(CancellationError.self, try await caller.value)
    hold.release()
    try await processor.ended(.end)
    XCTAssertEqual(processor.reports.map(\.outcome), [.succeeded])
  }

  func testAnIdleSynchronizerThatIsLetGoOfIsFreedAndEndsItsStreams() async throws {
    let processor = TestProcessor(["a"])
    var synchronizer: Synchronizer? = Synchronizer(processor: processor)
    weak let released = synchronizer
    let recorder = EventRecorder(try XCTUnwrap(synchronizer).events)
    try await synchronizer?.sync()
    synchronizer = nil
    await eventually("the synchronizer is freed") { released == nil }
    await assertEqual(recorder.events { _ in false }.last?.isRunEnd, true)
  }

  func testWaitingCallersKeepItAliveUntilTheirRunHasEnded() async throws {
    let processor = TestProcessor(["a"])
    var synchronizer: Synchronizer? = Synchronizer(processor: processor)
    weak let released = synchronizer
    let hold = processor.hold(.content("a"))
    let caller = Task { [synchronizer] in try await synchronizer?.sync() }
    try await hold.reached()
    synchronizer = nil
    XCTAssertNotNil(released)
    hold.release()
    try await assertEqual(caller.value?.passes.count, 1)
    await eventually("the synchronizer is freed") { released == nil }
  }

  func testAnOpenWindowKeepsItAliveUntilItsRunHasEnded() async throws {
    let processor = TestProcessor(["a"])
    let clock = ManualClock()
    var synchronizer: Synchronizer? = Synchronizer(processor: processor, clock: clock)
    weak let released = synchronizer
    synchronizer?.requestSync()
    synchronizer = nil
    try await clock.sleepers(atLeast: 1)
    XCTAssertNotNil(released)
    clock.advance(by: .seconds(2))
    try await processor.ended(.end)
    await eventually("the synchronizer is freed") { released == nil }
    XCTAssertEqual(Set(processor.local.keys), ["a"])
  }
}
