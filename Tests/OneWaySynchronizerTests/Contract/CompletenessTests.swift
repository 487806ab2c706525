@testable import SyncEngine
@testable import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// Whether all that is listed is held: what a pass says that succeeded.
final class CompletenessTests: XCTestCase {
  private let going = SyncOptions(stopOnError: false)

  func testNothingIsKnownUntilAWholeListWasCompared() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    for source in [SourceList<TestItem>.unchanged, .partial(["a"])] {
      processor.source = source
      try await assertNil(synchronizer.sync().isComplete)
    }
    processor.source = .complete(["a", "b"])
    try await assertEqual(synchronizer.sync().isComplete, true)
  }

  /// An outdated item of a list of which nothing was chosen was nowhere known, and all was said to
  /// be held.
  func testNothingIsKnownWhileTheItemsThatAreHeldWerentLookedAt() async throws {
    let held = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
    for source in [["a"], ["a", "z"]] {
      let processor = TestProcessor([], local: held.map { TestItem($0) })
      processor.source = .complete(source.map { TestItem($0) })
      processor.outdated = ["a"]
      let synchronizer = Synchronizer(processor: processor)
      let refused = try await synchronizer.syncError()
      XCTAssertEqual(refused.refusedRemovals.count, 8, "\(source)")
      XCTAssertEqual(refused.report.isComplete, source.contains("z") ? false : nil, "\(source)")
      processor.source = .partial(source.contains("z") ? ["z"] : [])
      try await assertNil(synchronizer.sync().isComplete, "\(source): nobody has looked at a")
      processor.source = .complete(held.map { TestItem($0) } + [TestItem("z")])
      try await assertEqual(synchronizer.sync().isComplete, true, "\(source)")
    }
  }

  /// After a pass in which all was held, the next that got no further than its removals said so, too.
  func testNothingIsKnownAnyMoreOnceItemsThatAreHeldWerentLookedAt() async throws {
    let items = ["a", "b", "c", "d"].map { TestItem($0) }
    let lists: [SourceList<TestItem>] = [
      .complete(Array(items.dropLast())), .changes(updated: ["a"], removed: ["d"]),
    ]
    for list in lists {
      let processor = TestProcessor(items, local: items)
      let synchronizer = Synchronizer(processor: processor)
      try await assertEqual(synchronizer.sync().isComplete, true)
      processor.source = list
      processor.outdated = ["a"]
      processor.fail(.remove, with: Refused(), times: 1)
      try await assertNil(synchronizer.syncError().report.isComplete, "\(list)")
      processor.source = .complete(Array(items.dropLast()))
      try await assertEqual(synchronizer.sync().isComplete, true, "\(list)")
    }
  }

  func testAPlanThatFindsSomethingToDownloadIsNotCompleteAndChangesNothingOfWhatIsKnown()
    async throws
  {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    try await assertEqual(synchronizer.sync().isComplete, true)
    try await assertEqual(synchronizer.plan().report.isComplete, true)
    processor.source = .complete(["a", "b"])
    try await assertEqual(synchronizer.plan().report.isComplete, false)
    processor.source = .unchanged
    try await assertEqual(synchronizer.sync().isComplete, true)
  }

  func testASourceThatSaysThatNothingChangedMakesNothingWhole() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a", "b"], local: [], options: going)
    processor.fail(.content("a"), with: Refused(), times: 1)
    try await assertEqual(synchronizer.syncError().report.isComplete, false)
    processor.source = .unchanged
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.isComplete, false)
    XCTAssertTrue("\(report)".contains("Not every listed item is held"), "\(report)")
    var status = synchronizer.status.makeAsyncIterator()
    var newest = await status.next()
    while newest?.isSyncing == true { newest = await status.next() }
    XCTAssertEqual(newest?.isComplete, false)
    XCTAssertEqual(newest?.lastResult?.outcome, .succeeded)
    XCTAssertEqual(newest?.lastResult?.message, "\(SyncSentence.incomplete)")
  }

  func testWhoWaitsForAMissingItemIsToldThatItIsNotDownloaded() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    processor.fail(.content("a"), with: Refused(), times: 1)
    _ = try await synchronizer.syncError()
    processor.source = .unchanged
    await assertEqual(
      thrown(TestError.self, by: try await synchronizer.ensure("a"))?.code, .leftOut("a"))
  }

  func testItIsWholeOnceTheItemIsHeldOrGone() async throws {
    for later in [
      SourceList<TestItem>.complete(["a", "b"]), .complete(["b"]), .partial(["a"]),
      .changes(updated: ["a"], removed: []), .changes(updated: [], removed: ["a"]),
    ] {
      let (processor, synchronizer) = makeSynchronizer(["a", "b"], options: going)
      processor.fail(.content("a"), with: Refused(), times: 1)
      _ = try await synchronizer.syncError()
      processor.source = later
      try await assertEqual(synchronizer.sync().isComplete, true, "\(later)")
    }
  }

  func testAnUpdateThatFailedIsMissingToo() async throws {
    let (processor, synchronizer) = makeSynchronizer([TestItem("a")], local: [TestItem("a")])
    processor.outdated = ["a"]
    processor.fail(.content("a"), with: Refused(), times: 1)
    try await assertEqual(synchronizer.syncError().report.isComplete, false)
    try await assertEqual(synchronizer.sync().isComplete, true)
  }

  func testWhatIsLeftOutOrCutShortOrNotCommittedIsMissing() async throws {
    let leftOut = TestProcessor(["a", "b"])
    leftOut.onPrepare { $0.filter { $0.id != "a" } }
    try await assertEqual(Synchronizer(processor: leftOut).sync().isComplete, false)

    let uncommitted = TestProcessor(["a", "b"])
    uncommitted.onCommit { ["a": Refused()] }
    try await assertEqual(Synchronizer(processor: uncommitted).syncError().report.isComplete, false)

    let unprepared = TestProcessor(["a", "b"])
    unprepared.fail(.prepare, with: Refused())
    try await assertEqual(Synchronizer(processor: unprepared).syncError().report.isComplete, false)
  }

  func testAFailedFetchKeepsWhatIsKnown() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    try await synchronizer.sync()
    processor.fail(.fetch, with: Refused())
    try await assertEqual(synchronizer.syncError().report.isComplete, true)
  }
}
