@testable import SyncEngine
@testable import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// What is downloaded, in which order, how many at once, and the commit.
final class DownloadsTests: XCTestCase {
  func testDownloadsAscendByOrderAndTiesKeepTheOrderOfTheList() async throws {
    let source = [
      TestItem("d", downloadOrder: 2), TestItem("a", downloadOrder: 1),
      TestItem("e", downloadOrder: 2), TestItem("z", downloadOrder: -1),
      TestItem("b", downloadOrder: 1),
    ]
    let processor = TestProcessor(source, local: ["a", "e"])
    processor.onItemsToUpdate { $0.reversed() }
    try await Synchronizer(processor: processor).sync()
    XCTAssertTrue(processor.calls.contains(.prepare(["z", "a", "b", "d", "e"])))
  }

  func testWhatPrepareReturnsIsDownloadedInThatOrder() async throws {
    let processor = TestProcessor(["a", "b"])
    processor.onPrepare { _ in [TestItem("late", downloadOrder: 9), "b", TestItem("x")] }
    let one = options { $0.concurrency = 1 }
    try await Synchronizer(processor: processor, options: one).sync()
    XCTAssertEqual(
      processor.calls.filter { $0.name == "content" },
      [.content("late"), .content("b"), .content("x")])
  }

  func testPrepareIsCalledOnceAlsoWithNothingToDownload() async throws {
    let processor = TestProcessor(["a"], local: ["a"])
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(processor.calls.filter { $0.name == "prepare" }, [.prepare([])])
  }

  func testTheSameKeyTwiceFromPrepareIsAnErrorOfThatStage() async throws {
    let processor = TestProcessor(["a", "b"])
    processor.onPrepare { _ in ["a", "b", "a"] }
    let error = try await Synchronizer(processor: processor).syncError()
    XCTAssertEqual(error.report.failures.map(\.stage), [.prepareDownload])
    XCTAssertEqual(error.report.failures[0].cause as? ListProblem<String>, .duplicateKey("a"))
    XCTAssertEqual(processor.calls.map(\.name).suffix(2), ["prepare", "end"])
  }

  func testPreviewsAndContentsComeAsTheOptionsSay() async throws {
    let rows: [(preview: Bool, content: Bool, calls: [String])] = [
      (false, true, ["content"]), (true, false, ["preview"]), (true, true, ["preview", "content"]),
      (false, false, []),
    ]
    for row in rows {
      let processor = TestProcessor(["a"])
      let chosen = options {
        $0.downloadPreview = row.preview; $0.downloadContent = row.content
      }
      let report = try await Synchronizer(processor: processor, options: chosen).sync()
      XCTAssertEqual(
        processor.calls.map(\.name).filter { ["preview", "content"].contains($0) }, row.calls)
      XCTAssertTrue(processor.calls.contains(.prepare(["a"])))
      XCTAssertEqual(report.passes[0].counts.downloaded, row.calls.isEmpty ? 0 : 1)
      XCTAssertEqual(report.passes[0].counts.skipped, 0)
    }
  }

  func testAllPreviewsHaveEndedBeforeTheFirstContentStarts() async throws {
    let processor = TestProcessor(["a", "b", "c"])
    let both = options { ($0.downloadPreview, $0.concurrency) = (true, 3) }
    let synchronizer = Synchronizer(processor: processor, options: both)
    let (hold, run) = try await processor.held(.preview("b"), during: await synchronizer.sync())
    try await processor.ended(.preview("a"))
    try await processor.ended(.preview("c"))
    XCTAssertFalse(processor.calls.contains { $0.name == "content" })
    hold.release()
    _ = try await run.value
    let names = processor.calls.map(\.name).filter { ["preview", "content"].contains($0) }
    XCTAssertEqual(names.firstIndex(of: "content"), 3)
  }

  func testNeverMoreRunThanTheConcurrencyAndThatManyWheneverThereIsWork() async throws {
    for width in [1, 3, 8] {
      let items = (0..<20).map { TestItem("\($0)") }
      let processor = TestProcessor(items)
      processor.handOver { $0.name == "content" }
      let chosen = options { $0.concurrency = width }
      let synchronizer = Synchronizer(processor: processor, options: chosen)
      async let run = synchronizer.sync()
      for done in 0..<20 {
        // Each finished download makes room for the next one, and only for one.
        try await processor.began(.anyContent, times: min(20, width + done))
        XCTAssertEqual(processor.inFlight, min(width, 20 - done))
        try await processor.nextCall().release()
        try await processor.ended(.anyContent, times: done + 1)
      }
      _ = try await run
      XCTAssertEqual(processor.maxInFlight, width)
    }
  }

