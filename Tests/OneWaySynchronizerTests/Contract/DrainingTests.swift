@testable import OneWaySynchronizer
@testable import SyncEngine
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// A program is about to go, and ends its syncs without cutting anything short.
final class DrainingTests: XCTestCase {
  func testItWaitsForNoPlaceOfABudgetAndForNoPause() async throws {
    let (budget, clock) = (DownloadBudget(1), ManualClock())
    var options = SyncOptions(budget: budget)
    options.retries = DownloadRetries(attempts: 2, pause: { _ in .seconds(3_600) })
    let (other, holder) = makeSynchronizer(["other"], options: options)
    let (hold, run) = try await other.held(.anyContent, during: try await holder.sync())
    let (_, waiting) = makeSynchronizer(["a", "b"], options: options)
    let sync = Task { try await waiting.sync() }
    await eventually("both workers wait for a place") { budget.book.waitingCount == 2 }
    try await waiting.drain()
    _ = await sync.result
    hold.release()
    _ = try await run.value

    let (resting, alone) = makeSynchronizer(["a"], options: options, clock: clock)
    resting.fail(.content("a"), with: Refused(), times: 1)
    let seeker = Task { try await alone.ensure("a", policy: .alone) }
    try await clock.sleepers(atLeast: 1)
    try await alone.drain()
    _ = await seeker.result
    XCTAssertEqual(resting.calls.count { $0 == .content("a") }, 1)
  }

  func testDownloadsUnderWayFinishAndAreCommittedAndNoFurtherOneBegins() async throws {
    for stops in [true, false] {
      let (processor, synchronizer) = makeSynchronizer(
        ["a", "b", "c", "d"], options: SyncOptions(concurrency: 2, stopOnError: stops))
      let other = processor.hold(.content("b"))
      let (hold, caller) = try await processor.held(
        .content("a"), during: await synchronizer.syncError())
      try await other.reached()
      let drain = try await synchronizer.caller(2, makes: try await synchronizer.drain())
      hold.fail(Refused())
      try await processor.ended(.content("a"))
      other.release()
      let error = try await caller.value
      XCTAssertEqual(error.code, .cancelled)
      XCTAssertEqual(error.report.counts.downloaded, 1)
      XCTAssertEqual(error.report.counts.skipped, 2)
      XCTAssertEqual(error.report.failures.map(\.key), ["a"], "also then the others finish")
      XCTAssertFalse(other.wasCancelled)
      try await drain.value
      XCTAssertFalse(synchronizer.isSyncing)
      XCTAssertEqual(processor.calls.suffix(2).map(\.name), ["commit", "end"])
      XCTAssertEqual(Set(processor.local.keys), ["b"])
    }
  }

  func testAStageUnderWayFinishesAndNoFurtherOneBegins() async throws {
    let places: [TestProcessor.Place] = [
      .begin, .fetch, .localKeys, .remove, .itemsToUpdate, .prepare,
    ]
    for place in places {
      let (processor, synchronizer) = makeSynchronizer(
        ["a"], local: ["gone"], options: SyncOptions(removalLimit: .unlimited))
      let (hold, caller) = try await processor.held(place, during: await synchronizer.syncError())
      let before = processor.calls.count
      let drain = try await synchronizer.caller(2, makes: try await synchronizer.drain())
      hold.release()
      try await drain.value
      try await assertEqual(caller.value.code, .cancelled)
      XCTAssertFalse(hold.wasCancelled, "\(place)")
      XCTAssertEqual(processor.calls.dropFirst(before).map(\.name), ["end"], "\(place)")
    }
  }

