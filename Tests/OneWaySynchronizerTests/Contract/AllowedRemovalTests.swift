import OneWaySynchronizer
import SynchronizerTesting
import XCTest

/// A removal that was refused, and that somebody then allows.
final class AllowedRemovalTests: XCTestCase {
  func testByDefaultAnEmptyListRemovesNothingAndTheErrorNamesWhatWouldGo() async throws {
    let processor = TestProcessor([], local: held)
    let synchronizer = Synchronizer(processor: processor)
    let error = try await synchronizer.syncError()
    XCTAssertEqual(error.code, .removalRefused(count: 8, of: 8))
    XCTAssertEqual(error.refusedRemovals, keys)
    XCTAssertEqual(error.report.passes[0].refusedRemovals, keys)
    XCTAssertEqual(Set(processor.local.keys), keys)
    XCTAssertEqual(SyncOptions().removalLimit, .guarded(count: 3))
  }

  func testExactlyTheseGoAndOnce() async throws {
    let processor = TestProcessor([], local: held)
    let synchronizer = Synchronizer(processor: processor)
    let report = try await synchronizer.sync(allowing: keys)
    XCTAssertEqual(report.counts.removed, 8)
    XCTAssertEqual(processor.local.count, 0)
    processor.local = Dictionary(uniqueKeysWithValues: held.map { ($0.id, $0) })
    let error = try await synchronizer.syncError()
    XCTAssertEqual(error.refusedRemovals, keys, "it counted once")
  }

  func testWhereMoreWouldGoTheLimitIsAskedAboutAll() async throws {
    let processor = TestProcessor([], local: held)
    let synchronizer = Synchronizer(processor: processor)
    do {
      try await synchronizer.sync(allowing: keys.subtracting(["7"]))
      XCTFail("8 of 8 went, and 7 were allowed")
    } catch let error as TestError {
      XCTAssertEqual(error.refusedRemovals, keys)
    }
    XCTAssertEqual(Set(processor.local.keys), keys)
  }

  func testWhatCameBackMeanwhileStays() async throws {
    let processor = TestProcessor(["0", "1"], local: held)
    let report = try await Synchronizer(processor: processor).sync(allowing: keys)
    XCTAssertEqual(report.counts.removed, 6)
    XCTAssertEqual(Set(processor.local.keys), ["0", "1"])
  }

  func testItIsForThePassThatBeginsAfterTheCallAlone() async throws {
    let processor = TestProcessor([], local: held)
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.localKeys)
    async let first = synchronizer.syncError()
    try await hold.reached()
    async let second = synchronizer.sync(allowing: keys)
    await eventually("the second caller waits") { synchronizer.waitingCallers == 2 }
    hold.release()
    let (refused, report) = try await (first, second)
    XCTAssertEqual(refused.refusedRemovals, keys)
    XCTAssertEqual(report.counts.removed, 8)
  }

  func testWhoLeavesTakesTheAllowanceAlong() async throws {
    let processor = TestProcessor([], local: held)
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.fetch)
    async let first = synchronizer.syncError()
    try await hold.reached()
    let leaver = Task { try await synchronizer.sync(allowing: keys) }
    await eventually("the leaver waits") { synchronizer.waitingCallers == 2 }
    async let other = synchronizer.syncError()
    await eventually("three wait") { synchronizer.waitingCallers == 3 }
    leaver.cancel()
    _ = await leaver.result
    hold.release()
    let (one, two) = try await (first, other)
    XCTAssertEqual([one.refusedRemovals, two.refusedRemovals], [keys, keys])
    XCTAssertEqual(Set(processor.local.keys), keys)
  }
}

private let held: [TestItem] = (0..<8).map { TestItem("\($0)") }
private let keys = Set(held.map(\.id))
