@testable import OneWaySynchronizer
@testable import SyncEngine
import SynchronizerTesting
import TestSupport
import XCTest

/// Items that wait for another attempt, and what goes on meanwhile.
final class RetryingTests: XCTestCase {
  private let clock = ManualClock()

  /// Items named by numbers, of which the first ones fail so many times.
  private func processor(of count: Int, failing: Int = 0, times: Int = 1) -> TestProcessor {
    let processor = TestProcessor((0..<count).map { TestItem("\($0)") })
    for item in 0..<failing { processor.fail(.content("\(item)"), with: Refused(), times: times) }
    return processor
  }

  /// Two at once, and three attempts with pauses of 10 s.
  private func synchronizer(
    of processor: TestProcessor, _ change: (inout SyncOptions) -> Void = { _ in }
  ) -> Synchronizer<TestProcessor> {
    let options = options {
      $0.concurrency = 2
      $0.stopOnError = false
      $0.retries = DownloadRetries(attempts: 3, pause: { _ in .seconds(10) })
      change(&$0)
    }
    return Synchronizer(processor: processor, options: options, clock: clock)
  }

  private func contents(_ processor: TestProcessor) -> [String] {
    processor.calls.compactMap { if case .content(let key) = $0 { key } else { nil } }
  }

  /// Eight items that waited for their second attempt kept all places: an item that a person had
  /// scrolled to wasn't begun for minutes.
  func testAnItemThatWaitsForAnotherAttemptGivesUpItsPlace() async throws {
    let processor = processor(of: 20, failing: 2, times: 2)
    processor.commitsEachDownload = true
    let synchronizer = synchronizer(of: processor)
    async let run = synchronizer.sync()
    try await clock.sleepers(atLeast: 2)
    XCTAssertEqual(Set(contents(processor)).count, 20, "all others were downloaded meanwhile")
    try await synchronizer.ensure("19")
    for round in 1...2 {
      try await clock.sleepers(atLeast: 2)
      clock.advance(by: .seconds(10))
      try await processor.ended(.anyContent, times: 20 + 2 * round)
    }
    let report = try await run
    XCTAssertEqual(report.counts.downloaded, 20)
    XCTAssertEqual(report.failures.count, 0, "only the last attempt counts")
  }

