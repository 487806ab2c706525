import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// What a failed download does to the others.
final class StopOnErrorTests: XCTestCase {
  func testAFailureStopsTheRestAndWhatIsInFlightIsCancelledAndAwaited() async throws {
    let processor = TestProcessor(["bad", "slow", "later"])
    let two = options { $0.concurrency = 2 }
    let synchronizer = Synchronizer(processor: processor, options: two)
    let slow = processor.hold(.content("slow"), ignoringCancellation: true)
    let bad = processor.hold(.content("bad"))
    async let run = synchronizer.syncError()
    try await slow.reached()
    try await bad.reached()
    bad.fail(Refused())
    try await slow.reached().cancelled()
    XCTAssertTrue(synchronizer.isSyncing, "what is in flight is waited for")
    XCTAssertFalse(processor.calls.contains(.commit))
    slow.fail(CancellationError())
    let error = try await run
    XCTAssertFalse(processor.calls.contains(.content("later")))
    XCTAssertEqual(error.code, .failed)
    XCTAssertEqual(error.report.failures.map(\.key), ["bad"])
    XCTAssertEqual(error.report.passes[0].counts.skipped, 2)
  }

  func testAnythingButACancellationErrorThrownWhileStoppingIsReported() async throws {
    let (processor, synchronizer) = makeSynchronizer(["bad", "slow"])
    let slow = processor.hold(.content("slow"), ignoringCancellation: true)
    let bad = processor.hold(.content("bad"))
    async let run = synchronizer.syncError()
    try await slow.reached()
    try await bad.reached()
    bad.fail(Refused())
    try await slow.reached().cancelled()
    slow.fail(Refused(reason: "late"))
    try await assertEqual(run.report.failures.map(\.key), ["bad", "slow"])
  }

  func testACancellationErrorWithoutACancellationIsAFailure() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.content("a"), with: CancellationError())
    let error = try await Synchronizer(processor: processor).syncError()
    XCTAssertEqual(error.code, .failed)
    XCTAssertTrue(error.report.failures[0].cause is CancellationError)
  }

  func testAFailedPreviewSkipsTheContents() async throws {
    let processor = TestProcessor(["a", "b"])
    processor.fail(.preview("a"), with: Refused())
    let both = options { $0.downloadPreview = true }
    let error = try await Synchronizer(processor: processor, options: both).syncError()
    XCTAssertEqual(error.report.failures.map(\.stage), [.downloadPreviews])
    XCTAssertFalse(processor.calls.contains { $0.name == "content" })
  }

  func testWithoutStoppingEverythingIsTriedAndErrorsKeepTheirOrder() async throws {
    let processor = TestProcessor(["a", "b", "c", "d"])
    let going = options { ($0.stopOnError, $0.concurrency) = (false, 2) }
    processor.fail(.content("c"), with: Refused(reason: "c"))
    let synchronizer = Synchronizer(processor: processor, options: going)
    let (slow, run) = try await processor.held(
      .content("a"), during: await synchronizer.syncError())
    try await processor.ended(.content("d"))
    slow.fail(Refused(reason: "a"))
    let error = try await run.value
    XCTAssertEqual(error.report.failures.map(\.key), ["c", "a"])
    XCTAssertEqual(error.report.passes[0].counts.downloaded, 2)
    XCTAssertEqual(error.report.passes[0].counts.failed, 2)
    XCTAssertEqual(Set(processor.local.keys), ["b", "d"])
  }

  func testTheContentOfAnItemWhosePreviewFailedIsStillTried() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.preview("a"), with: Refused())
    let going = options { ($0.stopOnError, $0.downloadPreview) = (false, true) }
    let error = try await Synchronizer(processor: processor, options: going).syncError()
    XCTAssertTrue(processor.calls.contains(.content("a")))
    XCTAssertEqual(error.report.failures.map(\.stage), [.downloadPreviews])
    XCTAssertEqual(error.report.passes[0].counts.failed, 1)
    XCTAssertEqual(error.report.passes[0].counts.downloaded, 0)
  }

  func testAnErrorOfAnyOtherStageEndsThePassAlsoWithoutStopping() async throws {
    for place in [TestProcessor.Place.begin, .localKeys, .itemsToUpdate, .prepare] {
      let processor = TestProcessor(["a"], local: ["b"])
      processor.fail(place, with: Refused())
      let going = options { $0.stopOnError = false }
      _ = try await Synchronizer(processor: processor, options: going).syncError()
      XCTAssertFalse(processor.calls.contains { $0.name == "content" }, "\(place)")
    }
  }
}
