import OneWaySynchronizer
import SynchronizerTesting
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
      let hold = processor.hold(place)
      async let run = synchronizer.syncError()
      try await hold.reached()
      synchronizer.cancel()
      let error = try await run
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
      let processor = TestProcessor(["a"], local: ["gone"])
      let synchronizer = Synchronizer(processor: processor)
      // A processor that doesn't notice: its call ends well although it was cancelled.
      let hold = processor.hold(place, ignoringCancellation: true)
      async let run = synchronizer.syncError()
      try await hold.reached()
      synchronizer.cancel()
      hold.release()
      let code = try await run.code
      XCTAssertEqual(code, .cancelled, "\(place)")
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
    let hold = processor.hold(.content("a"))
    async let first = synchronizer.syncError()
    try await hold.reached()
    try await processor.ended(.content("bad"))
    async let second = synchronizer.syncError()
    await eventually("two callers wait") { synchronizer.waitingCallers == 2 }
    synchronizer.cancel()
    for error in try await [first, second] {
      XCTAssertEqual(error.code, .cancelled)
      XCTAssertEqual(error.report.passes.count, 1)
      XCTAssertEqual(error.report.failures.map(\.key), ["bad"], "what failed before is reported")
    }
  }

  func testSuccessWinsWhenEverythingWasDone() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    processor.onCommit {
      synchronizer.cancel()
      return [:]
    }
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.passes[0].outcome, .succeeded)
  }

  func testSuccessDoesNotWinWhenAFurtherPassWasOwed() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.commit)
    async let first = synchronizer.syncError()
    try await hold.reached()
    async let second = synchronizer.syncError()
    await eventually("two callers wait") { synchronizer.waitingCallers == 2 }
    synchronizer.cancel()
    hold.release()
    let codes = try await [first, second].map(\.code)
    XCTAssertEqual(codes, [.cancelled, .cancelled])
  }

  func testACallWhileACancelledRunWindsDownStartsANewRunAfterIt() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.fetch, ignoringCancellation: true)
    async let first = synchronizer.syncError()
    try await hold.reached()
    synchronizer.cancel()
    async let second = synchronizer.sync()
    await eventually("two callers wait") { synchronizer.waitingCallers == 2 }
    hold.release()
    let error = try await first
    XCTAssertEqual(error.code, .cancelled)
    let report = try await second
    XCTAssertEqual(report.passes.map(\.outcome), [.succeeded])
  }

  func testARunThatIsCancelledBeforeItsFirstPassBeganCallsNothing() async throws {
    let processor = TestProcessor(["a"])
    let executor = LateExecutor()
    let synchronizer = Synchronizer(
      processor: processor, options: SyncOptions(), requestWindow: RequestWindow(),
      clock: ContinuousClock(), executor: executor)
    let recorder = EventRecorder(synchronizer.events)
    async let run = synchronizer.syncError()
    await eventually("the caller waits") { synchronizer.waitingCallers == 1 }
    // The owner hasn't had its first turn.
    synchronizer.cancel()
    executor.letGo()
    let error = try await run
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.passes.count, 0)
    XCTAssertEqual(processor.calls, [])
    let events = await recorder.eventsUntilRunEnd()
    XCTAssertEqual(events, [.runStarted(1), .runFailed(.cancelled, passes: 0)])
  }

  func testARequestWhileACancelledRunWindsDownIsServedAfterIt() async throws {
    let clock = ManualClock()
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor, clock: clock)
    let hold = processor.hold(.fetch, ignoringCancellation: true)
    async let run = synchronizer.syncError()
    try await hold.reached()
    synchronizer.cancel()
    synchronizer.requestSync()
    hold.release()
    let error = try await run
    XCTAssertEqual(error.code, .cancelled)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    try await processor.ended(.end, times: 2)
    XCTAssertEqual(processor.reports.map(\.outcome), [.cancelled, .succeeded])
  }

  func testCancelWhileIdleDoesNothing() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    synchronizer.cancel()
    try await synchronizer.sync()
    XCTAssertEqual(Set(processor.local.keys), ["a"])
  }

  func testTheNextSyncAfterACancelledRunWorksAsEver() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.content("a"))
    async let run = synchronizer.syncError()
    try await hold.reached()
    synchronizer.cancel()
    _ = try await run
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.passes[0].counts.downloaded, 1)
  }

  func testWhenARunHasEndedNoUserCodeIsStillRunning() async throws {
    let processor = TestProcessor((0..<8).map { TestItem("\($0)") })
    let synchronizer = Synchronizer(processor: processor)
    let stubborn = processor.hold(.content("3"), ignoringCancellation: true)
    async let run = synchronizer.syncError()
    try await stubborn.reached()
    synchronizer.cancel()
    try await stubborn.reached().cancelled()
    XCTAssertTrue(synchronizer.isSyncing)
    stubborn.fail(CancellationError())
    _ = try await run
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
