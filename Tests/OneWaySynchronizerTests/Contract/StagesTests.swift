import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// Which stages are called, with what, and what an error of one does.
final class StagesTests: XCTestCase {
  func testTheStagesAreCalledInOrder() async throws {
    let processor = TestProcessor(["new", "both"], local: ["both", "gone"])
    processor.outdated = ["both"]
    let all = options { ($0.downloadPreview, $0.concurrency) = (true, 1) }
    try await assertEqual(Synchronizer(processor: processor, options: all).sync().passes.count, 1)
    XCTAssertEqual(
      processor.calls,
      [
        .begin, .fetch, .localKeys, .remove(["gone"]), .itemsToUpdate(["both"]),
        .prepare(["new", "both"]), .preview("new"), .preview("both"), .content("new"),
        .content("both"), .commit, .end(.succeeded),
      ])
    XCTAssertEqual(Set(processor.local.keys), ["new", "both"])
  }

  func testTheEndIsCalledOnceWhateverHappenedAndGetsTheReport() async throws {
    for place in [TestProcessor.Place.begin, .fetch, .localKeys, .prepare, .content("a"), .commit] {
      let processor = TestProcessor(["a"])
      processor.fail(place, with: Refused())
      _ = try await Synchronizer(processor: processor).syncError()
      XCTAssertEqual(processor.calls.last, .end(.failed), "\(place)")
      XCTAssertEqual(processor.reports.count, 1, "\(place)")
      XCTAssertEqual(processor.reports.first?.failures.first?.cause as? Refused, Refused())
    }
  }

  func testAThrowingStageEndsThePassWithAnErrorThatNamesIt() async throws {
    let rows: [(TestProcessor.Place, SyncStage, [String])] = [
      (.begin, .begin, ["begin", "end"]),
      (.fetch, .fetchSourceList, ["begin", "fetch", "end"]),
      (.localKeys, .localKeys, ["begin", "fetch", "localKeys", "end"]),
      (.remove, .removeLocalItems, ["begin", "fetch", "localKeys", "remove", "end"]),
      (
        .itemsToUpdate, .itemsToUpdate,
        ["begin", "fetch", "localKeys", "remove", "itemsToUpdate", "end"]
      ),
      (
        .prepare, .prepareDownload,
        ["begin", "fetch", "localKeys", "remove", "itemsToUpdate", "prepare", "end"]
      ),
    ]
    for (place, stage, calls) in rows {
      let processor = TestProcessor(["a"], local: ["gone"])
      processor.fail(place, with: Refused())
      let error = try await Synchronizer(processor: processor).syncError()
      XCTAssertEqual(error.code, .failed)
      XCTAssertEqual(error.report.failures.map(\.stage), [stage])
      XCTAssertNil(error.report.failures[0].key)
      XCTAssertEqual(processor.calls.map(\.name), calls)
    }
  }

