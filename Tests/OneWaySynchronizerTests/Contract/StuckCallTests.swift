@testable import OneWaySynchronizer
@testable import SyncEngine
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// A call that neither returns nor can be cancelled: a driver that hangs, another process's lock.
/// It used to hold up every caller for ever.
final class StuckCallTests: XCTestCase {
  private let clock = ManualClock()
  private let limit = Duration.seconds(30)

  private func synchronizer(
    _ processor: TestProcessor, stopOnError: Bool = true
  ) -> Synchronizer<TestProcessor> {
    let options = SyncOptions(
      stopOnError: stopOnError, timeLimits: TimeLimits(stage: limit, download: limit))
    return Synchronizer(processor: processor, options: options, clock: clock)
  }

  /// A synchronizer with a call that is stuck there, and what its caller got.
  private func stuck(
    at place: TestProcessor.Place,
    _ processor: TestProcessor = TestProcessor(["a"], local: ["gone"])
  ) async throws -> (Hold<TestItem>, Synchronizer<TestProcessor>, TestError) {
    let synchronizer = synchronizer(processor)
    let (hold, caller) = try await processor.held(
      place, ignoringCancellation: true, during: await synchronizer.syncError())
    clock.advance(by: limit)
    try await hold.reached().cancelled()
    XCTAssertEqual(synchronizer.waitingCallers, 1, "it may still return")
    clock.advance(by: limit)
    return (hold, synchronizer, try await caller.value)
  }

  private static func error(of call: @Sendable () async throws -> Void) async throws -> TestError {
    let error = await thrown(TestError.self, by: try await call())
    return try XCTUnwrap(error)
  }

  private func stuckStage(_ synchronizer: Synchronizer<TestProcessor>) async -> SyncStage? {
    var status = synchronizer.status.makeAsyncIterator()
    return await status.next()?.stuckStage
  }

  func testWhoWaitsAndWhoCallsIsToldWhichCallIsStuckUntilItReturns() async throws {
    let rows: [(TestProcessor.Place, TestError.Code)] = [
      (.begin, .stuck(stage: .begin, key: nil)),
      (.fetch, .stuck(stage: .fetchSourceList, key: nil)),
      (.localKeys, .stuck(stage: .localKeys, key: nil)),
      (.remove, .stuck(stage: .removeLocalItems, key: nil)),
      (.itemsToUpdate, .stuck(stage: .itemsToUpdate, key: nil)),
      (.prepare, .stuck(stage: .prepareDownload, key: nil)),
      (.content("a"), .stuck(stage: .downloadContents, key: "a")),
    ]
    for (place, code) in rows {
      let processor = TestProcessor(["a"], local: ["gone"])
      let (hold, synchronizer, error) = try await stuck(at: place, processor)
      XCTAssertEqual(error.code, code)
      XCTAssertTrue(synchronizer.isSyncing, "\(place)")
      guard case .stuck(let stage, _) = code else { return XCTFail("\(place)") }
      await assertEqual(stuckStage(synchronizer), stage)
      try await assertEqual(synchronizer.syncError().code, code, "at once")
      await assertEqual(
        thrown(TestError.self, by: try await synchronizer.ensure("a"))?.code, code)
      await assertEqual(thrown(TestError.self, by: try await synchronizer.plan())?.code, code)
      XCTAssertEqual(synchronizer.waitingCallers, 0, "\(place)")
      hold.release()
      try await processor.ended(.end)
      await eventually("the run has ended") { !synchronizer.isSyncing }
      await assertEqual(stuckStage(synchronizer), nil)
      XCTAssertEqual(processor.reports.map(\.outcome), [.succeeded], "\(place): it came after all")
      try await synchronizer.sync()
    }
  }

  func testTheErrorSaysWhichCallItIsAndWhatToDo() {
    XCTAssertEqual(
      "\(TestError(code: .stuck(stage: .downloadContents, key: "a"), report: SyncReport()))",
      """
      The call of downloadContents of a hasn't returned by twice its time limit, and nothing new \
      begins before it has. Sync again later; let the processor return soon once its task is \
      cancelled.
      """)
  }

