import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import XCTest

/// `commitDownloads(after:)`: the commit of a processor that writes all or nothing.
final class CommitEndingTests: XCTestCase {
  /// Commits only what came as a whole.
  private final class Whole: StoreSyncProcessor {
    let endings = Locked<[DownloadsEnding]>([])
    let onContent = Locked<(@Sendable (String) throws -> Void)?>(nil)

    func fetchSourceList() -> SourceList<TestItem> { .complete(["a", "b", "c"]) }
    func localKeys() -> Set<String> { [] }
    func removeLocalItems(_ keys: Set<String>) {}
    func shouldUpdate(_ item: TestItem) async throws -> Bool { false }
    func downloadContent(of item: TestItem) throws {
      try onContent.withLock { $0 }?(item.id)
    }

    func commitDownloads(after ending: DownloadsEnding) -> [String: any Error] {
      endings.withLock { $0.append(ending) }
      guard ending != .tried else { return [:] }
      return ["a": CancellationError(), "b": CancellationError()]
    }
  }

  private func run(
    stopOnError: Bool, _ onContent: @escaping @Sendable (Synchronizer<Whole>, String) throws -> Void
  ) async throws -> (Whole, PassReport<String>) {
    let processor = Whole()
    let synchronizer = Synchronizer(
      processor: processor, options: SyncOptions(concurrency: 1, stopOnError: stopOnError))
    processor.onContent.withLock { hook in
      hook = { key in try onContent(synchronizer, key) }
    }
    defer { processor.onContent.withLock { $0 = nil } }
    do {
      return (processor, try await synchronizer.sync().passes[0])
    } catch let error as SyncError<String> {
      return (processor, error.report.passes[0])
    }
  }

  func testItIsToldHowTheDownloadsEnded() async throws {
    let (whole, done) = try await run(stopOnError: true) { _, _ in }
    XCTAssertEqual(whole.endings.withLock { $0 }, [.tried])
    XCTAssertEqual(done.counts.downloaded, 3)

    let (tried, failed) = try await run(stopOnError: false) { _, key in
      if key == "b" { throw Refused() }
    }
    XCTAssertEqual(tried.endings.withLock { $0 }, [.tried])
    XCTAssertEqual(failed.counts.downloaded, 2)
  }

  func testWhatWasCutShortIsNotCommittedAndHasNotFailed() async throws {
    let (stopped, failed) = try await run(stopOnError: true) { _, key in
      if key == "b" { throw Refused() }
    }
    XCTAssertEqual(stopped.endings.withLock { $0 }, [.stopped])
    XCTAssertEqual(failed.counts.downloaded, 0)
    XCTAssertEqual(failed.failures.map(\.key), ["b"])

    let (left, cancelled) = try await run(stopOnError: true) { synchronizer, key in
      if key == "b" { synchronizer.cancel() }
    }
    XCTAssertEqual(left.endings.withLock { $0 }, [.cancelled])
    XCTAssertEqual(cancelled.outcome, .cancelled)
    XCTAssertEqual(cancelled.counts.downloaded, 0)
    XCTAssertEqual(cancelled.counts.skipped, 3)
    XCTAssertTrue(cancelled.failures.isEmpty)
  }
}
