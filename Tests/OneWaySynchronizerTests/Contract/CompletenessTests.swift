import SynchronizerTesting
import XCTest

@testable import OneWaySynchronizer
@testable import SyncEngine

/// Whether all that is listed is held: what a pass says that succeeded.
final class CompletenessTests: XCTestCase {
  private let going = SyncOptions(stopOnError: false)

  func testNothingIsKnownUntilAWholeListWasCompared() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    for source in [SourceList<TestItem>.unchanged, .partial(["a"])] {
      processor.source = source
      let report = try await synchronizer.sync()
      XCTAssertNil(report.isComplete)
    }
    processor.source = .complete(["a", "b"])
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.isComplete, true)
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
      let partial = try await synchronizer.sync()
      XCTAssertNil(partial.isComplete, "\(source): nobody has looked at a")
      processor.source = .complete(held.map { TestItem($0) } + [TestItem("z")])
      let whole = try await synchronizer.sync()
      XCTAssertEqual(whole.isComplete, true, "\(source)")
    }
  }

  func testASourceThatSaysThatNothingChangedMakesNothingWhole() async throws {
    let processor = TestProcessor(["a", "b"], local: [])
    processor.fail(.content("a"), with: Refused(), times: 1)
    let synchronizer = Synchronizer(processor: processor, options: going)
    let error = try await synchronizer.syncError()
    XCTAssertEqual(error.report.isComplete, false)
    processor.source = .unchanged
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.isComplete, false)
    XCTAssertTrue("\(report)".contains("Not every listed item is held"), "\(report)")
    var status = synchronizer.status.makeAsyncIterator()
    var newest = await status.next()
    while newest?.isSyncing == true { newest = await status.next() }
    XCTAssertEqual(newest?.isComplete, false)
    XCTAssertEqual(newest?.lastResult?.outcome, .succeeded)
    XCTAssertEqual(newest?.lastResult?.message, SyncReport<String>.incompleteness)
  }

  func testWhoWaitsForAMissingItemIsToldThatItIsNotDownloaded() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.content("a"), with: Refused(), times: 1)
    let synchronizer = Synchronizer(processor: processor)
    _ = try await synchronizer.syncError()
    processor.source = .unchanged
    do {
      try await synchronizer.ensure("a")
      XCTFail("it isn't held")
    } catch let error as TestError {
      XCTAssertEqual(error.code, .leftOut("a"))
    }
  }

  func testItIsWholeOnceTheItemIsHeldOrGone() async throws {
    for later in [
      SourceList<TestItem>.complete(["a", "b"]), .complete(["b"]), .partial(["a"]),
      .changes(updated: ["a"], removed: []), .changes(updated: [], removed: ["a"]),
    ] {
      let processor = TestProcessor(["a", "b"])
      processor.fail(.content("a"), with: Refused(), times: 1)
      let synchronizer = Synchronizer(processor: processor, options: going)
      _ = try await synchronizer.syncError()
      processor.source = later
      let report = try await synchronizer.sync()
      XCTAssertEqual(report.isComplete, true, "\(later)")
    }
  }

  func testAnUpdateThatFailedIsMissingToo() async throws {
    let processor = TestProcessor([TestItem("a")], local: [TestItem("a")])
    processor.outdated = ["a"]
    processor.fail(.content("a"), with: Refused(), times: 1)
    let synchronizer = Synchronizer(processor: processor)
    let error = try await synchronizer.syncError()
    XCTAssertEqual(error.report.isComplete, false)
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.isComplete, true)
  }

  func testWhatIsLeftOutOrCutShortOrNotCommittedIsMissing() async throws {
    let leftOut = TestProcessor(["a", "b"])
    leftOut.onPrepare { $0.filter { $0.id != "a" } }
    let report = try await Synchronizer(processor: leftOut).sync()
    XCTAssertEqual(report.isComplete, false)

    let uncommitted = TestProcessor(["a", "b"])
    uncommitted.onCommit { ["a": Refused()] }
    let error = try await Synchronizer(processor: uncommitted).syncError()
    XCTAssertEqual(error.report.isComplete, false)

    let unprepared = TestProcessor(["a", "b"])
    unprepared.fail(.prepare, with: Refused())
    let early = try await Synchronizer(processor: unprepared).syncError()
    XCTAssertEqual(early.report.isComplete, false)
  }

  func testAFailedFetchKeepsWhatIsKnown() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    try await synchronizer.sync()
    processor.fail(.fetch, with: Refused())
    let error = try await synchronizer.syncError()
    XCTAssertEqual(error.report.isComplete, true)
  }
}