  func testWhoWaitsForALaterPassIsToldTooAndRequestsAreKept() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = synchronizer(processor)
    let (hold, first) = try await processor.held(
      .fetch, ignoringCancellation: true, during: await synchronizer.syncError())
    let others: [@Sendable () async throws -> Void] = [
      { try await synchronizer.sync() }, { _ = try await synchronizer.plan() },
      { try await synchronizer.ensure("a") },
    ]
    var calls = [first]
    for call in others {
      calls.append(
        try await synchronizer.caller(calls.count + 1, makes: try await Self.error(of: call)))
    }
    synchronizer.requestSync()
    clock.advance(by: limit)
    clock.advance(by: limit)
    for call in calls {
      try await assertEqual(call.value.code, .stuck(stage: .fetchSourceList, key: nil))
    }
    XCTAssertEqual(processor.calls.filter { $0 == .fetch }.count, 1, "no pass begins")
    hold.release()
    try await processor.ended(.end, times: 2)
    XCTAssertEqual(processor.reports.map(\.outcome), [.succeeded, .succeeded])
  }

  func testACancelledRunIsStuckLikeAnyOther() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = synchronizer(processor)
    let (hold, first) = try await processor.held(
      .content("a"), ignoringCancellation: true, during: await synchronizer.syncError())
    synchronizer.cancel()
    try await hold.reached().cancelled()
    let next = try await synchronizer.caller(2, makes: await synchronizer.syncError())
    clock.advance(by: limit)
    XCTAssertEqual(synchronizer.waitingCallers, 2, "it may still return")
    clock.advance(by: limit)
    for call in [first, next] {
      try await assertEqual(call.value.code, .stuck(stage: .downloadContents, key: "a"))
    }
    hold.fail(CancellationError())
    try await processor.ended(.end)
    XCTAssertEqual(processor.reports.map(\.outcome), [.cancelled])
  }

  func testTheLastCallerWhoLeavesIsLetGo() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = synchronizer(processor)
    let calls: [@Sendable () async throws -> Void] = [
      { try await synchronizer.sync() }, { _ = try await synchronizer.plan() },
    ]
    for call in calls {
      let (hold, caller) = try await processor.held(
        .fetch, ignoringCancellation: true, during: try await call())
      caller.cancel()
      try await hold.reached().cancelled()
      clock.advance(by: limit)
      clock.advance(by: limit)
      await assertThrows(CancellationError.self, try await caller.value)
      hold.release()
      await eventually("it has come to rest") { synchronizer.state.withLock { !$0.run.hasOwner } }
    }
  }

  func testAllStuckCallsHaveToReturn() async throws {
    let processor = TestProcessor(["a", "b"])
    let synchronizer = synchronizer(processor, stopOnError: false)
    let other = processor.hold(.content("b"), ignoringCancellation: true)
    let (hold, caller) = try await processor.held(
      .content("a"), ignoringCancellation: true, during: await synchronizer.syncError())
    try await other.reached()
    clock.advance(by: limit)
    clock.advance(by: limit)
    _ = try await caller.value
    await eventually("both are stuck") { synchronizer.state.withLock { $0.run.stuckCalls } == 2 }
    hold.release()
    await eventually("one has returned") { synchronizer.state.withLock { $0.run.stuckCalls } == 1 }
    try await assertEqual(
      synchronizer.syncError().code, .stuck(stage: .downloadContents, key: "b"))
    other.fail(Refused())
    try await processor.ended(.end)
    XCTAssertEqual(processor.reports.map(\.counts.downloaded), [1])
    XCTAssertTrue(processor.reports[0].failures[0].cause is TimedOut)
  }

  func testWhoCallsOnceItHasReturnedGetsAPassAfterIt() async throws {
    let processor = TestProcessor(["a"])
    let later = processor.hold(.commit)
    let (hold, synchronizer, _) = try await stuck(at: .fetch, processor)
    hold.release()
    try await later.reached()
    let caller = try await synchronizer.caller(1, makes: await synchronizer.sync())
    later.release()
    try await assertEqual(caller.value.counts.downloaded, 0)
    XCTAssertEqual(processor.reports.map(\.counts.downloaded), [1, 0])
  }

  func testTheCommitAndTheEndHaveNoLimit() async throws {
    for place in [TestProcessor.Place.commit, .end] {
      let processor = TestProcessor(["a"])
      let synchronizer = synchronizer(processor)
      let (hold, caller) = try await processor.held(place, during: await synchronizer.sync())
      XCTAssertEqual(clock.deadlines, [], "\(place)")
      hold.release()
      try await assertEqual(caller.value.counts.downloaded, 1)
    }
  }
}
