import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// How much may be removed, and when.
final class RemovalTests: XCTestCase {
  func testTheLimitIsEvaluatedOnTheWholeSet() {
    let rows: [(RemovalLimit, removals: Int, local: Int, allowed: Bool)] = [
      (.unlimited, 9, 9, true),
      (.count(3), 3, 9, true), (.count(3), 4, 9, false), (.count(0), 1, 9, false),
      (.share(0.5), 5, 10, true), (.share(0.5), 6, 10, false), (.share(0), 1, 10, false),
      (.share(1), 10, 10, true),
      (.both(share: 0.5, count: 3), 6, 10, false), (.both(share: 0.5, count: 6), 6, 10, true),
      (.both(share: 0.6, count: 3), 6, 10, true), (.both(share: 0.1, count: 1), 1, 1, true),
      (.guarded(count: 3), 7, 15, true), (.guarded(count: 3), 8, 15, false),
      (.guarded(count: 3), 499, 1_000, true), (.guarded(count: 3), 500, 1_000, false),
      (.guarded(count: 3), 3, 6, true), (.guarded(count: 3), 4, 6, false),
      (.guarded(count: 3), 3, 4, true), (.guarded(count: 3), 3, 3, false),
      (.guarded(count: 3), 1, 2, true), (.guarded(count: 3), 2, 2, false),
      (.guarded(count: 3), 1, 1, true), (.guarded(count: 0), 1, 1, false),
      (.guarded(count: 0), 1, 3, true), (.guarded(count: 0), 1, 2, false),
      (.guarded(count: 3), 0, 0, true), (.guarded(count: 3), .max - 1, .max, false),
    ]
    for row in rows {
      XCTAssertEqual(row.0.allows(removals: row.removals, of: row.local), row.allowed, "\(row)")
    }
  }

  func testAShareIsExactAtEveryPercent() {
    for percent in 0...100 {
      let limit = RemovalLimit.share(Double(percent) / 100)
      XCTAssertTrue(limit.allows(removals: percent, of: 100), "\(percent) %")
      XCTAssertFalse(limit.allows(removals: percent + 1, of: 100), "\(percent) %")
    }
  }

  func testARefusedRemovalRemovesAndDownloadsNothing() async throws {
    for removal in [SyncOptions.Removal.beforeDownloads, .afterDownloads] {
      let processor = TestProcessor(["new", "a"], local: ["a", "b", "c"])
      let limited = options { ($0.removalLimit, $0.removal) = (.count(1), removal) }
      let error = try await Synchronizer(processor: processor, options: limited).syncError()
      XCTAssertEqual(error.code, .removalRefused(count: 2, of: 3))
      XCTAssertEqual(Set(processor.local.keys), ["a", "b", "c"])
      XCTAssertEqual(processor.calls.map(\.name), ["begin", "fetch", "localKeys", "end"])
      XCTAssertEqual(processor.calls.last, .end(.removalRefused(count: 2, of: 3)))
    }
  }

  func testRemovalMayComeBeforeTheDownloads() async throws {
    let processor = TestProcessor(["new"], local: ["gone"])
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(
      processor.calls.map(\.name),
      [
        "begin", "fetch", "localKeys", "remove", "itemsToUpdate", "prepare", "content", "commit",
        "end",
      ])
  }

  func testRemovalMayComeAfterTheCommitAlsoWhenAnItemFailed() async throws {
    let processor = TestProcessor(["new", "bad"], local: ["gone"])
    processor.fail(.content("bad"), with: Refused())
    let late = options { ($0.removal, $0.stopOnError) = (.afterDownloads, false) }
    _ = try await Synchronizer(processor: processor, options: late).syncError()
    XCTAssertEqual(processor.calls.suffix(3), [.commit, .remove(["gone"]), .end(.failed)])
  }

  func testLateRemovalIsSkippedWhenThePassWasStopped() async throws {
    let processor = TestProcessor(["bad"], local: ["gone"])
    processor.fail(.content("bad"), with: Refused())
    let late = options { $0.removal = .afterDownloads }
    _ = try await Synchronizer(processor: processor, options: late).syncError()
    XCTAssertEqual(processor.calls.suffix(2), [.commit, .end(.failed)])
    XCTAssertEqual(Set(processor.local.keys), ["gone"])
  }

  func testALateRemovalThatIsCancelledEndsThePass() async throws {
    let processor = TestProcessor(["a"], local: ["gone"])
    let late = options { $0.removal = .afterDownloads }
    let synchronizer = Synchronizer(processor: processor, options: late)
    let (_, run) = try await processor.held(.remove, during: await synchronizer.syncError())
    synchronizer.cancel()
    let error = try await run.value
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.passes[0].counts.removed, 0)
    XCTAssertEqual(error.report.passes[0].counts.downloaded, 1)
  }

  func testLateRemovalIsSkippedWhenThePassWasCancelled() async throws {
    let processor = TestProcessor(["a"], local: ["gone"])
    let late = options { $0.removal = .afterDownloads }
    let synchronizer = Synchronizer(processor: processor, options: late)
    processor.onCommit {
      synchronizer.cancel()
      return [:]
    }
    try await assertEqual(synchronizer.syncError().code, .cancelled)
    XCTAssertEqual(Set(processor.local.keys), ["a", "gone"])
  }
}
