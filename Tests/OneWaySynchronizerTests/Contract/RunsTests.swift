import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import XCTest

/// Callers share runs, and a call during a pass asks for one more.
final class RunsTests: XCTestCase {
  func testCallsDuringAPassAskForOneMorePassAndAllGetItsResult() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.fetch)
    async let first = synchronizer.sync()
    try await hold.reached()
    async let second = synchronizer.sync()
    async let third = synchronizer.sync()
    await eventually("three callers wait") { synchronizer.waitingCallers == 3 }
    hold.release()
    let counts = try await [first, second, third].map { $0.passes.map(\.counts.downloaded) }
    XCTAssertEqual(counts, [[1], [1, 0], [1, 0]], "each is told of the passes up to its own")
    XCTAssertEqual(processor.calls.filter { $0 == .fetch }.count, 2)
  }

  func testCallersAreResumedInTheOrderInWhichTheyCalled() async throws {
    // One serial executor for all callers: they run on in the order in which they are resumed.
    let executor = LateExecutor()
    executor.letGo()
    let resumed = Locked<[Int]>([])
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
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
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    // The call comes at the very end of the pass, when all its work has been done.
    let hold = processor.hold(.end)
    async let first = synchronizer.sync()
    try await hold.reached()
    async let second = synchronizer.sync()
    await eventually("the second caller waits") { synchronizer.waitingCallers == 2 }
    processor.source = .complete(["a", "b"])
    hold.release()
    let report = try await second
    XCTAssertEqual(report.passes.last?.counts.listed, 2)
    _ = try await first
  }

  func testTheFurtherPassHappensAlsoWhenTheOneBeforeFailed() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.content("a"), with: Refused(), times: 1)
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.content("a"))
    async let first = synchronizer.syncError()
    try await hold.reached()
    async let second = synchronizer.sync()
    await eventually("the second caller waits") { synchronizer.waitingCallers == 2 }
    hold.release()
    let error = try await first
    XCTAssertEqual(error.report.passes.map(\.outcome), [.failed])
    let report = try await second
    XCTAssertEqual(report.passes.map(\.outcome), [.failed, .succeeded])
    XCTAssertEqual(report.failures.map(\.key), ["a"])
  }

  func testTheResultIsThatOfTheFirstPassThatBeganAfterTheCall() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.fetch)
    let secondFetch = processor.hold(.fetch)
    async let first = synchronizer.sync()
    try await hold.reached()
    async let second = synchronizer.syncError()
    await eventually("the second caller waits") { synchronizer.waitingCallers == 2 }
    hold.release()
    secondFetch.fail(Refused())
    let report = try await first
    XCTAssertEqual(report.passes.map(\.outcome), [.succeeded])
    let error = try await second
    XCTAssertEqual(error.report.passes.map(\.outcome), [.succeeded, .failed])
  }

  func testRunningUntilQuietEverybodyIsToldOfTheLastPass() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor, runUntilQuiet: true)
    let hold = processor.hold(.fetch)
    let secondFetch = processor.hold(.fetch)
    async let first = synchronizer.syncError()
    try await hold.reached()
    async let second = synchronizer.syncError()
    await eventually("the second caller waits") { synchronizer.waitingCallers == 2 }
    hold.release()
    secondFetch.fail(Refused())
    let errors = try await [first, second]
    XCTAssertEqual(
      errors.map { $0.report.passes.map(\.outcome) },
      [[.succeeded, .failed], [.succeeded, .failed]])
  }

  func testThoseWhoNeverStopAskingHoldUpNobody() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    try await whileOthersKeepAsking(synchronizer) {
      for _ in 0..<20 {
        let report = try await synchronizer.sync()
        XCTAssertEqual(report.passes.last?.outcome, .succeeded)
      }
    }
  }

  func testOfARunThatGoesOnAndOnTheNewestPassesAreKept() async throws {
    let synchronizer = Synchronizer(processor: TestProcessor([]))
    let most = try await whileOthersKeepAsking(synchronizer) {
      var most = 0
      for _ in 0..<4_000 { most = max(most, try await synchronizer.sync().passes.count) }
      return most
    }
    XCTAssertLessThanOrEqual(most, 2_000)
    XCTAssertGreaterThan(most, 10)
  }

  func testOptionsAreReadAtTheStartOfEachPass() async throws {
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let hold = processor.hold(.fetch)
    async let first = synchronizer.sync()
    try await hold.reached()
    synchronizer.options.downloadContent = false
    synchronizer.options.downloadPreview = true
    XCTAssertTrue(synchronizer.options.downloadPreview)
    processor.source = .complete(["a", "b"])
    async let second = synchronizer.sync()
    await eventually("the second caller waits") { synchronizer.waitingCallers == 2 }
    try await hold.reached().answer(.complete(["a"]))
    _ = try await (first, second)
    let downloads = processor.calls.filter { ["content", "preview"].contains($0.name) }
    XCTAssertEqual(downloads, [.content("a"), .preview("b")])
  }
}
