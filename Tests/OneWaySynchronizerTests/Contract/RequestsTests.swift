import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// Requests are gathered.
final class RequestsTests: XCTestCase {
  private let processor = TestProcessor(["a"])
  private let clock = ManualClock()

  func testRequestsWithinTheWindowBecomeOneRun() async throws {
    let synchronizer = Synchronizer(processor: processor, clock: clock)
    synchronizer.requestSync()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    synchronizer.requestSync()
    clock.advance(by: .milliseconds(1_500))
    try await clock.sleepers(atLeast: 1)
    XCTAssertEqual(clock.deadlines.map(\.sinceStart), [.seconds(3)], "2 s after the last request")
    XCTAssertEqual(processor.calls, [])
    clock.advance(by: .milliseconds(500))
    try await processor.ended(.end)
    await eventually("the run has ended") { !synchronizer.isSyncing }
    XCTAssertEqual(processor.reports.count, 1)
  }

  func testTheRunBeginsAtTheLatestAtTheMaximum() async throws {
    let synchronizer = Synchronizer(
      processor: processor,
      requestWindow: RequestWindow(quiet: .seconds(2), atMost: .seconds(3)), clock: clock)
    synchronizer.requestSync()
    for _ in 0..<2 {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .milliseconds(1_400))
      synchronizer.requestSync()
    }
    try await clock.sleepers(atLeast: 1)
    XCTAssertEqual(clock.deadlines.map(\.sinceStart), [.seconds(3)])
    clock.advance(by: .milliseconds(200))
    try await processor.ended(.end)
    XCTAssertEqual(processor.reports.count, 1)
  }

  func testASyncTakesTheRequestAlong() async throws {
    let synchronizer = Synchronizer(processor: processor, clock: clock)
    synchronizer.requestSync()
    try await clock.sleepers(atLeast: 1)
    try await synchronizer.sync()
    XCTAssertEqual(clock.deadlines, [], "the window is closed")
    clock.advance(by: .seconds(60))
    try await synchronizer.sync()
    XCTAssertEqual(processor.reports.count, 2, "no run but those of the two calls")
  }

  func testARequestDuringAPassWaitsForItsWindow() async throws {
    let synchronizer = Synchronizer(processor: processor, clock: clock)
    let (hold, run) = try await processor.held(.fetch, during: await synchronizer.sync())
    synchronizer.requestSync()
    hold.release()
    _ = try await run.value
    try await clock.sleepers(atLeast: 1)
    XCTAssertEqual(processor.reports.count, 1)
    clock.advance(by: .seconds(2))
    try await processor.ended(.end, times: 2)
  }

  func testAWindowThatClosesDuringAPassAsksForOneMorePass() async throws {
    let synchronizer = Synchronizer(processor: processor, clock: clock)
    let (hold, run) = try await processor.held(.fetch, during: await synchronizer.sync())
    synchronizer.requestSync()
    clock.advance(by: .seconds(2))
    hold.release()
    try await assertEqual(run.value.passes.count, 1, "who called is told of their own pass")
    try await processor.ended(.end, times: 2)
  }

  func testCancelDropsAnOpenWindow() async throws {
    let synchronizer = Synchronizer(processor: processor, clock: clock)
    synchronizer.requestSync()
    try await clock.sleepers(atLeast: 1)
    synchronizer.cancel()
    await eventually("nobody sleeps") { clock.deadlines.isEmpty }
    clock.advance(by: .seconds(60))
    try await synchronizer.sync()
    XCTAssertEqual(processor.reports.count, 1)
  }
}