  func testADownloadThatHadBegunIsCommittedBeforeThePassEnds() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.content("a"), with: Refused())
    let error = try await Synchronizer(processor: processor).syncError()
    XCTAssertEqual(processor.calls.suffix(3), [.content("a"), .commit, .end(.failed)])
    XCTAssertEqual(error.report.failures.map(\.key), ["a"])
  }

  func testNothingIsRemovedWhenTheListCannotBeFetched() async throws {
    let processor = TestProcessor([], local: ["a", "b"])
    processor.fail(.fetch, with: Refused())
    _ = try await Synchronizer(processor: processor).syncError()
    XCTAssertEqual(Set(processor.local.keys), ["a", "b"])
  }

  func testWhatACompleteListDoesNotNameIsRemoved() async throws {
    let processor = TestProcessor(["a"], local: ["a", "b", "c"])
    try await Synchronizer(processor: processor).sync()
    XCTAssertTrue(processor.calls.contains(.remove(["b", "c"])))
  }

  func testRemovalIsNotCalledWhenNothingVanished() async throws {
    let processor = TestProcessor(["a", "b"], local: ["a"])
    try await Synchronizer(processor: processor).sync()
    XCTAssertFalse(processor.calls.contains { $0.name == "remove" })
  }

  func testUnchangedEndsThePassAtOnce() async throws {
    let processor = TestProcessor([], local: ["a"])
    processor.source = .unchanged
    try await assertEqual(Synchronizer(processor: processor).sync().passes[0].counts, PassCounts())
    XCTAssertEqual(processor.calls, [.begin, .fetch, .end(.succeeded)])
  }

  func testAPartialListDownloadsButRemovesNothing() async throws {
    let processor = TestProcessor([], local: ["a", "b"])
    processor.source = .partial(["b", "c"])
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(Set(processor.local.keys), ["a", "b", "c"])
    XCTAssertFalse(processor.calls.contains { $0.name == "remove" })
  }

  func testChangesTouchOnlyWhatTheyName() async throws {
    let processor = TestProcessor([], local: ["a", "b", "c"])
    processor.source = .changes(updated: ["d"], removed: ["b", "unknown"])
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(Set(processor.local.keys), ["a", "c", "d"])
    XCTAssertTrue(processor.calls.contains(.remove(["b"])))
  }

  func testAKeyBothUpdatedAndRemovedIsAnErrorOfTheFetch() async throws {
    let processor = TestProcessor([], local: ["a"])
    processor.source = .changes(updated: ["a"], removed: ["a"])
    let error = try await Synchronizer(processor: processor).syncError()
    XCTAssertEqual(error.report.failures[0].stage, .fetchSourceList)
    XCTAssertEqual(error.report.failures[0].cause as? ListProblem<String>, .updatedAndRemoved("a"))
    XCTAssertEqual(processor.calls.map(\.name), ["begin", "fetch", "end"])
  }

  func testOnlyItemsOnBothSidesAreAskedAboutAndTheChosenAreDownloadedLikeNewOnes() async throws {
    let processor = TestProcessor(["a", "b", "c"], local: ["b", "c"])
    processor.outdated = ["c"]
    try await assertEqual(Synchronizer(processor: processor).sync().passes[0].counts.updated, 1)
    XCTAssertTrue(processor.calls.contains(.itemsToUpdate(["b", "c"])))
    XCTAssertTrue(processor.calls.contains(.prepare(["a", "c"])))
  }

  func testAnItemThatWasNotAskedAboutIsAnErrorOfTheStage() async throws {
    for (answer, problem) in [
      (["new"], ListProblem<String>.notAskedAbout("new")),
      (["stranger"], .notAskedAbout("stranger")), (["a", "a"], .duplicateKey("a")),
    ] as [([TestItem], ListProblem<String>)] {
      let processor = TestProcessor(["a", "new"], local: ["a"])
      processor.onItemsToUpdate { _ in answer }
      let error = try await Synchronizer(processor: processor).syncError()
      XCTAssertEqual(error.report.failures.map(\.stage), [.itemsToUpdate])
      XCTAssertEqual(error.report.failures[0].cause as? ListProblem<String>, problem)
      XCTAssertEqual(processor.calls.map(\.name).suffix(2), ["itemsToUpdate", "end"])
    }
  }

  func testAKeyListedTwiceIsAnErrorOfTheFetch() async throws {
    let lists: [SourceList<TestItem>] = [
      .complete(["a", "b", "a"]), .partial(["a", "a"]), .changes(updated: ["a", "a"], removed: []),
    ]
    for list in lists {
      let processor = TestProcessor([], local: ["gone"])
      processor.source = list
      let error = try await Synchronizer(processor: processor).syncError()
      XCTAssertEqual(error.report.failures.map(\.stage), [.fetchSourceList])
      XCTAssertEqual(error.report.failures[0].cause as? ListProblem<String>, .duplicateKey("a"))
      XCTAssertEqual(error.report.failures[0].key, "a")
      XCTAssertEqual(processor.calls.map(\.name), ["begin", "fetch", "end"])
    }
  }
}
