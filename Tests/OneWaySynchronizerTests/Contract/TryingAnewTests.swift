import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// `ensure(_:)` of an item that has failed earlier in the pass: somebody taps on "try again".
final class TryingAnewTests: XCTestCase {
  /// Items named by letters, of which "a" fails so many times and "c" is held.
  private func begin(
    failing times: Int, atOnce width: Int = 1, commitsEach: Bool = false,
    _ change: (inout SyncOptions) -> Void = { _ in }
  ) -> (TestProcessor, Synchronizer<TestProcessor>, Hold<TestItem>) {
    let processor = TestProcessor(["a", "b", "c"])
    processor.commitsEachDownload = commitsEach
    for time in 0..<times {
      processor.fail(.content("a"), with: Refused(reason: "\(time)"), times: 1)
    }
    let hold = processor.hold(.content("c"))
    let chosen = options {
      ($0.concurrency, $0.stopOnError) = (width, false)
      change(&$0)
    }
    return (processor, Synchronizer(processor: processor, options: chosen), hold)
  }

  func testAFailedItemIsTriedAnewAndNobodySpeaksOfTheFailureAnyMore() async throws {
    for commitsEach in [false, true] {
      let (processor, synchronizer, hold) = begin(failing: 1, commitsEach: commitsEach)
      async let run = synchronizer.sync()
      try await hold.reached()
      async let seeker: Void = synchronizer.ensure("a")
      await eventually("it is wanted") { synchronizer.urgentItems == 1 }
      hold.release()
      try await seeker
      let report = try await run
      XCTAssertEqual(report.failures.count, 0)
      XCTAssertEqual([report.counts.downloaded, report.counts.failed], [3, 0])
      XCTAssertEqual(report.isComplete, true)
      XCTAssertEqual(processor.calls.count { $0 == .content("a") }, 2)
    }
  }

  /// Workers that have nothing to do wait for it: nobody waits for a download that takes an hour.
  func testItIsTriedBesideADownloadThatGoesOn() async throws {
    let (_, synchronizer, hold) = begin(failing: 1, atOnce: 3, commitsEach: true)
    let recorder = EventRecorder(synchronizer.events)
    async let run = synchronizer.sync()
    try await hold.reached()
    _ = await recorder.next { if case .failed = $0 { true } else { false } }
    try await synchronizer.ensure("a")
    hold.release()
    try await assertEqual(run.failures.count, 0)
    let told = await recorder.eventsUntilRunEnd().compactMap { event -> String? in
      switch event {
      case .started(_, "a", let totals): "started \(totals.failed)"
      case .finished(_, "a", let totals): "finished \(totals.failed)"
      case .failed(_, let key, _, _): "failed \(key)"
      default: nil
      }
    }
    XCTAssertEqual(told, ["started 0", "finished 0"], "after it had failed")
  }

  func testIfItFailsAgainThatIsToldAndReported() async throws {
    let (_, synchronizer, hold) = begin(failing: 2)
    let run = Task { try await synchronizer.syncError() }
    try await hold.reached()
    let seeker = Task { try await synchronizer.ensure("a") }
    await eventually("it is wanted") { synchronizer.urgentItems == 1 }
    hold.release()
    let failure = await thrown(SyncFailure<String>.self, by: try await seeker.value)
    XCTAssertEqual(failure?.cause as? Refused, Refused(reason: "1"))
    let report = try await run.value.report
    XCTAssertEqual(report.failures.map { $0.cause as? Refused }, [Refused(reason: "1")])
    XCTAssertEqual([report.counts.downloaded, report.counts.failed], [2, 1])
  }

  func testOnceTheStageIsOverTheFailureIsTold() async throws {
    let (processor, synchronizer, hold) = begin(failing: 1)
    hold.release()
    let (commit, run) = try await processor.held(.commit, during: await synchronizer.syncError())
    await assertEqual(
      thrown(SyncFailure<String>.self, by: try await synchronizer.ensure("a"))?.key, "a")
    commit.release()
    try await assertEqual(run.value.report.failures.map(\.key), ["a"])
  }

  func testAPreviewThatFailedIsNotTriedAmongTheContents() async throws {
    let (processor, synchronizer, hold) = begin(failing: 0) { $0.downloadPreview = true }
    processor.fail(.preview("a"), with: Refused(), times: 1)
    async let run = synchronizer.syncError()
    try await hold.reached()
    await assertEqual(
      thrown(SyncFailure<String>.self, by: try await synchronizer.ensure("a"))?.stage,
      .downloadPreviews)
    hold.release()
    try await assertEqual(run.report.failures.map(\.key), ["a"])
  }

  func testWhereTheFailureStopsThePassItIsTold() async throws {
    let (processor, synchronizer, hold) = begin(failing: 0, atOnce: 2) { $0.stopOnError = true }
    let bad = processor.hold(.content("a"))
    let stubborn = processor.hold(.content("b"), ignoringCancellation: true)
    hold.release()
    let run = Task { try await synchronizer.syncError() }
    try await stubborn.reached()
    try await bad.reached()
    bad.fail(Refused())
    try await stubborn.reached().cancelled()
    await assertEqual(
      thrown(SyncFailure<String>.self, by: try await synchronizer.ensure("a"))?.key, "a")
    stubborn.release()
    try await assertEqual(run.value.report.failures.map(\.key), ["a"])
  }

  func testAnotherTryThatACancelCutsShortLeavesTheFailure() async throws {
    let (processor, synchronizer, hold) = begin(failing: 1)
    let run = Task { try await synchronizer.syncError() }
    try await hold.reached()
    let again = processor.hold(.content("a"))
    let seeker = Task { try await synchronizer.ensure("a") }
    await eventually("it is wanted") { synchronizer.urgentItems == 1 }
    hold.release()
    try await again.reached()
    synchronizer.cancel()
    let error = try await run.value
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.failures.map(\.key), ["a"])
    XCTAssertEqual(error.report.counts.failed, 1)
    _ = await seeker.result
  }

  func testManyWhoAskAtAnyMomentAreAllAnswered() async throws {
    for round in 0..<200 {
      let (processor, synchronizer, hold) = begin(
        failing: round % 3, atOnce: 1 + round % 4, commitsEach: round % 2 == 0)
      hold.release()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { _ = try? await synchronizer.sync() } }
        for key in ["a", "b", "c", "a", "a"] {
          group.addTask { _ = try? await synchronizer.ensure(key) }
        }
      }
      XCTAssertEqual(Set(processor.local.keys).union(["a"]), ["a", "b", "c"])
    }
  }
}
