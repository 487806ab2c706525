import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// `ensure(_:)`: an item that somebody waits for.
final class EnsuringTests: XCTestCase {
  private let one = options { $0.concurrency = 1 }

  private func contents(_ processor: TestProcessor) -> [String] {
    processor.calls.compactMap { if case .content(let key) = $0 { key } else { nil } }
  }

  func testItMovesAnItemToTheFrontAndReturnsWhenItIsCommitted() async throws {
    let processor = TestProcessor((0..<20).map { TestItem("\($0)") })
    let synchronizer = Synchronizer(processor: processor, options: one)
    let hold = processor.hold(.content("0"))
    let commit = processor.hold(.commit)
    async let run = synchronizer.sync()
    try await hold.reached()
    let isEnsured = Locked(false)
    let seeker = Task {
      try await synchronizer.ensure("17")
      isEnsured.withLock { $0 = true }
    }
    await eventually("it is wanted") { synchronizer.urgentItems == 1 }
    hold.release()
    try await commit.reached()
    XCTAssertEqual(contents(processor).prefix(3), ["0", "17", "1"])
    XCTAssertFalse(isEnsured.withLock { $0 })
    commit.release()
    try await seeker.value
    try await assertEqual(run.counts.downloaded, 20)
    XCTAssertEqual(Set(contents(processor)).count, 20, "no item twice")
  }