  func testZeroAndNegativeAreAutomatic() {
    XCTAssertEqual(options { $0.concurrency = 0 }.effectiveConcurrency, 8)
    XCTAssertEqual(options { $0.concurrency = -3 }.effectiveConcurrency, 8)
    XCTAssertEqual(options { $0.concurrency = 5 }.effectiveConcurrency, 5)
    XCTAssertEqual(SyncOptions.automaticConcurrency, 8)
  }

  func testFailuresThatTheCommitReportsAreFailuresOfThoseItems() async throws {
    let processor = TestProcessor(["a", "b", "c"])
    processor.onCommit { ["b": Refused()] }
    let error = try await Synchronizer(processor: processor).syncError()
    XCTAssertEqual(error.report.failures.map(\.stage), [.commitDownloads])
    XCTAssertEqual(error.report.failures.map(\.key), ["b"])
    XCTAssertEqual(error.report.passes[0].counts.downloaded, 2)
    XCTAssertEqual(error.report.passes[0].counts.failed, 1)
  }

  func testTheCommitIsCalledOnceAlsoWhenDownloadsWereStoppedOrCancelled() async throws {
    let stopped = TestProcessor(["a", "b"])
    stopped.fail(.anyContent, with: Refused())
    _ = try await Synchronizer(processor: stopped).syncError()
    XCTAssertEqual(stopped.calls.filter { $0 == .commit }, [.commit])

    let cancelled = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: cancelled)
    cancelled.onContent { _ in
      synchronizer.cancel()
      try Task.checkCancellation()
      throw CancellationError()
    }
    cancelled.onCommit {
      XCTAssertFalse(Task.isCancelled, "the commit's task isn't cancelled")
      return [:]
    }
    _ = try await synchronizer.syncError()
    XCTAssertEqual(cancelled.calls.suffix(2), [.commit, .end(.cancelled)])
  }

  func testACommitThatThrowsCancellationErrorInACancelledRunIsCalledOnce() async throws {
    // It was called again and again: the engine took the error for the commit's interruption.
    let (processor, synchronizer) = makeSynchronizer(["a"])
    processor.onCommit {
      synchronizer.cancel()
      throw CancellationError()
    }
    let error = try await synchronizer.syncError()
    XCTAssertEqual(processor.calls.filter { $0 == .commit }, [.commit])
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.failures.map(\.stage), [.commitDownloads])
    XCTAssertEqual(error.report.passes[0].counts.failed, 1)
  }

  func testFailuresOfTheCommitKeepTheOrderOfTheDownloads() async throws {
    let items = (0..<20).map { TestItem("\($0)") }
    let (processor, synchronizer) = makeSynchronizer(items)
    processor.onCommit { Dictionary(uniqueKeysWithValues: items.map { ($0.id, Refused()) }) }
    let recorder = EventRecorder(synchronizer.events)
    try await assertEqual(synchronizer.syncError().report.failures.map(\.key), items.map(\.id))
    let told = await recorder.eventsUntilRunEnd().filter {
      if case .failed(.commitDownloads, _, _, _) = $0 { true } else { false }
    }
    XCTAssertEqual(told.count, 20)
  }

  func testACommitThatThrowsFailsEverythingThatWasDownloaded() async throws {
    let processor = TestProcessor(["a", "b"])
    processor.fail(.commit, with: Refused())
    let error = try await Synchronizer(processor: processor).syncError()
    XCTAssertEqual(error.report.passes[0].counts.failed, 2)
    XCTAssertEqual(error.report.passes[0].counts.downloaded, 0)
    XCTAssertEqual(error.report.failures.map(\.key), [nil])
  }

  func testTheDownloadsWorkersRunWhereDownloadsAreToRun() async throws {
    let executor = LateExecutor()
    let processor = TestProcessor((0..<9).map { TestItem("\($0)") })
    let synchronizer = Synchronizer(
      processor: processor, options: options { $0.concurrency = 3 },
      requestWindow: RequestWindow(), clock: ContinuousClock(), executor: nil,
      downloadExecutor: executor)
    async let report = synchronizer.sync()
    await eventually("the workers are ready") { executor.keptCount == 3 }
    XCTAssertEqual(processor.calls.last?.name, "prepare")
    executor.letGo()
    try await assertEqual(report.passes.first?.counts.downloaded, 9)
  }
}