  func testSuccessWinsWhenEverythingWasDone() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, caller) = try await processor.held(
      .content("a"), during: await synchronizer.sync())
    let drain = try await synchronizer.caller(2, makes: try await synchronizer.drain())
    hold.release()
    try await assertEqual(caller.value.counts.downloaded, 1)
    try await drain.value
  }

  func testLaterPassesAndRequestsAreDroppedAndWhoCallsMeanwhileGetsARunAfterIt() async throws {
    let clock = ManualClock()
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    let (hold, first) = try await processor.held(.fetch, during: await synchronizer.syncError())
    let owed = try await synchronizer.caller(2, makes: await synchronizer.syncError())
    synchronizer.requestSync()
    let drain = try await synchronizer.caller(3, makes: try await synchronizer.drain())
    let after = try await synchronizer.caller(4, makes: await synchronizer.sync())
    hold.release()
    try await assertEqual([first.value, owed.value].map(\.code), [.cancelled, .cancelled])
    try await drain.value
    try await assertEqual(after.value.counts.downloaded, 1)
    await eventually("it has come to rest") { synchronizer.state.withLock { !$0.run.hasOwner } }
    XCTAssertEqual(processor.reports.count, 2)
  }

  func testAPlanUnderWayEndsAndOneThatWaitsIsDropped() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, plan) = try await processor.held(.fetch, during: await synchronizer.plan())
    let other = try await synchronizer.caller(1, makes: await synchronizer.plan())
    let drain = Task { try await synchronizer.drain() }
    await assertEqual(thrown(TestError.self, by: try await other.value)?.code, .cancelled)
    hold.release()
    try await drain.value
    await assertEqual(thrown(TestError.self, by: try await plan.value)?.code, .cancelled)
    XCTAssertFalse(hold.wasCancelled)
  }

  func testItReturnsAtOnceWhenNothingIsUnderWayAndDropsAnOpenWindow() async throws {
    let clock = ManualClock()
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    try await synchronizer.drain()
    synchronizer.requestSync()
    try await clock.sleepers(atLeast: 1)
    try await synchronizer.drain()
    await eventually("it has come to rest") { synchronizer.state.withLock { !$0.run.hasOwner } }
    XCTAssertEqual(processor.calls, [])
    try await synchronizer.sync()
  }

  func testACancelCutsShortWhatItWaitsFor() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, caller) = try await processor.held(
      .content("a"), during: await synchronizer.syncError())
    let drain = try await synchronizer.caller(2, makes: try await synchronizer.drain())
    synchronizer.cancel()
    try await hold.reached().cancelled()
    try await assertEqual(caller.value.code, .cancelled)
    try await drain.value
  }

  func testWhoLeavesCutsNothingShort() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, caller) = try await processor.held(
      .content("a"), during: await synchronizer.sync())
    let drains = [
      try await synchronizer.caller(2, makes: try await synchronizer.drain()),
      try await synchronizer.caller(3, makes: try await synchronizer.drain()),
    ]
    for leaver in [caller.cancel, drains[0].cancel] { leaver() }
    await assertThrows(CancellationError.self, try await caller.value)
    await assertThrows(CancellationError.self, try await drains[0].value)
    XCTAssertFalse(hold.wasCancelled)
    hold.release()
    try await drains[1].value
    XCTAssertEqual(processor.reports.map(\.outcome), [.succeeded])
  }

  func testADownloadThatFailsIsNotTriedAgain() async throws {
    let (processor, synchronizer) = makeSynchronizer(
      ["a"], options: SyncOptions(retries: DownloadRetries(attempts: 9)), clock: ManualClock())
    let (hold, caller) = try await processor.held(
      .content("a"), during: await synchronizer.syncError())
    let drain = try await synchronizer.caller(2, makes: try await synchronizer.drain())
    hold.fail(Refused())
    try await drain.value
    try await assertEqual(caller.value.report.failures.map(\.key), ["a"])
  }

  func testWhoDrainsIsToldOfACallThatDoesNotReturn() async throws {
    let clock = ManualClock()
    let (processor, synchronizer) = makeSynchronizer(
      ["a"], options: SyncOptions(timeLimits: TimeLimits(stage: .seconds(5))), clock: clock)
    let (hold, caller) = try await processor.held(
      .fetch, ignoringCancellation: true, during: await synchronizer.syncError())
    let drain = try await synchronizer.caller(2, makes: try await synchronizer.drain())
    clock.advance(by: .seconds(10))
    let code = TestError.Code.stuck(stage: .fetchSourceList, key: nil)
    await assertEqual(thrown(TestError.self, by: try await drain.value)?.code, code)
    await assertEqual(thrown(TestError.self, by: try await synchronizer.drain())?.code, code)
    try await assertEqual(caller.value.code, code)
    hold.release()
    try await processor.ended(.end)
    XCTAssertEqual(processor.reports.map(\.outcome), [.cancelled])
  }
}
