import OneWaySynchronizer
import SynchronizerTesting
import XCTest

/// Callers that leave, and synchronizers that are let go of.
final class CallersTests: XCTestCase {
  func testACallerWhoseTaskIsCancelledLeavesAtOnceIfOthersWait() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.fetch)
    let leaver = Task { try await synchronizer.sync() }
    try await hold.reached()
    async let stayer = synchronizer.sync()
    await eventually("two callers wait") { synchronizer.waitingCallers == 2 }
    leaver.cancel()
    let result = await leaver.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertFalse(hold.wasCancelled, "the run goes on for the other")
    hold.release()
    let report = try await stayer
    XCTAssertEqual(report.passes.last?.outcome, .succeeded)
  }

  func testTheLastCallerCancelsTheRunAndLeavesWhenItHasEnded() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.content("a"), ignoringCancellation: true)
    let caller = Task { try await synchronizer.sync() }
    try await hold.reached()
    caller.cancel()
    try await hold.reached().cancelled()
    XCTAssertEqual(synchronizer.waitingCallers, 1, "it waits for the run's end")
    hold.fail(CancellationError())
    let result = await caller.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertEqual(processor.reports.map(\.outcome), [.cancelled])
    XCTAssertFalse(synchronizer.isSyncing)
  }

  func testACallerThatIsCancelledAlreadyStartsNothing() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let gate = Gate()
    let caller = Task {
      try? await gate.wait()  // ends when the task is cancelled
      return try await synchronizer.sync()
    }
    caller.cancel()
    let result = await caller.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertEqual(processor.calls, [])
    XCTAssertFalse(synchronizer.isSyncing)
  }

  func testARequestCountsAsACallerThatNeverLeaves() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor, clock: ManualClock())
    synchronizer.requestSync()
    let hold = processor.hold(.fetch)
    let caller = Task { try await synchronizer.sync() }  // takes the request along
    try await hold.reached()
    caller.cancel()
    let result = await caller.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
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
    let events = await recorder.events { _ in false }
    XCTAssertEqual(events.last?.isRunEnd, true)
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
    let report = try await caller.value
    XCTAssertEqual(report?.passes.count, 1)
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
