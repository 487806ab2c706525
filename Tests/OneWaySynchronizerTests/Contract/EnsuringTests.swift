import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
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
    let report = try await run
    XCTAssertEqual(report.counts.downloaded, 20)
    XCTAssertEqual(Set(contents(processor)).count, 20, "no item twice")
  }

  func testItStartsAPassWhenNoneRuns() async throws {
    let processor = TestProcessor(["a", "b", "c"])
    let synchronizer = Synchronizer(processor: processor, options: one)
    try await synchronizer.ensure("c")
    XCTAssertEqual(contents(processor), ["c", "a", "b"])
    XCTAssertEqual(Set(processor.local.keys), ["a", "b", "c"])
  }

  func testThePreviewOfTheItemComesNextToo() async throws {
    let processor = TestProcessor((0..<9).map { TestItem("\($0)") })
    let both = options {
      $0.concurrency = 1
      $0.downloadPreview = true
    }
    let synchronizer = Synchronizer(processor: processor, options: both)
    let hold = processor.hold(.preview("0"))
    async let run = synchronizer.sync()
    try await hold.reached()
    async let seeker: Void = synchronizer.ensure("7")
    await eventually("it is wanted") { synchronizer.urgentItems == 1 }
    hold.release()
    _ = try await (run, seeker)
    let previews = processor.calls.compactMap {
      if case .preview(let key) = $0 { key } else { nil }
    }
    XCTAssertEqual(previews.prefix(2), ["0", "7"])
    XCTAssertEqual(contents(processor).first, "7")
  }

  func testWhatIsHeldAndCurrentIsAnsweredAfterTheComparison() async throws {
    let processor = TestProcessor(["a", "b"], local: ["b"])
    let synchronizer = Synchronizer(processor: processor, options: one)
    let hold = processor.hold(.content("a"))
    async let run = synchronizer.sync()
    try await hold.reached()
    try await synchronizer.ensure("b")
    hold.release()
    _ = try await run
  }

  func testWhatIsNotListedOrLeftOutIsSaidSo() async throws {
    let processor = TestProcessor(["a", "b", "old"], local: ["gone", "old"])
    processor.outdated = ["old"]
    processor.onPrepare { $0.filter { $0.id == "a" } }
    let synchronizer = Synchronizer(processor: processor)
    for (key, code) in [
      ("nowhere", TestError.Code.notListed("nowhere")), ("gone", .notListed("gone")),
      ("b", .leftOut("b")), ("old", .leftOut("old")),
    ] {
      do {
        try await synchronizer.ensure(key)
        XCTFail("\(key) was ensured")
      } catch let error as TestError {
        XCTAssertEqual(error.code, code)
        XCTAssertTrue("\(error)".contains(key), "\(error)")
      }
    }
  }

  func testWithoutContentsAnItemIsLeftOut() async throws {
    let synchronizer = Synchronizer(
      processor: TestProcessor(["a"]), options: options { $0.downloadContent = false })
    do {
      try await synchronizer.ensure("a")
      XCTFail("it was ensured")
    } catch let error as TestError {
      XCTAssertEqual(error.code, .leftOut("a"))
    }
  }

  func testListsThatNameLittleAreSupplementedByTheLocalSide() async throws {
    let lists: [SourceList<TestItem>] = [
      .partial(["a"]), .changes(updated: ["a"], removed: ["gone"]), .unchanged,
    ]
    for list in lists {
      let processor = TestProcessor([], local: ["held", "gone"])
      processor.source = list
      let synchronizer = Synchronizer(processor: processor)
      try await synchronizer.ensure("held")
      do {
        try await synchronizer.ensure("nowhere")
        XCTFail("ensured in \(list)")
      } catch let error as TestError {
        XCTAssertEqual(error.code, .notListed("nowhere"), "\(list)")
      }
    }
  }

  func testWhatALateSeekerWantsOfAPartialListIsFoundOutInTheNextPass() async throws {
    let processor = TestProcessor([], local: ["held"])
    processor.source = .partial(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.content("a"))
    async let run = synchronizer.sync()
    try await hold.reached()
    async let seeker: Void = synchronizer.ensure("held")
    await eventually("it is put off") { synchronizer.owedCallers == 1 }
    hold.release()
    _ = try await (run, seeker)
    try await processor.ended(.end, times: 2)
  }

  func testWhoComesAtTheEndOfAPassWithoutNewsWaitsForTheNext() async throws {
    let processor = TestProcessor([], local: ["held"])
    processor.source = .unchanged
    let synchronizer = Synchronizer(processor: processor)
    let gate = Gate()
    processor.onEnd { _ in try? await gate.wait() }
    async let run = synchronizer.sync()
    try await processor.began(.end)
    async let seeker: Void = synchronizer.ensure("held")
    await eventually("it waits") { synchronizer.waitingCallers == 2 }
    gate.open()
    _ = try await (run, seeker)
  }

  func testRunningUntilQuietASeekerWaitsOnAfterAPassThatFailed() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.fetch, with: Refused(), times: 1)
    let synchronizer = Synchronizer(processor: processor, runUntilQuiet: true)
    let hold = processor.hold(.begin)
    async let seeker: Void = synchronizer.ensure("a")
    try await hold.reached()
    async let run = synchronizer.sync()
    await eventually("two wait") { synchronizer.waitingCallers == 2 }
    hold.release()
    _ = try await (run, seeker)
    XCTAssertEqual(Set(processor.local.keys), ["a"])
  }

  func testManyThreadsNeverGetAWrongAnswer() async throws {
    for _ in 0..<200 {
      let processor = TestProcessor(["a", "b", "c"], local: ["c"])
      let synchronizer = Synchronizer(processor: processor)
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
    let going = options {
      $0.concurrency = 1
      $0.stopOnError = false
    }
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
    let processor = TestProcessor(["a", "b"])
    processor.onCommit { ["b": Refused()] }
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.fetch)
    async let good: Void = synchronizer.ensure("a")
    async let bad: Void = synchronizer.ensure("b")
    await eventually("two wait") { synchronizer.waitingCallers == 2 }
    hold.release()
    try await good
    do {
      try await bad
      XCTFail("it was ensured")
    } catch let error as SyncFailure<String> {
      XCTAssertEqual(error.stage, .commitDownloads)
    }
  }

  func testSeveralWaitForOneKeyAndOneWhoLeavesLeavesTheOthers() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.content("a"))
    let first = Task { try await synchronizer.ensure("a") }
    try await hold.reached()
    let second = Task { try await synchronizer.ensure("a") }
    await eventually("two wait") { synchronizer.waitingCallers == 2 }
    first.cancel()
    let result = await first.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertFalse(hold.wasCancelled)
    hold.release()
    try await second.value
  }

  func testTheLastWhoLeavesCancelsTheRun() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.content("a"))
    let seeker = Task { try await synchronizer.ensure("a") }
    try await hold.reached()
    seeker.cancel()
    let result = await seeker.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertTrue(hold.wasCancelled)
    XCTAssertFalse(synchronizer.isSyncing)
  }

  func testAPassThatFailsOrIsCancelledIsTold() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.fetch, with: Refused(), times: 1)
    let synchronizer = Synchronizer(processor: processor)
    do {
      try await synchronizer.ensure("a")
      XCTFail("it was ensured")
    } catch let error as TestError {
      XCTAssertEqual(error.code, .failed)
      XCTAssertEqual(error.report.failures.map(\.stage), [.fetchSourceList])
    }
    let hold = processor.hold(.content("a"))
    let seeker = Task { try await synchronizer.ensure("a") }
    try await hold.reached()
    synchronizer.cancel()
    let result = await seeker.result
    XCTAssertThrowsError(try result.get()) {
      XCTAssertEqual(($0 as? TestError)?.code, .cancelled)
    }
  }

  func testWhoComesAfterTheCommitWaitsForTheNextPass() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.end)
    async let run = synchronizer.sync()
    try await hold.reached()
    async let seeker: Void = synchronizer.ensure("a")
    await eventually("two wait") { synchronizer.waitingCallers == 2 }
    hold.release()
    _ = try await (run, seeker)
    try await processor.ended(.end, times: 2)
  }
}
