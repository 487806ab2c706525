import Foundation
import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// What calls throw that were cut short is no failure, whatever word the system has for it.
final class CutShortErrorTests: XCTestCase {
  private struct Gone: Error {}

  private let words: [any Error] = [
    CancellationError(), URLError(.cancelled), CocoaError(.userCancelled),
    NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled),
    NSError(domain: NSCocoaErrorDomain, code: CocoaError.userCancelled.rawValue),
  ]

  /// A processor of which all but the first download wait until they are cut short, and then throw
  /// this.
  private func processor(throwing word: any Error) -> TestProcessor {
    let processor = TestProcessor(["first", "a", "b", "c"])
    processor.onContent { item in
      if item.id == "first" { return try await processor.began(.content("c"), times: 1) }
      do { try await Task.sleep(for: .seconds(3_600)) } catch { throw word }
    }
    return processor
  }

  func testADownloadThatACancelCutShortHasNotFailed() async throws {
    for word in words {
      for stops in [true, false] {
        let processor = processor(throwing: word)
        let synchronizer = Synchronizer(
          processor: processor, options: SyncOptions(stopOnError: stops))
        async let run = synchronizer.syncError()
        try await processor.ended(.content("first"))
        synchronizer.cancel()
        let error = try await run
        XCTAssertEqual(error.code, .cancelled, "\(word)")
        XCTAssertEqual(error.report.failures.count, 0, "\(word)")
        XCTAssertEqual(error.report.counts.skipped, 3, "\(word)")
      }
    }
  }

  func testADownloadThatAFailureCutShortHasNotFailed() async throws {
    for word in words {
      let processor = processor(throwing: word)
      processor.fail(.content("first"), with: Refused())
      let hold = processor.hold(.content("first"))
      async let run = Synchronizer(processor: processor).syncError()
      try await processor.began(.content("c"), times: 1)
      hold.release()
      try await assertEqual(run.report.failures.map(\.key), ["first"], "\(word)")
    }
  }

  func testAProcessorNamesItsOwnWordForIt() async throws {
    let processor = CutProcessor()
    let synchronizer = Synchronizer(processor: processor)
    async let run = synchronizer.syncError()
    try await processor.inner.began(.content("a"), times: 1)
    synchronizer.cancel()
    let error = try await run
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.failures.count, 0)
  }

  func testAnotherStageThatACancelCutShortHasNotFailed() async throws {
    let processor = TestProcessor(["a"])
    processor.onFetch {
      do { try await Task.sleep(for: .seconds(3_600)) } catch { throw URLError(.cancelled) }
      return .unchanged
    }
    let synchronizer = Synchronizer(processor: processor)
    async let run = synchronizer.syncError()
    try await processor.began(.fetch, times: 1)
    synchronizer.cancel()
    let error = try await run
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.failures.count, 0)
  }

  func testWhileNothingStopsTheProcessorSaysWhetherItEndsThePass() async throws {
    for word in words where !(word is CancellationError) {
      let processor = TestProcessor(["a", "b"])
      processor.fail(.content("a"), with: word)
      processor.onEndsPass { _ in true }
      let options = SyncOptions(concurrency: 1, stopOnError: false)
      let error = try await Synchronizer(processor: processor, options: options).syncError()
      XCTAssertEqual(error.report.failures.map(\.key), ["a"], "\(word)")
      XCTAssertEqual(error.report.counts.skipped, 1, "\(word)")
    }
  }

  func testWhileNothingStopsItIsAFailureLikeAnyOther() async throws {
    for word in words {
      let processor = TestProcessor(["a"])
      processor.fail(.content("a"), with: word)
      let error = try await Synchronizer(processor: processor).syncError()
      XCTAssertEqual(error.code, .failed, "\(word)")
      XCTAssertEqual(error.report.failures.count, 1, "\(word)")
    }
  }
}

/// A processor with a word of its own for a call that was cut short.
private struct CutProcessor: SyncProcessor {
  struct Severed: Error {}

  let inner = TestProcessor(["a"])

  func fetchSourceList() async throws -> SourceList<TestItem> { .complete(["a"]) }
  func localKeys() async throws -> Set<String> { [] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool { false }
  func downloadContent(of item: TestItem) async throws {
    let hold = inner.hold(.content(item.id))
    do { try await inner.downloadContent(of: item) } catch { throw Severed() }
    withExtendedLifetime(hold) {}
  }
  func isCancellation(_ error: any Error) async -> Bool { error is Severed }
}
