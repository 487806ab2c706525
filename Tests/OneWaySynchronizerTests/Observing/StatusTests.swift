@testable import SyncEngine
import Foundation
import Observation
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

@testable import OneWaySynchronizer

/// The status: as a stream, a notification, a model for views and a `Progress`.
final class StatusTests: XCTestCase {
  private func newest(
    _ status: inout AsyncStream<SyncStatus>.AsyncIterator
  ) async throws -> SyncStatus {
    let next = await status.next(isolation: #isolation)
    return try XCTUnwrap(next)
  }

  func testAReaderSeesTheNewestAndNeverFallsBehind() async throws {
    let (_, synchronizer) = makeSynchronizer((0..<500).map { TestItem("\($0)") })
    var status = synchronizer.status.makeAsyncIterator()
    await assertEqual(status.next(), SyncStatus())
    for run in 1...3 {
      try await synchronizer.sync()
      var now = try await newest(&status)
      XCTAssertEqual(now.run, run, "what lay between was skipped")
      if now.isSyncing { now = try await newest(&status) }  // callers are told before observers
      XCTAssertFalse(now.isSyncing)
      XCTAssertEqual(now.lastResult?.outcome, .succeeded)
    }
  }

  func testItTellsStageTotalsAndResult() async throws {
    let processor = TestProcessor(["a", "bad"])
    processor.fail(.content("bad"), with: Refused())
    let going = options { ($0.concurrency, $0.stopOnError) = (1, false) }
    let synchronizer = Synchronizer(processor: processor, options: going)
    var status = synchronizer.status.makeAsyncIterator()
    let fetch = processor.hold(.fetch)
    let commit = processor.hold(.commit)
    let bad = processor.hold(.content("bad"))
    async let run = synchronizer.syncError()
    try await fetch.reached()
    let listing = try await newest(&status)
    XCTAssertEqual(listing.stage, .fetchSourceList)
    XCTAssertEqual([listing.run, listing.pass], [1, 1])
    XCTAssertTrue(listing.isSyncing)
    XCTAssertNil(listing.totals)
    fetch.release()
    try await bad.reached()
    let loading = try await newest(&status)
    XCTAssertEqual(loading.stage, .downloadContents)
    XCTAssertEqual(loading.totals, ItemTotals(finished: 1, failed: 0, total: 2))
    bad.release()
    try await commit.reached()
    commit.release()
    let error = try await run
    var last = try await newest(&status)
    while last.isSyncing { last = try await newest(&status) }
    XCTAssertNil(last.stage)
    XCTAssertEqual(last.lastResult?.outcome, .failed)
    XCTAssertEqual(last.lastResult?.counts.downloaded, 1)
    XCTAssertEqual(last.lastResult?.message, error.localizedDescription)
  }

  func testAReaderThatLeavesIsForgotten() {
    let synchronizer = Synchronizer(processor: TestProcessor(["a"]))
    var status: AsyncStream<SyncStatus>? = synchronizer.status
    XCTAssertTrue(synchronizer.hub.isObserved)
    _ = status
    status = nil
    XCTAssertFalse(synchronizer.hub.isObserved)
  }

  func testTheStreamEndsWithTheSynchronizer() async throws {
    var synchronizer: Synchronizer? = Synchronizer(processor: TestProcessor(["a"]))
    let status = try XCTUnwrap(synchronizer?.status)
    try await synchronizer?.sync()
    synchronizer = nil
    var last: SyncStatus?
    for await next in status { last = next }
    XCTAssertEqual(last?.lastResult?.outcome, .succeeded)
  }

  func testAProcessorTellsHowFarAnItemIs() async throws {
    let processor = ByteProcessor()
    let synchronizer = Synchronizer(processor: processor)
    let recorder = EventRecorder(synchronizer.events)
    try await synchronizer.sync()
    let late = try XCTUnwrap(processor.kept.withLock { $0 })
    late.report(bytes: 99)
    let events = await recorder.eventsUntilRunEnd().filter(\.isItemEvent)
    let none = ItemTotals(finished: 0, failed: 0, total: 1)
    XCTAssertEqual(
      events,
      [
        .started(.downloadContents, "a", none),
        .progressed(
          .downloadContents, "a",
          ItemTotals(finished: 0, failed: 0, total: 1, bytesUnderWay: 5),
          ItemBytes(done: 5, total: 10)),
        .finished(.downloadContents, "a", ItemTotals(finished: 1, failed: 0, total: 1)),
      ], "and what comes after the end isn't told")
    XCTAssertFalse(processor.wasObserved.withLock { $0 }.isEmpty)
    XCTAssertEqual(Set(processor.wasObserved.withLock { $0 }), [true])
  }

  func testWithoutAnObserverAProcessorNeedntTell() async throws {
    let processor = ByteProcessor()
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(processor.wasObserved.withLock { $0 }, [false])
  }

  @MainActor
  func testTheNotificationSaysWhetherARunStartsAndWhichItIs() async throws {
    let synchronizer = Synchronizer(processor: TestProcessor(["a"]))
    let (posts, continuation) = AsyncStream<String>.makeStream()
    let observer = NotificationCenter.default.addObserver(
      forName: .OneWaySynchronizerDidChangeSyncStatus, object: synchronizer, queue: nil
    ) { notification in
      let isSyncing = notification.userInfo?[SyncStatusKey.isSyncing] as? Bool
      let run = notification.userInfo?[SyncStatusKey.run] as? Int
      continuation.yield("\(isSyncing == true ? "start" : "end") \(run ?? 0)")
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    var iterator = posts.makeAsyncIterator()
    for run in 1...2 {
      try await synchronizer.sync()
      await assertEqual(iterator.next(), "start \(run)")
      await assertEqual(iterator.next(), "end \(run)")
    }
  }

  @MainActor
  func testAModelTellsItsViewsAndKeepsNothingAlive() async throws {
    let processor = TestProcessor(["a"])
    var synchronizer: Synchronizer? = Synchronizer(processor: processor)
    weak let released = synchronizer
    var model: SyncModel? = SyncModel(try XCTUnwrap(synchronizer))
    weak let releasedModel = model
    XCTAssertEqual(model?.isSyncing, false)
    XCTAssertNil(model?.lastSuccess)
    let changes = AsyncStream<Void>.makeStream()
    withObservationTracking {
      _ = model?.isSyncing
    } onChange: {
      changes.continuation.yield()
    }
    let hold = processor.hold(.fetch)
    let run = Task { [synchronizer] in try await synchronizer?.sync() }
    try await hold.reached()
    var iterator = changes.stream.makeAsyncIterator()
    await iterator.next()
    await eventually("the view sees it") { model?.isSyncing == true }
    hold.release()
    _ = try await run.value
    await eventually("the view sees the end") {
      model?.status.lastResult?.outcome == .succeeded && model?.isSyncing == false
    }
    let success = try XCTUnwrap(model?.lastSuccess)
    XCTAssertLessThan(abs(success.timeIntervalSinceNow), 3_600, "today, and not since 1970 or 2001")
    synchronizer = nil
    await eventually("the synchronizer is freed") { released == nil }
    model = nil
    await eventually("the model is freed") { releasedModel == nil }
  }

  /// A screen's model stayed until the next run: twenty thousand of them held 90 MiB.
  @MainActor
  func testAModelThatIsLetGoOfLeavesNothingBehindWhileTheSynchronizerIsIdle() async throws {
    let synchronizer = Synchronizer(processor: TestProcessor(["a"]))
    var model: SyncModel? = SyncModel(synchronizer)
    weak let released = model
    XCTAssertTrue(synchronizer.hub.isObserved)
    model = nil
    XCTAssertNil(released)
    await eventually("nobody reads the status") { !synchronizer.hub.isObserved }
  }

  func testTheFractionStaysWhereAFailedItemIsTriedAnew() async throws {
    let (processor, synchronizer) = makeSynchronizer(
      ["a", "b", "c"], options: SyncOptions(concurrency: 3, stopOnError: false))
    processor.fail(.content("a"), with: Refused(), times: 1)
    let last = processor.hold(.content("c"))
    var statuses = synchronizer.status.makeAsyncIterator()
    let run = Task { try await synchronizer.sync() }
    try await last.reached()
    var before = 0.0
    while before < 0.6 { before = await statuses.next()?.fraction ?? 0 }
    let again = processor.hold(.content("a"))
    let seeker = Task { try await synchronizer.ensure("a") }
    try await again.reached()
    let status = await statuses.next()
    XCTAssertEqual(status?.totals?.ended, 1, "it isn't over any more")
    XCTAssertEqual(status?.fraction, before)
    again.release()
    last.release()
    _ = try await (run.value, seeker.value)
  }

  func testTheFractionNeverGoesBackWithinAPassAndBeginsAnewWithTheNext() async throws {
    let processor = TestProcessor((0..<20).map { TestItem("\($0)") })
    processor.fail(.preview("7"), with: Refused())
    processor.fail(.content("3"), with: Refused())
    let both = options { ($0.downloadPreview, $0.stopOnError) = (true, false) }
    let synchronizer = Synchronizer(processor: processor, options: both)
    let statuses = synchronizer.status
    let (hold, run) = try await processor.held(.fetch, during: await synchronizer.syncError())
    let further = try await synchronizer.caller(2, makes: await synchronizer.syncError())
    hold.release()
    var last: [Int: Double] = [:]
    for await status in statuses {
      guard status.isSyncing else {
        XCTAssertNil(status.fraction)
        if status.run == 1 { break }
        continue
      }
      guard let pass = status.pass else { continue }
      if status.stage == .fetchSourceList { XCTAssertNil(status.fraction) }
      guard let fraction = status.fraction else { continue }
      XCTAssertGreaterThanOrEqual(fraction, last[pass] ?? 0, "\(status)")
      if status.stage == .commitDownloads { XCTAssertEqual(fraction, 1) }
      last[pass] = fraction
    }
    _ = try await (run.value, further.value)
  }

  func testItSaysHowLongAgoTheLastRunSucceeded() async throws {
    let clock = ManualClock()
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    var status = synchronizer.status.makeAsyncIterator()
    try await assertNil(newest(&status).sinceSuccess)
    try await synchronizer.sync()
    while try await newest(&status).isSyncing {}
    clock.advance(by: .seconds(180))
    processor.fail(.fetch, with: Refused())
    _ = try await synchronizer.syncError()
    var last = try await newest(&status)
    while last.isSyncing { last = try await newest(&status) }
    XCTAssertEqual(last.sinceSuccess, .seconds(180), "a run that failed doesn't count")
  }

  func testBytesOfEndedItemsAreNotUnderWay() async throws {
    let synchronizer = Synchronizer(processor: ByteProcessor())
    var first: AsyncStream<SyncStatus>? = synchronizer.status
    _ = first
    try await synchronizer.sync()
    first = nil
    for await status in synchronizer.status where !status.isSyncing { break }
    let recorder = EventRecorder(synchronizer.events)
    try await synchronizer.sync()
    let items = await recorder.eventsUntilRunEnd().compactMap { event in
      if case .finished(_, _, let totals) = event { totals.bytesUnderWay } else { nil }
    }
    XCTAssertEqual(items, [0])
  }

  func testAnAlertShowsTheSentence() {
    let errors: [any Error] = [
      TestError(code: .cancelled, report: SyncReport()),
      ListProblem.duplicateKey("a"), TimedOut(limit: .seconds(3)),
    ]
    for error in errors { XCTAssertEqual(error.localizedDescription, "\(error)") }
  }
}

/// Tells of five bytes of ten, and keeps what it tells with.
private struct ByteProcessor: SyncProcessor {
  let kept = Locked<DownloadProgress?>(nil)
  let wasObserved = Locked<[Bool]>([])

  func fetchSourceList() async throws -> SourceList<TestItem> { .complete(["a"]) }
  func localKeys() async throws -> Set<String> { [] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool { false }
  func downloadContent(of item: TestItem) async throws {
    wasObserved.withLock { $0.append(false) }
  }
  func downloadContent(of item: TestItem, progress: DownloadProgress) async throws {
    kept.withLock { $0 = progress }
    wasObserved.withLock { $0.append(progress.isObserved) }
    progress.report(bytes: 5, of: 10)
  }
}
