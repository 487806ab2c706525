import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// Callers share runs, and a call during a pass asks for one more.
final class RunsTests: XCTestCase {
  func testCallsDuringAPassAskForOneMorePassAndAllGetItsResult() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, first) = try await processor.held(.fetch, during: await synchronizer.sync())
    async let second = synchronizer.sync()
    let third = try await synchronizer.caller(3, makes: await synchronizer.sync())
    hold.release()
    let counts = try await [first.value, second, third.value].map {
      $0.passes.map(\.counts.downloaded)
    }
    XCTAssertEqual(counts, [[1], [0], [0]], "each is told of its own pass")
    XCTAssertEqual(processor.calls.filter { $0 == .fetch }.count, 2)
  }

  func testCallersAreResumedInTheOrderInWhichTheyCalled() async throws {
    // One serial executor for all callers: they run on in the order in which they are resumed.
    let executor = LateExecutor()
    executor.letGo()
    let resumed = Locked<[Int]>([])
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let hold = processor.hold(.fetch)
    var calls: [Task<Void, any Error>] = []
    for number in 0..<20 {
      calls.append(
        Task(executorPreference: executor) {
          try await synchronizer.sync()
          resumed.withLock { $0.append(number) }
        })
      await eventually("caller \(number) waits") { synchronizer.waitingCallers == number + 1 }
      if number == 0 { try await hold.reached() }
    }
    hold.release()
    for call in calls { try await call.value }
    XCTAssertEqual(resumed.withLock { $0 }, Array(0..<20))
  }

  func testACallerNeverGetsAPassThatBeganBeforeItsCall() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    // The call comes at the very end of the pass, when all its work has been done.
    let (hold, first) = try await processor.held(.end, during: await synchronizer.sync())
    let second = try await synchronizer.caller(2, makes: await synchronizer.sync())
    processor.source = .complete(["a", "b"])
    hold.release()
    try await assertEqual(second.value.passes.last?.counts.listed, 2)
    _ = try await first.value
  }

  func testTheFurtherPassHappensAlsoWhenTheOneBeforeFailed() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    processor.fail(.content("a"), with: Refused(), times: 1)
    let (hold, first) = try await processor.held(
      .content("a"), during: await synchronizer.syncError())
    let second = try await synchronizer.caller(2, makes: await synchronizer.sync())
    hold.release()
    try await assertEqual(first.value.report.passes.map(\.outcome), [.failed])
    try await assertEqual(second.value.passes.map(\.outcome), [.succeeded])
  }

  func testWhatFailedBeforeACallIsNotInItsReportButInTheRuns() async throws {
    let (processor, synchronizer) = makeSynchronizer(
      ["a", "b"], options: SyncOptions(stopOnError: false))
    processor.fail(.content("a"), with: Refused(), times: 1)
    var run = synchronizer.events.makeAsyncIterator()
    let (hold, first) = try await processor.held(
      .content("b"), during: await synchronizer.syncError())
    let second = try await synchronizer.caller(2, makes: await synchronizer.sync())
    hold.release()
    try await assertEqual(first.value.report.failures.map(\.key), ["a"])
    let report = try await second.value
    XCTAssertEqual(report.failures.count, 0)
    XCTAssertEqual(report.counts.downloaded, 1, "what the pass before had to leave out")
    while let event = await run.next() {
      guard case .runEnded(_, let result) = event else { continue }
      let whole = try result.get()
      XCTAssertEqual(whole.failures.map(\.key), ["a"])
      XCTAssertEqual(whole.counts.downloaded, 2)
      break
    }
    var status = synchronizer.status.makeAsyncIterator()
    await assertEqual(status.next()?.lastResult?.counts.downloaded, 2)
  }

  func testTheResultIsThatOfTheFirstPassThatBeganAfterTheCall() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let hold = processor.hold(.fetch)
    let secondFetch = processor.hold(.fetch)
    async let first = synchronizer.sync()
    try await hold.reached()
    let second = try await synchronizer.caller(2, makes: await synchronizer.syncError())
    hold.release()
    secondFetch.fail(Refused())
    try await assertEqual(first.passes.map(\.outcome), [.succeeded])
    try await assertEqual(second.value.report.passes.map(\.outcome), [.failed])
  }

  func testRunningUntilQuietEverybodyIsToldOfTheLastPass() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], runUntilQuiet: true)
    let hold = processor.hold(.fetch)
    let secondFetch = processor.hold(.fetch)
    async let first = synchronizer.syncError()
    try await hold.reached()
    let second = try await synchronizer.caller(2, makes: await synchronizer.syncError())
    hold.release()
    secondFetch.fail(Refused())
    try await assertEqual(
      [first, second.value].map { $0.report.passes.map(\.outcome) },
      [[.succeeded, .failed], [.failed]])
  }

  func testThoseWhoNeverStopAskingHoldUpNobody() async throws {
    let (_, synchronizer) = makeSynchronizer(["a"])
    try await whileOthersKeepAsking(synchronizer) {
      for _ in 0..<20 {
        try await assertEqual(synchronizer.sync().passes.last?.outcome, .succeeded)
      }
    }
  }

  func testOptionsAreReadAtTheStartOfEachPass() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, first) = try await processor.held(.fetch, during: await synchronizer.sync())
    synchronizer.options.downloadContent = false
    synchronizer.options.downloadPreview = true
    XCTAssertTrue(synchronizer.options.downloadPreview)
    processor.source = .complete(["a", "b"])
    let second = try await synchronizer.caller(2, makes: await synchronizer.sync())
    try await hold.reached().answer(.complete(["a"]))
    _ = try await (first.value, second.value)
    let downloads = processor.calls.filter { ["content", "preview"].contains($0.name) }
    XCTAssertEqual(downloads, [.content("a"), .preview("b")])
  }
}
