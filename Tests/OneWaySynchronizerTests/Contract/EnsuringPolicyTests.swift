@testable import SyncEngine
@testable import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// `ensure(_:policy:)`: one item alone, and one that will do as it is held.
final class EnsuringPolicyTests: XCTestCase {
  func testOneOfManyIsFetchedAloneAndNothingIsRemoved() async throws {
    let items = (0..<500).map { TestItem("\($0)") }
    let (processor, synchronizer) = makeSynchronizer(items, local: ["gone"])
    try await assertEqual(synchronizer.ensure("400", policy: .alone), .current)
    XCTAssertEqual(processor.local.keys.sorted(), ["400", "gone"])
    XCTAssertEqual(
      processor.calls.map(\.name),
      ["begin", "fetch", "localKeys", "itemsToUpdate", "prepare", "content", "commit", "end"])
    XCTAssertEqual(processor.reports.map(\.kind), [.item])
    XCTAssertFalse(synchronizer.isSyncing)
  }

  func testAChangedItemIsFetchedAndACurrentOneIsNot() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a", "b"], local: ["a", "b"])
    processor.outdated = ["a", "b"]
    try await synchronizer.ensure("a", policy: .alone)
    XCTAssertEqual(processor.outdated, ["b"])
    try await synchronizer.ensure("a", policy: .alone)
    XCTAssertEqual(processor.calls.count { $0 == .content("a") }, 1)
  }

  func testWhatIsAskedForAloneAndCannotBeHadIsSaid() async throws {
    let sources: [(SourceList<TestItem>, SyncError<String>.Code)] = [
      (.complete(["b"]), .notListed("a")), (.partial(["b"]), .notListed("a")),
      (.changes(updated: [], removed: ["a"]), .notListed("a")),
      (.unchanged, .notListed("a")),
    ]
    for (source, code) in sources {
      let (processor, synchronizer) = makeSynchronizer([])
      processor.source = source
      let error = await thrown(
        TestError.self, by: try await synchronizer.ensure("a", policy: .alone), "\(source)")
      XCTAssertEqual(error?.code, code, "\(source)")
    }
  }

  func testWhatIsHeldAndNotNamedIsCurrentOnlyWhereTheListDoesNotSayOtherwise() async throws {
    let sources: [(SourceList<TestItem>, isHeld: Bool)] = [
      (.complete([]), false), (.changes(updated: [], removed: ["a"]), false),
      (.partial([]), true), (.changes(updated: [], removed: []), true), (.unchanged, true),
    ]
    for (source, isHeld) in sources {
      let (processor, synchronizer) = makeSynchronizer([], local: ["a"])
      processor.source = source
      let answer = try? await synchronizer.ensure("a", policy: .alone)
      XCTAssertEqual(answer, isHeld ? .current : nil, "\(source)")
      XCTAssertEqual(processor.local.keys.sorted(), ["a"], "\(source)")
    }
  }

  func testAFailureOfTheItemOrOfAStageIsItsCallers() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    processor.fail(.content("a"), with: Refused(), times: 1)
    let failure = await thrown(
      SyncFailure<String>.self, by: try await synchronizer.ensure("a", policy: .alone))
    XCTAssertEqual(failure?.key, "a")
    processor.fail(.localKeys, with: Refused(), times: 1)
    let error = await thrown(
      TestError.self, by: try await synchronizer.ensure("a", policy: .alone))
    XCTAssertEqual(error?.code, .failed)
    XCTAssertEqual(error?.report.failures.first?.stage, .localKeys)
    try await assertEqual(synchronizer.ensure("a", policy: .alone), .current)
  }

  func testItJoinsAPassUnderWayAndWaitsForACancelledOne() async throws {
    let (processor, synchronizer) = makeSynchronizer(
      ["a", "b", "c"], options: options { $0.concurrency = 1 })
    let (hold, run) = try await processor.held(.content("a"), during: try await synchronizer.sync())
    let joined = try await synchronizer.caller(
      2, makes: try await synchronizer.ensure("c", policy: .alone))
    hold.release()
    try await assertEqual(joined.value, .current)
    _ = try await run.value
    XCTAssertEqual(processor.reports.map(\.kind), [.sync])

    processor.local = [:]
    let (slow, cancelled) = try await processor.held(
      .content("a"), ignoringCancellation: true, during: try await synchronizer.sync())
    synchronizer.cancel()
    let after = try await synchronizer.caller(
      2, makes: try await synchronizer.ensure("c", policy: .alone))
    slow.release()
    _ = await cancelled.result
    try await assertEqual(after.value, .current)
    XCTAssertEqual(processor.reports.map(\.kind), [.sync, .sync, .item])
  }

  func testWhoIsPutOffByACancelledPassGetsNoPassOfTheirOwn() async throws {
    let (processor, synchronizer) = makeSynchronizer([], local: ["x"])
    processor.source = .changes(updated: ["a"], removed: [])
    let (hold, run) = try await processor.held(
      .prepare, ignoringCancellation: true, during: try await synchronizer.sync())
    let seeker = try await synchronizer.caller(
      2, makes: try await synchronizer.ensure("x", policy: .alone))
    synchronizer.cancel()
    hold.release()
    let error = await thrown(TestError.self, by: try await seeker.value)
    XCTAssertEqual(error?.code, .cancelled)
    _ = await run.result
    XCTAssertEqual(processor.reports.map(\.kind), [.sync])
  }

  func testWhoIsPutOffWhileAPassIsCancelledIsToldThatAndNotThatTheirItemIsLeftOut() async throws {
    let (processor, synchronizer) = makeSynchronizer([], local: ["x", "y"])
    processor.source = .unchanged
    let (hold, one) = try await processor.held(
      .localKeys, ignoringCancellation: true, during: try await synchronizer.ensure("x"))
    let two = try await synchronizer.caller(2, makes: try await synchronizer.ensure("y"))
    synchronizer.cancel()
    hold.release()
    let error = await thrown(TestError.self, by: try await two.value)
    XCTAssertEqual(error?.code, .cancelled)
    _ = await one.result
  }

  func testWhatIsListedBesideTheOneItemIsNotTakenForHeld() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    try await assertEqual(synchronizer.sync().isComplete, true)
    processor.source = .complete(["a", "b", "c"])
    try await synchronizer.ensure("b", policy: .alone)
    XCTAssertNil(processor.reports.last?.isComplete, "c was listed, and nobody looked")
    processor.source = .unchanged
    try await assertEqual(synchronizer.sync().isComplete, nil)
  }

  func testWhoLeavesCancelsThePassOfTheirItem() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, seeker) = try await processor.held(
      .content("a"), during: try await synchronizer.ensure("a", policy: .alone))
    seeker.cancel()
    let result = await seeker.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertTrue(hold.wasCancelled)
    XCTAssertEqual(processor.local, [:])
    try await synchronizer.sync()
    XCTAssertEqual(processor.local.keys.sorted(), ["a"])
  }

  func testWhereTheListCannotBeHadWhatIsHeldWillDo() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a", "b"], local: ["a"])
    processor.fail(.fetch, with: Refused(), times: 3)
    try await assertEqual(synchronizer.ensure("a", policy: .heldWillDo), .notChecked)
    let missing = await thrown(
      TestError.self, by: try await synchronizer.ensure("b", policy: .heldWillDo))
    XCTAssertEqual(missing?.report.failures.first?.stage, .fetchSourceList)
    let strict = await thrown(TestError.self, by: try await synchronizer.ensure("a"))
    XCTAssertEqual(strict?.code, .failed)
    try await assertEqual(synchronizer.ensure("b", policy: .heldWillDo), .current)
  }

  func testWhoAsksWhileThatIsFoundOutWaitsForTheNextPass() async throws {
    let (processor, synchronizer) = makeSynchronizer(["x", "y"], local: ["x", "y"])
    processor.fail(.fetch, with: Refused(), times: 1)
    let (hold, one) = try await processor.held(
      .localKeys, during: try await synchronizer.ensure("x", policy: .heldWillDo))
    let two = try await synchronizer.caller(
      2, makes: try await synchronizer.ensure("y", policy: .heldWillDo))
    hold.release()
    try await assertEqual(one.value, .notChecked)
    try await assertEqual(two.value, .current)
  }
}