  func testItStartsAPassWhenNoneRuns() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a", "b", "c"], options: one)
    try await synchronizer.ensure("c")
    XCTAssertEqual(contents(processor), ["c", "a", "b"])
    XCTAssertEqual(Set(processor.local.keys), ["a", "b", "c"])
  }

  func testThePreviewOfTheItemComesNextToo() async throws {
    let processor = TestProcessor((0..<9).map { TestItem("\($0)") })
    let both = options { ($0.concurrency, $0.downloadPreview) = (1, true) }
    let synchronizer = Synchronizer(processor: processor, options: both)
    let (hold, run) = try await processor.held(.preview("0"), during: await synchronizer.sync())
    async let seeker: Void = synchronizer.ensure("7")
    await eventually("it is wanted") { synchronizer.urgentItems == 1 }
    hold.release()
    _ = try await (run.value, seeker)
    let previews = processor.calls.compactMap {
      if case .preview(let key) = $0 { key } else { nil }
    }
    XCTAssertEqual(previews.prefix(2), ["0", "7"])
    XCTAssertEqual(contents(processor).first, "7")
  }

  func testWhatIsHeldAndCurrentIsAnsweredAfterTheComparison() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a", "b"], local: ["b"], options: one)
    let (hold, run) = try await processor.held(.content("a"), during: await synchronizer.sync())
    try await synchronizer.ensure("b")
    hold.release()
    _ = try await run.value
  }

  func testWhatIsNotListedOrLeftOutIsSaidSo() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a", "b", "old"], local: ["gone", "old"])
    processor.outdated = ["old"]
    processor.onPrepare { $0.filter { $0.id == "a" } }
    for (key, code) in [
      ("nowhere", TestError.Code.notListed("nowhere")), ("gone", .notListed("gone")),
      ("b", .leftOut("b")), ("old", .leftOut("old")),
    ] {
      if let error = await thrown(TestError.self, by: try await synchronizer.ensure(key)) {
        XCTAssertEqual(error.code, code)
        XCTAssertTrue("\(error)".contains(key), "\(error)")
      }
    }
  }

  func testWithoutContentsAnItemIsLeftOut() async throws {
    let synchronizer = Synchronizer(
      processor: TestProcessor(["a"]), options: options { $0.downloadContent = false })
    await assertEqual(
      thrown(TestError.self, by: try await synchronizer.ensure("a"))?.code, .leftOut("a"))
  }

  func testListsThatNameLittleAreSupplementedByTheLocalSide() async throws {
    let lists: [SourceList<TestItem>] = [
      .partial(["a"]), .changes(updated: ["a"], removed: ["gone"]), .unchanged,
    ]
    for list in lists {
      let (processor, synchronizer) = makeSynchronizer([], local: ["held", "gone"])
      processor.source = list
      try await synchronizer.ensure("held")
      if let error = await thrown(TestError.self, by: try await synchronizer.ensure("nowhere")) {
        XCTAssertEqual(error.code, .notListed("nowhere"), "\(list)")
      }
    }
  }

  func testWhatALateSeekerWantsOfAPartialListIsFoundOutInTheNextPass() async throws {
    let (processor, synchronizer) = makeSynchronizer([], local: ["held"])
    processor.source = .partial(["a"])
    let (hold, run) = try await processor.held(.content("a"), during: await synchronizer.sync())
    async let seeker: Void = synchronizer.ensure("held")
    await eventually("it is put off") { synchronizer.owedCallers == 1 }
    hold.release()
    _ = try await (run.value, seeker)
    try await processor.ended(.end, times: 2)
  }

  func testWhoComesAtTheEndOfAPassWithoutNewsWaitsForTheNext() async throws {
    let (processor, synchronizer) = makeSynchronizer([], local: ["held"])
    processor.source = .unchanged
    let gate = Gate()
    processor.onEnd { _ in try? await gate.wait() }
    async let run = synchronizer.sync()
    try await processor.began(.end)
    let seeker = try await synchronizer.caller(2, makes: await synchronizer.ensure("held"))
    gate.open()
    _ = try await (run, seeker.value)
  }

  func testRunningUntilQuietASeekerWaitsOnAfterAPassThatFailed() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], runUntilQuiet: true)
    processor.fail(.fetch, with: Refused(), times: 1)
    let (hold, seeker) = try await processor.held(.begin, during: await synchronizer.ensure("a"))
    let run = try await synchronizer.caller(2, makes: await synchronizer.sync())
    hold.release()
    _ = try await (run.value, seeker.value)
    XCTAssertEqual(Set(processor.local.keys), ["a"])
  }

  func testManyThreadsNeverGetAWrongAnswer() async throws {
    for _ in 0..<200 {
      let (_, synchronizer) = makeSynchronizer(["a", "b", "c"], local: ["c"])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in ["a", "b", "c", "a", "b", "c"] {
          group.addTask { try await synchronizer.ensure(key) }
          group.addTask { try await synchronizer.sync() }
        }
        try await group.waitForAll()
      }
    }
  }

  func testAFailureIsToldAtOnceAndAsTheItemsOwn() async throws {
    let processor = TestProcessor(["a", "bad"])
    processor.fail(.content("bad"), with: Refused())
    let going = options { ($0.concurrency, $0.stopOnError) = (1, false) }
    let synchronizer = Synchronizer(processor: processor, options: going)
    let hold = processor.hold(.content("a"))
    let error = await Task { try await synchronizer.ensure("bad") }.result
    hold.release()
    XCTAssertThrowsError(try error.get()) { error in
      XCTAssertEqual((error as? SyncFailure<String>)?.key, "bad")
      XCTAssertTrue((error as? SyncFailure<String>)?.cause is Refused)
    }
    do {
      try await synchronizer.ensure("bad")
      XCTFail("it was ensured")
    } catch is SyncFailure<String> {  // in this pass or in the next
    }
    await eventually("the pass goes on and ends") { !synchronizer.isSyncing }
    XCTAssertEqual(Set(processor.local.keys), ["a"])
  }

  func testAFailedCommitIsAFailureOfTheItem() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a", "b"])
    processor.onCommit { ["b": Refused()] }
    let hold = processor.hold(.fetch)
    async let good: Void = synchronizer.ensure("a")
    let bad = try await synchronizer.caller(2, makes: await synchronizer.ensure("b"))
    hold.release()
    try await good
    await assertEqual(
      thrown(SyncFailure<String>.self, by: try await bad.value)?.stage, .commitDownloads)
  }

  func testSeveralWaitForOneKeyAndOneWhoLeavesLeavesTheOthers() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, first) = try await processor.held(
      .content("a"), during: await synchronizer.ensure("a"))
    let second = try await synchronizer.caller(2, makes: await synchronizer.ensure("a"))
    first.cancel()
    await assertThrows(CancellationError.self, try await first.value)
    XCTAssertFalse(hold.wasCancelled)
    hold.release()
    try await second.value
  }

  func testTheLastWhoLeavesCancelsTheRun() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, seeker) = try await processor.held(
      .content("a"), during: await synchronizer.ensure("a"))
    seeker.cancel()
    await assertThrows(CancellationError.self, try await seeker.value)
    XCTAssertTrue(hold.wasCancelled)
    XCTAssertFalse(synchronizer.isSyncing)
  }

  func testAPassThatFailsOrIsCancelledIsTold() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    processor.fail(.fetch, with: Refused(), times: 1)
    if let error = await thrown(TestError.self, by: try await synchronizer.ensure("a")) {
      XCTAssertEqual(error.code, .failed)
      XCTAssertEqual(error.report.failures.map(\.stage), [.fetchSourceList])
    }
    let (_, seeker) = try await processor.held(
      .content("a"), during: await synchronizer.ensure("a"))
    synchronizer.cancel()
    await assertEqual(thrown(TestError.self, by: try await seeker.value)?.code, .cancelled)
  }

  func testWhoComesAfterTheCommitWaitsForTheNextPass() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, run) = try await processor.held(.end, during: await synchronizer.sync())
    let seeker = try await synchronizer.caller(2, makes: await synchronizer.ensure("a"))
    hold.release()
    _ = try await (run.value, seeker.value)
    try await processor.ended(.end, times: 2)
  }
}
