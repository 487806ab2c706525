@testable import SyncEngine
@testable import OneWaySynchronizer
import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// What belongs together comes together: the begin and the end of a pass, the start and the end of
/// an item, an error and its key.
final class PassPairsTests: XCTestCase {
  func testBeginAndEndOfAPassAreInPairsWhereverItIsCancelled() async throws {
    for _ in 0..<200 {
      let (processor, synchronizer) = makeSynchronizer(["a"])
      async let run = try? synchronizer.sync()
      synchronizer.cancel()
      _ = await run
      synchronizer.cancel()
      let names = processor.calls.map(\.name)
      XCTAssertEqual(names.count { $0 == "begin" }, names.count { $0 == "end" })
    }
  }

  func testABeginThatThrowsHasItsEndAndItsReport() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    processor.fail(.begin, with: Refused())
    let recorder = EventRecorder(synchronizer.events)
    try await assertEqual(synchronizer.syncError().report.failures.map(\.stage), [.begin])
    XCTAssertEqual(processor.calls, [.begin, .end(.failed)])
    let events = await recorder.eventsUntilRunEnd()
    XCTAssertEqual(events.count { if case .passStarted = $0 { true } else { false } }, 1)
    XCTAssertEqual(events.count { if case .passEnded = $0 { true } else { false } }, 1)
  }

  func testAnItemThatIsCutShortEndsForAnObserver() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a", "b", "bad"])
    let recorder = EventRecorder(synchronizer.events)
    let holds = [processor.hold(.content("a")), processor.hold(.content("b"))]
    let bad = processor.hold(.content("bad"))
    async let run = synchronizer.syncError()
    for hold in holds + [bad] { try await hold.reached() }
    bad.fail(Refused())
    _ = try await run
    let events = await recorder.eventsUntilRunEnd()
    var open: Set<String> = []
    var cut: Set<String> = []
    for event in events {
      switch event {
      case .started(_, let key, _): open.insert(key)
      case .finished(_, let key, _), .failed(_, let key, _, _): open.remove(key)
      case .cutShort(_, let key, _):
        XCTAssertNotNil(open.remove(key))
        cut.insert(key)
      default: break
      }
    }
    XCTAssertEqual(open, [])
    XCTAssertEqual(cut, ["a", "b"])
  }

  func testAnErrorOfShouldUpdateNamesItsItem() async throws {
    let error = try await Synchronizer(processor: Doubter()).syncError()
    let failure = try XCTUnwrap(error.report.failures.first)
    XCTAssertEqual(failure.stage, .itemsToUpdate)
    XCTAssertEqual(failure.key, "b")
    XCTAssertTrue(failure.cause is Refused, "\(failure.cause)")
  }

  func testAnyStageMayNameTheItemThatItsErrorIsAbout() async throws {
    let processor = TestProcessor(["a"])
    let named = SyncFailure(stage: .end, key: "a", cause: Refused())
    processor.fail(.prepare, with: named)
    let failure = try await Synchronizer(processor: processor).syncError().report.failures[0]
    XCTAssertEqual(failure.stage, .prepareDownload, "the stage is where it was thrown")
    XCTAssertEqual(failure.key, "a")
    XCTAssertTrue(failure.cause is Refused)
  }

  func testALateRemovalSparesWhatPrepareDownloadReturned() async throws {
    for (added, removed) in [(["gone"], ["lost"]), (["gone", "lost"], [String]())] {
      let processor = TestProcessor(["a"], local: ["gone", "lost"])
      processor.onPrepare { $0 + added.map { TestItem($0) } }
      let late = SyncOptions(removal: .afterDownloads, removalLimit: .unlimited)
      let synchronizer = Synchronizer(processor: processor, options: late)
      let recorder = EventRecorder(synchronizer.events)
      try await assertEqual(synchronizer.sync().counts.removed, removed.count)
      XCTAssertEqual(Set(processor.local.keys), Set(["a"] + added))
      let removals = processor.calls.filter { $0.name == "remove" }
      XCTAssertEqual(removals, removed.isEmpty ? [] : [.remove(Set(removed))])
      let events = await recorder.eventsUntilRunEnd()
      let plan = PlanCounts(toRemove: removed.count, toUpdate: 0, toDownload: 1 + added.count)
      XCTAssertTrue(events.contains(.planned(plan)))
    }
  }
}

/// Can't say of one item whether it changed.
private struct Doubter: SyncProcessor {
  func fetchSourceList() async throws -> SourceList<TestItem> { .complete(["a", "b", "c"]) }
  func localKeys() async throws -> Set<String> { ["a", "b", "c"] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func downloadContent(of item: TestItem) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool {
    if item.id == "b" { throw Refused() }
    return false
  }
}
