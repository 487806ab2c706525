@testable import SyncEngine
@testable import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// `sync(ifOlderThan:)`: for views that appear one after the other.
final class AgeTests: XCTestCase {
  private let clock = ManualClock()

  private func lists(_ processor: TestProcessor) -> Int { processor.calls.count { $0 == .fetch } }

  func testTwentyViewsOneAfterTheOtherAskTheSourceOnce() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    let first = try await synchronizer.sync(ifOlderThan: .seconds(60))
    XCTAssertEqual(first?.counts.downloaded, 1)
    for _ in 1..<20 {
      clock.advance(by: .seconds(3))
      try await assertEqual(synchronizer.sync(ifOlderThan: .seconds(60))?.counts.listed, nil)
    }
    XCTAssertEqual(lists(processor), 1)
    clock.advance(by: .seconds(3))
    try await assertEqual(synchronizer.sync(ifOlderThan: .seconds(60))?.counts.listed, 1)
    XCTAssertEqual(lists(processor), 2)
  }

  func testTheAgeOfASuccessIsThatOfItsBeginning() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    let (hold, run) = try await processor.held(.content("a"), during: try await synchronizer.sync())
    clock.advance(by: .seconds(90))
    hold.release()
    _ = try await run.value
    try await assertEqual(synchronizer.sync(ifOlderThan: .seconds(60))?.counts.listed, 1)
  }

  func testAFailureIsNotFresh() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    processor.fail(.fetch, with: Refused(), times: 1)
    _ = try await synchronizer.syncError()
    try await assertEqual(synchronizer.sync(ifOlderThan: .seconds(60))?.counts.downloaded, 1)
  }

  func testAYoungPassIsJoinedAndAnOldOneFollowedByAnother() async throws {
    for (age, passes) in [(Duration.seconds(59), 1), (.seconds(61), 2)] {
      let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
      let (hold, run) = try await processor.held(
        .content("a"), during: try await synchronizer.sync())
      clock.advance(by: age)
      let view = try await synchronizer.caller(
        2, makes: try await synchronizer.sync(ifOlderThan: .seconds(60)))
      hold.release()
      _ = try await run.value
      let report = try await view.value
      XCTAssertNotNil(report)
      XCTAssertEqual(lists(processor), passes, "\(age)")
    }
  }

  func testWhoJoinsTakesNoRequestAlong() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    let (hold, run) = try await processor.held(.content("a"), during: try await synchronizer.sync())
    synchronizer.requestSync()
    let view = try await synchronizer.caller(
      2, makes: try await synchronizer.sync(ifOlderThan: .seconds(60)))
    hold.release()
    _ = try await (run.value, view.value)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    try await processor.ended(.end, times: 2)
    XCTAssertEqual(lists(processor), 2, "the request asks for what is newer than the pass")
  }

  func testWhoJoinsIsToldOfTheFailureOfTheirPass() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    let (hold, run) = try await processor.held(.content("a"), during: try await synchronizer.sync())
    let view = try await synchronizer.caller(
      2, makes: try await synchronizer.sync(ifOlderThan: .seconds(60)))
    hold.fail(Refused())
    _ = await run.result
    let error = await thrown(TestError.self, by: try await view.value)
    XCTAssertEqual(error?.code, .failed)
    XCTAssertEqual(lists(processor), 1)
  }
}
