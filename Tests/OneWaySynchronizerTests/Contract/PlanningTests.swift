import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// `plan()`: what a sync would do.
final class PlanningTests: XCTestCase {
  func testItFindsOutWhatASyncWouldDoAndDoesNothing() async throws {
    let processor = TestProcessor(["new", "same", "changed"], local: ["same", "changed", "gone"])
    processor.outdated = ["changed"]
    let synchronizer = Synchronizer(processor: processor)
    let plan = try await synchronizer.plan()
    XCTAssertEqual(plan.removals, ["gone"])
    XCTAssertEqual(plan.downloads, ["new", "changed"])
    XCTAssertEqual(plan.report.kind, .plan)
    XCTAssertEqual(plan.report.counts.listed, 3)
    XCTAssertEqual(plan.report.counts.updated, 1)
    XCTAssertEqual(
      processor.calls.map(\.name),
      ["begin", "fetch", "localKeys", "itemsToUpdate", "prepare", "end"])
    XCTAssertEqual(Set(processor.local.keys), ["same", "changed", "gone"])
  }

  func testTheProcessorIsToldWhichKindOfPassItIs() async throws {
    let processor = KindProcessor()
    let synchronizer = Synchronizer(processor: processor)
    _ = try await synchronizer.plan()
    try await synchronizer.sync()
    XCTAssertEqual(processor.kinds.withLock { $0 }, [.plan, .sync])
    XCTAssertEqual(processor.ended.withLock { $0 }, [.plan, .sync])
  }

  func testARefusedRemovalIsPlannedAndSaid() async throws {
    let processor = TestProcessor(["new"], local: ["a", "b"])
    let limited = options { $0.removalLimit = .count(1) }
    let plan = try await Synchronizer(processor: processor, options: limited).plan()
    XCTAssertEqual(plan.removals, ["a", "b"])
    XCTAssertEqual(plan.downloads, ["new"])
    XCTAssertEqual(plan.report.outcome, .removalRefused(count: 2, of: 2))
  }

  func testWhatASyncWouldSpareIsNotPlannedToGo() async throws {
    let processor = TestProcessor(["a"], local: ["gone", "lost"])
    processor.onPrepare { $0 + ["gone"] }
    let late = options { $0.removal = .afterDownloads }
    let plan = try await Synchronizer(processor: processor, options: late).plan()
    XCTAssertEqual(plan.removals, ["lost"])
    XCTAssertEqual(plan.downloads, ["a", "gone"])
  }

  func testItTakesItsTurnWithRunsAndAbsorbsNoCallers() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, run) = try await processor.held(.content("a"), during: await synchronizer.sync())
    let plan = try await synchronizer.caller(2, makes: await synchronizer.plan())
    let planning = processor.hold(.prepare)
    hold.release()
    _ = try await run.value
    try await planning.reached(withinPasses: 2)
    XCTAssertFalse(synchronizer.isSyncing, "a plan is no run")
    processor.source = .complete(["a", "b"])
    async let late = synchronizer.sync()
    await eventually("a caller waits") { synchronizer.waitingCallers >= 1 }
    planning.release()
    try await assertEqual(plan.value.downloads, [])
    let report = try await late
    XCTAssertEqual(report.passes.count, 1)
    XCTAssertEqual(report.counts.downloaded, 1)
    XCTAssertEqual(processor.maxInFlight, 1, "plans and passes never overlap")
  }

  func testCallersWhoNeverStopAskingDoNotKeepAPlanWaiting() async throws {
    let (_, synchronizer) = makeSynchronizer(["a"])
    try await whileOthersKeepAsking(synchronizer) {
      for _ in 0..<5 { _ = try await synchronizer.plan() }
    }
  }

  func testItIsCancelledAsARunIs() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    for isCallersOwn in [false, true] {
      let (hold, plan) = try await processor.held(.fetch, during: await synchronizer.plan())
      if isCallersOwn { plan.cancel() } else { synchronizer.cancel() }
      let result = await plan.result
      XCTAssertTrue(hold.wasCancelled)
      XCTAssertThrowsError(try result.get()) {
        XCTAssertEqual($0 is CancellationError, isCallersOwn, "\($0)")
        XCTAssertEqual(($0 as? TestError)?.code == .cancelled, !isCallersOwn, "\($0)")
      }
    }
    try await assertEqual(synchronizer.sync().counts.downloaded, 1)
  }

  func testAStageThatFailsIsToldAndObserversHearNothing() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let recorder = EventRecorder(synchronizer.events)
    processor.fail(.fetch, with: Refused(), times: 1)
    if let error = await thrown(TestError.self, by: try await synchronizer.plan()) {
      XCTAssertEqual(error.code, .failed)
      XCTAssertEqual(error.report.failures.map(\.stage), [.fetchSourceList])
    }
    _ = try await synchronizer.plan()
    try await synchronizer.sync()
    let events = await recorder.eventsUntilRunEnd()
    XCTAssertEqual(events.first, .runStarted(1))
    XCTAssertEqual(events.last, .runSucceeded(passes: 1))
  }
}

/// Notes which kinds of passes it saw.
private struct KindProcessor: StoreSyncProcessor {
  let kinds = Locked<[PassKind]>([])
  let ended = Locked<[PassKind]>([])

  func syncWillBegin(_ kind: PassKind) async throws { kinds.withLock { $0.append(kind) } }
  func fetchSourceList() async throws -> SourceList<TestItem> { .unchanged }
  func localKeys() async throws -> Set<String> { [] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool { false }
  func downloadContent(of item: TestItem) async throws {}
  func syncDidEnd(_ report: PassReport<String>) async { ended.withLock { $0.append(report.kind) } }
}
