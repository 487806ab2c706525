import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// A removal that was refused, and that somebody then allows.
final class AllowedRemovalTests: XCTestCase {
  func testByDefaultAnEmptyListRemovesNothingAndTheErrorNamesWhatWouldGo() async throws {
    let (processor, synchronizer) = makeSynchronizer([], local: held)
    let error = try await synchronizer.syncError()
    XCTAssertEqual(error.code, .removalRefused(count: 8, of: 8))
    XCTAssertEqual(error.refusedRemovals, keys)
    XCTAssertEqual(error.report.passes[0].refusedRemovals, keys)
    XCTAssertEqual(Set(processor.local.keys), keys)
    XCTAssertEqual(SyncOptions().removalLimit, .guarded(count: 3))
  }

  func testExactlyTheseGoAndOnce() async throws {
    let (processor, synchronizer) = makeSynchronizer([], local: held)
    try await assertEqual(synchronizer.sync(allowing: keys).counts.removed, 8)
    XCTAssertEqual(processor.local.count, 0)
    processor.local = Dictionary(uniqueKeysWithValues: held.map { ($0.id, $0) })
    try await assertEqual(synchronizer.syncError().refusedRemovals, keys, "it counted once")
  }

  func testWhereMoreWouldGoTheLimitIsAskedAboutAll() async throws {
    let (processor, synchronizer) = makeSynchronizer([], local: held)
    if let error = await thrown(
      TestError.self, by: try await synchronizer.sync(allowing: keys.subtracting(["7"])))
    {
      XCTAssertEqual(error.refusedRemovals, keys)
    }
    XCTAssertEqual(Set(processor.local.keys), keys)
  }

  func testWhatCameBackMeanwhileStays() async throws {
    let processor = TestProcessor(["0", "1"], local: held)
    try await assertEqual(Synchronizer(processor: processor).sync(allowing: keys).counts.removed, 6)
    XCTAssertEqual(Set(processor.local.keys), ["0", "1"])
  }

  func testItIsForThePassThatBeginsAfterTheCallAlone() async throws {
    let (processor, synchronizer) = makeSynchronizer([], local: held)
    let (hold, first) = try await processor.held(.localKeys, during: await synchronizer.syncError())
    let second = try await synchronizer.caller(2, makes: await synchronizer.sync(allowing: keys))
    hold.release()
    let (refused, report) = try await (first.value, second.value)
    XCTAssertEqual(refused.refusedRemovals, keys)
    XCTAssertEqual(report.counts.removed, 8)
  }

  func testWhoLeavesTakesTheAllowanceAlong() async throws {
    let (processor, synchronizer) = makeSynchronizer([], local: held)
    let (hold, first) = try await processor.held(.fetch, during: await synchronizer.syncError())
    let leaver = try await synchronizer.caller(2, makes: await synchronizer.sync(allowing: keys))
    let other = try await synchronizer.caller(3, makes: await synchronizer.syncError())
    leaver.cancel()
    _ = await leaver.result
    hold.release()
    let (one, two) = try await (first.value, other.value)
    XCTAssertEqual([one.refusedRemovals, two.refusedRemovals], [keys, keys])
    XCTAssertEqual(Set(processor.local.keys), keys)
  }
}

private let held: [TestItem] = (0..<8).map { TestItem("\($0)") }
private let keys = Set(held.map(\.id))
