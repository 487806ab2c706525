import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// What `cancel()` does.
final class CancellationTests: XCTestCase {
  func testRunningUserCodeIsCancelledWhereverItIs() async throws {
    let places: [TestProcessor.Place] = [
      .begin, .fetch, .localKeys, .remove, .itemsToUpdate, .prepare, .preview("a"), .content("a"),
    ]
    for place in places {
      let processor = TestProcessor(["a"], local: ["gone"])
      let both = options { $0.downloadPreview = true }
      let synchronizer = Synchronizer(processor: processor, options: both)
      let (hold, run) = try await processor.held(place, during: await synchronizer.syncError())
      synchronizer.cancel()
      let error = try await run.value
      XCTAssertEqual(error.code, .cancelled, "\(place)")
      XCTAssertTrue(hold.wasCancelled, "\(place)")
      XCTAssertEqual(error.report.failures.count, 0, "\(place)")
      XCTAssertEqual(processor.calls.last, .end(.cancelled), "\(place)")
    }
  }

  func testNoFurtherStageBeginsAfterACancel() async throws {
    let rows: [(TestProcessor.Place, next: String)] = [
      (.begin, "fetch"), (.fetch, "localKeys"), (.localKeys, "remove"), (.remove, "itemsToUpdate"),
      (.itemsToUpdate, "prepare"), (.prepare, "content"),
    ]
    for (place, next) in rows {
      let (processor, synchronizer) = makeSynchronizer(["a"], local: ["gone"])
      // A processor that doesn't notice: its call ends well although it was cancelled.
      let (hold, run) = try await processor.held(
        place, ignoringCancellation: true, during: await synchronizer.syncError())
      synchronizer.cancel()
      hold.release()
      try await assertEqual(run.value.code, .cancelled, "\(place)")
      XCTAssertFalse(processor.calls.contains { $0.name == next }, "\(place)")
    }
  }

  func testNoFurtherItemIsAskedAboutOrDownloaded() async throws {
    // Many times, since the first question may come before the stage's task is known to anybody.
    for _ in 0..<2_000 {
      let asking = AskingProcessor()
      let synchronizer = Synchronizer(processor: asking)
      asking.onQuestion { synchronizer.cancel() }
      _ = try await synchronizer.syncError()
      guard asking.questions == 1 else { return XCTFail("\(asking.questions) questions") }
    }

    let processor = TestProcessor(["a", "b", "c"])
    let one = options { $0.concurrency = 1 }
    let synchronizer = Synchronizer(processor: processor, options: one)
    processor.onContent { _ in synchronizer.cancel() }
    let error = try await synchronizer.syncError()
    XCTAssertEqual(processor.calls.filter { $0.name == "content" }, [.content("a")])
    XCTAssertEqual(error.report.passes[0].counts.downloaded, 1)
    XCTAssertEqual(error.report.passes[0].counts.skipped, 2)
  }

  func testEveryCallerGetsTheCancelledErrorAndTheFurtherPassIsDropped() async throws {
    let processor = TestProcessor(["a", "bad"])
    let going = options { $0.stopOnError = false }
    processor.fail(.content("bad"), with: Refused())
    let synchronizer = Synchronizer(processor: processor, options: going)
    let (_, first) = try await processor.held(.content("a"), during: await synchronizer.syncError())
    try await processor.ended(.content("bad"))
    let second = try await synchronizer.caller(2, makes: await synchronizer.syncError())
    synchronizer.cancel()
    let errors = try await [first.value, second.value]
    XCTAssertEqual(errors.map(\.code), [.cancelled, .cancelled])
    XCTAssertEqual(errors.map(\.report.passes.count), [1, 0], "the second's own pass never began")
    XCTAssertEqual(
      errors[0].report.failures.map(\.key), ["bad"], "what failed before is reported")
  }

