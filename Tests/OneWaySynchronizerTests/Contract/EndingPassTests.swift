import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import XCTest

/// Errors that end a pass: of a download that says so, and of the watch beside the downloads.
final class EndingPassTests: XCTestCase {
  private struct DiskIsFull: Error {}

  private let going = options { ($0.stopOnError, $0.concurrency) = (false, 1) }

  func testADownloadsErrorThatEndsThePassDoesSoAsItsOwnFailure() async throws {
    let processor = TestProcessor(["a", "full", "c"], local: ["gone"])
    processor.fail(.content("full"), with: DiskIsFull())
    processor.onEndsPass { $0 is DiskIsFull }
    var late = going
    late.removal = .afterDownloads
    let error = try await Synchronizer(processor: processor, options: late).syncError()
    XCTAssertEqual(error.code, .failed)
    XCTAssertEqual(error.report.failures.map(\.key), ["full"])
    XCTAssertTrue(error.report.failures[0].cause is DiskIsFull)
    XCTAssertFalse(processor.calls.contains(.content("c")))
    XCTAssertEqual(processor.calls.suffix(2), [.commit, .end(.failed)], "nothing is removed")
    let counts = error.report.counts
    XCTAssertEqual([counts.downloaded, counts.failed, counts.skipped], [1, 1, 1])
  }

  func testOthersOfItsKindAreNotCountedAgain() async throws {
    let processor = TestProcessor((0..<8).map { TestItem("\($0)") })
    processor.onEndsPass { $0 is DiskIsFull }
    let gate = Gate()
    processor.onContent { _ in
      try? await gate.wait()  // all eight meet the full disk, the cancelled ones too
      throw DiskIsFull()
    }
    let wide = options { $0.stopOnError = false }
    let synchronizer = Synchronizer(processor: processor, options: wide)
    async let run = synchronizer.syncError()
    try await processor.began(.anyContent, times: 8)
    gate.open()
    let error = try await run
    XCTAssertEqual(error.report.failures.count, 1)
    XCTAssertEqual(error.report.counts.failed, 1)
    XCTAssertEqual(error.report.counts.skipped, 7)
  }

  func testOtherErrorsDoNotEndThePass() async throws {
    let processor = TestProcessor(["a", "bad", "c"])
    processor.fail(.content("bad"), with: Refused())
    processor.onEndsPass { $0 is DiskIsFull }
    let error = try await Synchronizer(processor: processor, options: going).syncError()
    XCTAssertEqual(error.report.counts.downloaded, 2)
  }

  func testWhatTheWatchThrowsEndsThePassAndIsCountedOnce() async throws {
    let processor = TestProcessor(["a", "b", "c"])
    let gate = Gate()
    processor.onWatch {
      try await gate.wait()
      throw DiskIsFull()
    }
    let hold = processor.hold(.content("b"))
    processor.onCommit { throw DiskIsFull() }
    let synchronizer = Synchronizer(processor: processor, options: going)
    async let run = synchronizer.syncError()
    try await hold.reached()
    gate.open()
    let error = try await run
    XCTAssertTrue(hold.wasCancelled)
    XCTAssertEqual(error.report.failures.map(\.stage), [.downloadContents])
    XCTAssertEqual(error.report.failures.map(\.key), [nil])
    XCTAssertEqual(processor.calls.suffix(2), [.commit, .end(.failed)])
    let counts = error.report.counts
    XCTAssertEqual([counts.downloaded, counts.failed, counts.skipped], [0, 0, 3])
  }

  func testItemsThatTheCommitLostToTheSameCauseAreNotCountedAgain() async throws {
    let processor = TestProcessor(["a", "b"])
    let never = Gate()  // so that the watch throws while a download is under way
    processor.onContent { if $0.id == "b" { try await never.wait() } }
    processor.onWatch { throw DiskIsFull() }
    processor.onCommit { ["a": DiskIsFull()] }
    let error = try await Synchronizer(processor: processor, options: going).syncError()
    XCTAssertEqual(error.report.failures.filter { $0.cause is DiskIsFull }.map(\.key), [nil])
    XCTAssertEqual(error.report.counts.downloaded, 0)
  }

  func testTheWatchIsCancelledAndWaitedForWhenTheDownloadsHaveEnded() async throws {
    let processor = TestProcessor(["a"])
    let log = Locked<[String]>([])
    let never = Gate()
    processor.onWatch {
      do { try await never.wait() } catch {
        log.withLock { $0.append("watch ended") }
        throw error
      }
    }
    processor.onCommit {
      log.withLock { $0.append("commit") }
      return [:]
    }
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(log.withLock { $0 }, ["watch ended", "commit"])
  }

  func testAWatchThatTranslatesItsCancellationFailsNothing() async throws {
    for endsPass in [false, true] {
      let processor = TestProcessor(["a"])
      let never = Gate()
      processor.onWatch { do { try await never.wait() } catch { throw Refused() } }
      processor.onEndsPass { _ in endsPass }
      let result = await Task { try await Synchronizer(processor: processor).sync() }.result
      XCTAssertEqual((try? result.get()) != nil, !endsPass, "unless it says that it matters")
    }
  }

  func testTheWatchStandsBesideEachDownloadStage() async throws {
    let processor = TestProcessor(["a"])
    let watch = Watch()
    processor.onWatch { watch.call() }
    try await Synchronizer(processor: processor, options: options { $0.downloadPreview = true })
      .sync()
    XCTAssertEqual(watch.count, 2)
    try await Synchronizer(processor: TestProcessor([])).sync()
    XCTAssertEqual(watch.count, 2)
  }
}
