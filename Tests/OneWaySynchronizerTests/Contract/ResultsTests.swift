import OneWaySynchronizer
import SynchronizerTesting
import XCTest

/// Reports and errors.
final class ResultsTests: XCTestCase {
  func testTheReportCountsWhatWasDone() async throws {
    let processor = TestProcessor(
      ["new", "same", "changed", "bad"], local: ["same", "changed", "gone"])
    processor.outdated = ["changed"]
    processor.fail(.content("bad"), with: Refused())
    let going = options { $0.stopOnError = false }
    let error = try await Synchronizer(processor: processor, options: going).syncError()
    let counts = error.report.passes[0].counts
    XCTAssertEqual(counts.listed, 4)
    XCTAssertEqual(counts.removed, 1)
    XCTAssertEqual(counts.updated, 1)
    XCTAssertEqual(counts.downloaded, 2)
    XCTAssertEqual(counts.skipped, 0)
    XCTAssertEqual(counts.failed, 1)
  }

  func testDurationsAreGivenByStage() async throws {
    let clock = ManualClock()
    let processor = TestProcessor(["a"])
    processor.onFetch {
      clock.advance(by: .seconds(3))
      return .complete(["a"])
    }
    processor.onContent { _ in clock.advance(by: .seconds(5)) }
    processor.onEnd { _ in clock.advance(by: .seconds(1)) }
    let report = try await Synchronizer(processor: processor, clock: clock).sync()
    let durations = report.passes[0].durations
    XCTAssertEqual(durations[.fetchSourceList], .seconds(3))
    XCTAssertEqual(durations[.downloadContents], .seconds(5))
    XCTAssertEqual(durations[.end], .seconds(1))
    XCTAssertEqual(durations[.begin], .zero)
    XCTAssertNil(durations[.removeLocalItems])
  }

  func testEveryErrorSaysStageKeyAndCauseInASentence() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.content("a"), with: Refused(reason: "no"))
    let error = try await Synchronizer(processor: processor).syncError()
    XCTAssertEqual(
      "\(error)",
      """
      The sync failed: downloadContents of a failed: Refused(reason: "no"). \
      Mend the cause, then sync again.
      """)
    XCTAssertEqual(
      "\(TestError(code: .removalRefused(count: 4, of: 5), report: SyncReport()))",
      """
      The sync would have removed 4 of 5 local items, which is over the limit; none of them \
      was. Check the source, or raise the removal limit.
      """)
    XCTAssertEqual(
      "\(TestError(code: .cancelled, report: SyncReport()))",
      "The sync was cancelled before everything was done; sync again to go on.")
    XCTAssertEqual(
      "\(ListProblem.duplicateKey("k"))",
      "the key k is listed twice; give every item a key of its own")
  }

  func testACancelledRunIsASyncErrorAndNotACancellationError() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    processor.onFetch {
      synchronizer.cancel()
      throw CancellationError()
    }
    let error = try await synchronizer.syncError()
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.passes.map(\.outcome), [.cancelled])
  }
}