  func testSuccessWinsWhenEverythingWasDone() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    processor.onCommit {
      synchronizer.cancel()
      return [:]
    }
    try await assertEqual(synchronizer.sync().passes[0].outcome, .succeeded)
  }

  func testSuccessDoesNotWinWhenAFurtherPassWasOwed() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, first) = try await processor.held(.commit, during: await synchronizer.syncError())
    let second = try await synchronizer.caller(2, makes: await synchronizer.syncError())
    synchronizer.cancel()
    hold.release()
    try await assertEqual([first.value, second.value].map(\.code), [.cancelled, .cancelled])
  }

  func testACallWhileACancelledRunWindsDownStartsANewRunAfterIt() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, first) = try await processor.held(
      .fetch, ignoringCancellation: true, during: await synchronizer.syncError())
    synchronizer.cancel()
    let second = try await synchronizer.caller(2, makes: await synchronizer.sync())
    hold.release()
    try await assertEqual(first.value.code, .cancelled)
    try await assertEqual(second.value.passes.map(\.outcome), [.succeeded])
  }

  func testARunThatIsCancelledBeforeItsFirstPassBeganCallsNothing() async throws {
    let processor = TestProcessor(["a"])
    let executor = LateExecutor()
    let synchronizer = Synchronizer(
      processor: processor, options: SyncOptions(), requestWindow: RequestWindow(),
      clock: ContinuousClock(), executor: executor)
    let recorder = EventRecorder(synchronizer.events)
    let run = try await synchronizer.caller(1, makes: await synchronizer.syncError())
    // The owner hasn't had its first turn.
    synchronizer.cancel()
    executor.letGo()
    let error = try await run.value
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.passes.count, 0)
    XCTAssertEqual(processor.calls, [])
    let events = await recorder.eventsUntilRunEnd()
    XCTAssertEqual(events, [.runStarted(1), .runFailed(.cancelled, passes: 0)])
  }

  func testARequestWhileACancelledRunWindsDownIsServedAfterIt() async throws {
    let clock = ManualClock()
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    let (hold, run) = try await processor.held(
      .fetch, ignoringCancellation: true, during: await synchronizer.syncError())
    synchronizer.cancel()
    synchronizer.requestSync()
    hold.release()
    try await assertEqual(run.value.code, .cancelled)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    try await processor.ended(.end, times: 2)
    XCTAssertEqual(processor.reports.map(\.outcome), [.cancelled, .succeeded])
  }

  func testCancelWhileIdleDoesNothing() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    synchronizer.cancel()
    try await synchronizer.sync()
    XCTAssertEqual(Set(processor.local.keys), ["a"])
  }

  func testTheNextSyncAfterACancelledRunWorksAsEver() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (_, run) = try await processor.held(.content("a"), during: await synchronizer.syncError())
    synchronizer.cancel()
    _ = try await run.value
    try await assertEqual(synchronizer.sync().passes[0].counts.downloaded, 1)
  }

  func testWhenARunHasEndedNoUserCodeIsStillRunning() async throws {
    let (processor, synchronizer) = makeSynchronizer((0..<8).map { TestItem("\($0)") })
    let (stubborn, run) = try await processor.held(
      .content("3"), ignoringCancellation: true, during: await synchronizer.syncError())
    synchronizer.cancel()
    try await stubborn.reached().cancelled()
    XCTAssertTrue(synchronizer.isSyncing)
    stubborn.fail(CancellationError())
    _ = try await run.value
    XCTAssertEqual(processor.inFlight, 0)
  }
}

/// Is asked about items one by one.
private final class AskingProcessor: SyncProcessor {
  private let asked = Watch()

  var questions: Int { asked.count }

  func onQuestion(_ body: @escaping @Sendable () -> Void) { asked.set(body) }
  func fetchSourceList() async throws -> SourceList<TestItem> { .complete(["a", "b", "c"]) }
  func localKeys() async throws -> Set<String> { ["a", "b", "c"] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func downloadContent(of item: TestItem) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool {
    asked.call()
    return true
  }
}
