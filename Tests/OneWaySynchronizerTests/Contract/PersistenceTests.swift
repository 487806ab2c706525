@testable import SyncEngine
@testable import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// Attempts, time limits, and the schedule.
final class PersistenceTests: XCTestCase {
  private let clock = ManualClock()

  private func attempts(
    _ count: Int, isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> SyncOptions {
    SyncOptions(
      retries: DownloadRetries(
        attempts: count, pause: DownloadRetries.doublingPause { 1 }, isWorthwhile: isWorthwhile))
  }

  func testADownloadIsTriedAgainAfterGrowingPauses() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.content("a"), with: Refused(), times: 3)
    let synchronizer = Synchronizer(processor: processor, options: attempts(4), clock: clock)
    async let run = synchronizer.sync()
    for pause in [1, 2, 4] {
      try await clock.sleepers(atLeast: 1)
      XCTAssertEqual(clock.deadlines, [clock.now.advanced(by: .seconds(pause))])
      clock.advance(by: .seconds(pause))
    }
    let report = try await run
    XCTAssertEqual(report.counts.downloaded, 1)
    XCTAssertEqual(report.failures.count, 0, "only the last attempt counts")
  }

  func testTheLastAttemptsErrorIsTheFailure() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.content("a"), with: Refused(reason: "first"), times: 1)
    processor.fail(.content("a"), with: Refused(reason: "second"), times: 1)
    let synchronizer = Synchronizer(processor: processor, options: attempts(2), clock: clock)
    async let run = synchronizer.syncError()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    let error = try await run
    XCTAssertEqual(error.report.failures.map { $0.cause as? Refused }, [Refused(reason: "second")])
  }

  func testWhatIsNotWorthAnAttemptOrEndsThePassFailsAtOnce() async throws {
    for endsPass in [false, true] {
      let processor = TestProcessor(["a"])
      processor.fail(.content("a"), with: Refused())
      processor.onEndsPass { _ in endsPass }
      let options = attempts(9) { _ in endsPass }
      _ = try await Synchronizer(processor: processor, options: options, clock: clock).syncError()
      XCTAssertEqual(processor.calls.filter { $0 == .content("a") }.count, 1)
    }
  }

  func testAPauseIsCutShortByACancel() async throws {
    let processor = TestProcessor(["a"])
    processor.fail(.content("a"), with: Refused())
    let synchronizer = Synchronizer(processor: processor, options: attempts(2), clock: clock)
    async let run = synchronizer.syncError()
    try await clock.sleepers(atLeast: 1)
    synchronizer.cancel()
    let error = try await run
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.counts.skipped, 1)
  }

  func testAStageThatTakesLongerThanItsLimitFailsAsTimedOut() async throws {
    let places: [TestProcessor.Place] = [
      .begin, .fetch, .localKeys, .remove, .itemsToUpdate, .prepare,
    ]
    for place in places {
      let processor = TestProcessor(["a"], local: ["gone"])
      let options = SyncOptions(timeLimits: TimeLimits(stage: .seconds(30)))
      let synchronizer = Synchronizer(processor: processor, options: options, clock: clock)
      let (hold, run) = try await processor.held(place, during: await synchronizer.syncError())
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(30))
      let error = try await run.value
      XCTAssertEqual(error.code, .failed, "\(place)")
      XCTAssertTrue(hold.wasCancelled, "\(place)")
      let cause = error.report.failures.first?.cause as? TimedOut
      XCTAssertEqual(cause, TimedOut(limit: .seconds(30)), "\(place)")
    }
  }

  func testADownloadHasALimitOfItsOwnForEachAttempt() async throws {
    // One after the other: a "b" whose end hadn't been seen yet would be late by this clock, too.
    let processor = TestProcessor(["b", "a"])
    let options = SyncOptions(
      concurrency: 1, stopOnError: false,
      retries: DownloadRetries(attempts: 2, pause: { _ in .zero }),
      timeLimits: TimeLimits(download: .seconds(5)))
    let synchronizer = Synchronizer(processor: processor, options: options, clock: clock)
    let holds = [processor.hold(.content("a")), processor.hold(.content("a"))]
    async let run = synchronizer.syncError()
    for hold in holds {
      try await hold.reached()
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(5))
    }
    let error = try await run
    XCTAssertEqual(error.report.failures.map(\.key), ["a"])
    XCTAssertTrue(error.report.failures.first?.cause is TimedOut)
    XCTAssertEqual(error.report.counts.downloaded, 1)
  }

  func testACallThatReturnsAllTheSameHasSucceededAndACancelIsNoTimeOut() async throws {
    let processor = TestProcessor(["a"])
    let options = SyncOptions(timeLimits: TimeLimits(stage: .seconds(5)))
    let synchronizer = Synchronizer(processor: processor, options: options, clock: clock)
    let (hold, run) = try await processor.held(
      .fetch, ignoringCancellation: true, during: await synchronizer.sync())
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    try await hold.reached().cancelled()
    hold.release()
    try await assertEqual(run.value.counts.downloaded, 1)

    let (_, cancelled) = try await processor.held(.fetch, during: await synchronizer.syncError())
    synchronizer.cancel()
    let error = try await cancelled.value
    XCTAssertEqual(error.code, .cancelled)
    XCTAssertEqual(error.report.failures.count, 0)
  }

  func testAScheduleSyncsAtOnceAndThenOnEveryInterval() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    processor.fail(.fetch, with: Refused(), times: 1)
    var schedule = synchronizer.syncs(every: .seconds(60)).makeAsyncIterator()
    let first = await schedule.next()
    await assertEqual(
      thrown(TestError.self, by: try first?.get())?.code, .failed, "an error doesn't end it")
    XCTAssertEqual(clock.now.sinceStart, .zero)
    let reader = Task {
      var results: [Bool] = []
      for await result in synchronizer.syncs(every: .seconds(60), tolerance: .seconds(9)) {
        results.append((try? result.get()) != nil)
        if results.count == 3 { break }
      }
      return results
    }
    for round in 0..<2 {
      try await processor.ended(.end, times: 2 + round)
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(60))
    }
    await assertEqual(reader.value, [true, true, true])
    XCTAssertEqual(processor.reports.count, 4)
  }

  func testRoundsThatAreMissedAreLeftOut() {
    var schedule = Schedule(every: .seconds(10), backingOffTo: .seconds(10), from: .zero)
    let dues = [0, 3, 45, 46, 51].map { schedule.next(after: .seconds($0)) }
    XCTAssertEqual(dues, [.zero, .seconds(10), .seconds(40), .seconds(50), .seconds(60)])
  }

  func testRunsThatFailComeEverLessOftenUntilOneSucceeds() {
    var schedule = Schedule(every: .seconds(10), backingOffTo: .seconds(50), from: .zero)
    var (dues, now): ([Duration], Duration) = ([], .zero)
    for isWell in [true, false, false, false, false, true, false, true, true] {
      now = schedule.next(after: now)
      dues.append(now)
      schedule.runEnded(well: isWell)
    }
    XCTAssertEqual(dues, [0, 10, 30, 70, 120, 170, 180, 200, 210].map { .seconds($0) })
    XCTAssertEqual(schedule.next(after: .seconds(255)), .seconds(250), "what is missed is left out")
    var daily = Schedule(every: .seconds(86_400), backingOffTo: .seconds(3_600), from: .zero)
    _ = daily.next(after: .zero)
    daily.runEnded(well: false)
    XCTAssertEqual(daily.next(after: .zero), .seconds(86_400), "never sooner than the interval")
  }

  func testAScheduleBacksOffWhileItsRunsFailButNotForACancel() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    let runs = Watch()
    processor.onFetch {
      runs.call()
      if runs.count < 3 { throw Refused() }
      if runs.count == 3 { synchronizer.cancel() }
      return .complete(["a"])
    }
    let reader = Task {
      var codes: [TestError.Code?] = []
      for await result in synchronizer.syncs(every: .seconds(60)) {
        if case .failure(let error) = result { codes.append(error.code) } else { codes.append(nil) }
        if codes.count == 5 { break }
      }
      return codes
    }
    for wait in [120, 240, 240, 60] {
      try await clock.sleepers(atLeast: 1)
      XCTAssertEqual(clock.deadlines, [clock.now.advanced(by: .seconds(wait))])
      if wait == 60 { XCTAssertEqual(Set(processor.local.keys), ["a"]) }
      clock.advance(by: .seconds(wait))
    }
    await assertEqual(reader.value, [.failed, .failed, .cancelled, nil, nil])
  }

  func testCancellingTheReaderEndsTheScheduleAndItsRun() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    let hold = processor.hold(.content("a"))
    let reader = Task {
      var count = 0
      for await _ in synchronizer.syncs(every: .seconds(60)) { count += 1 }
      return count
    }
    try await hold.reached()
    reader.cancel()
    await assertEqual(reader.value, 0)
    XCTAssertTrue(hold.wasCancelled)
    XCTAssertFalse(synchronizer.isSyncing)
  }
}