  func testWhileMoreItemsWaitThanAreDownloadedAtOnceNothingNewStarts() async throws {
    let processor = processor(of: 5, failing: 5)
    let synchronizer = synchronizer(of: processor) { $0.concurrency = 1 }
    async let run = synchronizer.sync()
    for _ in 0..<3 {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(10))
    }
    try await assertEqual(run.counts.downloaded, 5)
    XCTAssertEqual(
      contents(processor), ["0", "1", "0", "1", "2", "3", "2", "3", "4", "4"],
      "what is due comes before what is new")
  }

  func testWhatSomebodyWaitsForIsTriedAgainAtOnce() async throws {
    let processor = processor(of: 2, failing: 2)
    processor.commitsEachDownload = true
    let synchronizer = synchronizer(of: processor)
    async let run = synchronizer.sync()
    try await clock.sleepers(atLeast: 2)
    try await synchronizer.ensure("1")
    XCTAssertEqual(clock.now.sinceStart, .zero)
    try await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(10))
    try await assertEqual(run.counts.downloaded, 2)
    XCTAssertEqual(contents(processor).suffix(2), ["1", "0"])
  }

  /// The server's word counts for all that would be asked of it.
  func testAWholeStageWaitsWhereTheErrorSaysSo() async throws {
    struct Busy: Error { var retryAfter: Duration }
    let processor = processor(of: 9)
    processor.commitsEachDownload = true
    let (busy, other) = (processor.hold(.content("0")), processor.hold(.content("1")))
    processor.onContent { [clock] _ in XCTAssertEqual(clock.now.sinceStart, .seconds(30)) }
    let synchronizer = synchronizer(of: processor) {
      $0.retries.pause = { attempt, error in
        XCTAssertEqual(attempt, 2)
        return (error as? Busy).map { .stage($0.retryAfter) } ?? .item(.seconds(1))
      }
    }
    async let run = synchronizer.sync()
    for hold in [busy, other] { try await hold.reached() }
    busy.fail(Busy(retryAfter: .seconds(30)))
    try await clock.sleepers(atLeast: 1)
    other.fail(Refused())
    async let seeker: Void = synchronizer.ensure("7")
    await eventually("it is wanted") { synchronizer.urgentItems == 1 }
    try await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(29))
    XCTAssertEqual(Set(contents(processor)), ["0", "1"])
    clock.advance(by: .seconds(1))
    try await seeker
    try await assertEqual(run.counts.downloaded, 9)
    XCTAssertTrue(contents(processor)[2...3].contains("7"), "who waits comes first then")
  }

  func testPausesDifferUnlessTheRandomNumbersAreGiven() {
    let chance = DownloadRetries().pause
    XCTAssertGreaterThan(Set((0..<100).map { _ in "\(chance(7, Refused()))" }).count, 1)
    for (random, seconds) in [(0, [0.5, 1, 2, 30, 30]), (1, [1, 2, 4, 60, 60])] {
      let pause = DownloadRetries.doublingPause { Double(random) }
      XCTAssertEqual(
        [2, 3, 4, 8, 99].map { pause($0, Refused()) }, seconds.map { .item(.seconds($0)) })
    }
    let own = DownloadRetries(attempts: 3, pause: { .seconds($0) }).pause
    XCTAssertEqual(own(2, Refused()), .item(.seconds(2)))
  }

  func testObserversHearOfAnItemOnceHoweverOftenItIsTried() async throws {
    let processor = processor(of: 2)
    processor.fail(.content("0"), with: Refused(), times: 1)
    processor.fail(.content("1"), with: Refused())
    let synchronizer = synchronizer(of: processor) { $0.concurrency = 1 }
    let recorder = EventRecorder(synchronizer.events)
    let run = Task { try await synchronizer.syncError() }
    for _ in 0..<2 {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(10))
    }
    try await assertEqual(run.value.report.failures.map(\.key), ["1"])
    let told = await recorder.eventsUntilRunEnd().filter(\.isOfAnItem)
    func totals(_ finished: Int, _ failed: Int) -> ItemTotals {
      ItemTotals(finished: finished, failed: failed, total: 2)
    }
    XCTAssertEqual(
      told,
      [
        .started(.downloadContents, "0", totals(0, 0)),
        .started(.downloadContents, "1", totals(0, 0)),
        .finished(.downloadContents, "0", totals(1, 0)),
        .failed(.downloadContents, "1", totals(1, 1), "\(Refused())"),
      ])
  }

  func testPreviewsThatWaitHoldTheContentsBack() async throws {
    let processor = processor(of: 3)
    processor.fail(.preview("0"), with: Refused(), times: 1)
    let synchronizer = synchronizer(of: processor) { $0.downloadPreview = true }
    async let run = synchronizer.sync()
    try await clock.sleepers(atLeast: 1)
    XCTAssertEqual(contents(processor), [])
    clock.advance(by: .seconds(10))
    try await assertEqual(run.counts.downloaded, 3)
  }

  func testWhatWaitsWhenThePassStopsOrIsCancelledWasCutShort() async throws {
    for stops in [false, true] {
      let processor = processor(of: 2)
      processor.fail(.content("0"), with: Refused(), times: 1)
      let hold = processor.hold(.content("1"))
      let synchronizer = synchronizer(of: processor) { options in
        options.stopOnError = true
        options.retries.isWorthwhile = { $0 is Refused }
      }
      let recorder = EventRecorder(synchronizer.events)
      let run = Task { try await synchronizer.syncError() }
      try await hold.reached()
      try await clock.sleepers(atLeast: 1)
      if stops { hold.fail(TimedOut(limit: .zero)) } else { synchronizer.cancel() }
      let error = try await run.value
      XCTAssertEqual(error.code, stops ? .failed : .cancelled)
      XCTAssertEqual(error.report.failures.map(\.key), stops ? ["1"] : [])
      XCTAssertEqual(error.report.counts.skipped, stops ? 1 : 2)
      let told = await recorder.eventsUntilRunEnd().filter(\.isOfAnItem)
      XCTAssertEqual(told.count, 4, "each that began has ended: \(told)")
      XCTAssertEqual(told.count { if case .cutShort = $0 { true } else { false } }, stops ? 1 : 2)
      XCTAssertEqual(contents(processor).count, 2)
    }
  }
}

extension RecordedEvent {
  fileprivate var isOfAnItem: Bool {
    switch self {
    case .started, .finished, .failed, .cutShort: true
    default: false
    }
  }
}
