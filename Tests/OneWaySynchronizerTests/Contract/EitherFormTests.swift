import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import XCTest

/// Which of the two forms of a download runs: the one that the processor implements, whoever looks.
final class EitherFormTests: XCTestCase {
  private let both = SyncOptions(downloadPreview: true)

  func testAProcessorMayImplementTheFormsWithProgressAloneWhoeverWatches() async throws {
    for isWatched in [false, true] {
      let processor = WithProgress()
      let synchronizer = Synchronizer(processor: processor, options: both)
      let events = isWatched ? synchronizer.events : nil
      try await synchronizer.sync()
      XCTAssertEqual(
        processor.calls.withLock { $0.sorted() },
        ["content a", "content b", "preview a", "preview b"], "watched: \(isWatched)")
      _ = events
    }
  }

  func testAProcessorMayImplementThePlainFormsAloneWhoeverWatches() async throws {
    for isWatched in [false, true] {
      let (processor, synchronizer) = makeSynchronizer(["a"], options: both)
      let events = isWatched ? synchronizer.events : nil
      try await synchronizer.sync()
      XCTAssertEqual(
        processor.calls.filter { ["preview", "content"].contains($0.name) },
        [.preview("a"), .content("a")], "watched: \(isWatched)")
      _ = events
    }
  }

  func testOfBothFormsTheOneWithProgressRunsWhoeverWatches() async throws {
    for isWatched in [false, true] {
      let processor = OfBothForms()
      let synchronizer = Synchronizer(processor: processor)
      let events = isWatched ? synchronizer.events : nil
      try await synchronizer.sync()
      XCTAssertEqual(processor.calls.withLock { $0 }, ["with progress"], "watched: \(isWatched)")
      _ = events
    }
  }

  func testAProcessorOfNeitherFormFailsEachItemAndSaysWhy() async throws {
    let error = try await Synchronizer(processor: OfNeitherForm()).syncError()
    XCTAssertEqual(error.report.failures.map(\.key), ["a"])
    XCTAssertTrue("\(error)".contains("downloadContent(of:)"), "\(error)")
  }
}

/// Tells how far each item is, and has no other form.
private struct WithProgress: SyncProcessor {
  let calls = Locked<[String]>([])

  func fetchSourceList() async throws -> SourceList<TestItem> { .complete(["a", "b"]) }
  func localKeys() async throws -> Set<String> { [] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool { false }
  func downloadPreview(of item: TestItem, progress: DownloadProgress) async throws {
    calls.withLock { $0.append("preview \(item.id)") }
  }
  func downloadContent(of item: TestItem, progress: DownloadProgress) async throws {
    progress.report(bytes: 1, of: 2)
    calls.withLock { $0.append("content \(item.id)") }
  }
}

private struct OfBothForms: SyncProcessor {
  let calls = Locked<[String]>([])

  func fetchSourceList() async throws -> SourceList<TestItem> { .complete(["a"]) }
  func localKeys() async throws -> Set<String> { [] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool { false }
  func downloadContent(of item: TestItem) async throws {
    calls.withLock { $0.append("plain") }
  }
  func downloadContent(of item: TestItem, progress: DownloadProgress) async throws {
    calls.withLock { $0.append("with progress") }
  }
}

private struct OfNeitherForm: SyncProcessor {
  func fetchSourceList() async throws -> SourceList<TestItem> { .complete(["a"]) }
  func localKeys() async throws -> Set<String> { [] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool { false }
}
