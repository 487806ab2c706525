import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import XCTest

final class ManualClockTests: XCTestCase {
  func testTimeStandsStillUntilItIsMovedAndNeverRunsBackwards() {
    let clock = ManualClock()
    XCTAssertEqual(clock.now.sinceStart, .zero)
    clock.advance(by: .seconds(3))
    clock.advance(to: .init(sinceStart: .seconds(1)))
    XCTAssertEqual(clock.now.sinceStart, .seconds(3))
  }

  func testASleepUntilNowOrThePastReturnsAtOnce() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(1))
    try await clock.sleep(until: clock.now)
    try await clock.sleep(for: .seconds(-1))
  }

  func testSleepersWakeAtTheirDeadlinesAndNotBefore() async throws {
    let clock = ManualClock()
    let woken = Locked<[Int]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try await clock.sleep(for: .seconds(seconds))
          woken.withLock { $0.append(seconds) }
        }
      }
      try await clock.sleepers(atLeast: 3)
      XCTAssertEqual(clock.deadlines.map(\.sinceStart), [.seconds(1), .seconds(2), .seconds(3)])
      clock.advance(by: .milliseconds(999))
      XCTAssertEqual(clock.deadlines.count, 3)
      clock.advance(by: .milliseconds(1))
      try await group.next()
      XCTAssertEqual(woken.withLock { $0 }, [1])
      clock.advance(to: .init(sinceStart: .seconds(2)))
      try await group.next()
      XCTAssertEqual(woken.withLock { $0 }, [1, 2])
      clock.advance(by: .seconds(60))
      try await group.waitForAll()
    }
    XCTAssertEqual(woken.withLock { $0 }, [1, 2, 3])
    XCTAssertEqual(clock.deadlines, [])
  }

  func testACancelledSleeperWakesAtOnceWithCancellationError() async throws {
    let clock = ManualClock()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await clock.sleep(for: .seconds(1)) }
      try await clock.sleepers(atLeast: 1)
      group.cancelAll()
      let ending = await group.nextResult()
      XCTAssertThrowsError(try ending?.get()) { XCTAssert($0 is CancellationError) }
    }
    XCTAssertEqual(clock.deadlines, [])
    XCTAssertEqual(clock.now.sinceStart, .zero)
  }

  func testASynchronizersRequestWindowOpensAndClosesByTheClock() async throws {
    let clock = ManualClock()
    let processor = ScriptedProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor, clock: clock)
    synchronizer.requestSync()
    try await clock.sleepers(atLeast: 1)
    XCTAssertEqual(processor.calls, [])
    clock.advance(by: .seconds(2))
    try await processor.ended(.end)
    XCTAssertEqual(processor.local.keys.sorted(), ["a"])
  }

  /// A sleeper that came between the last one that was woken and the clock's arrival slept on.
  func testWhoFallsAsleepWhileTheClockIsMovedIsWokenToo() async throws {
    for _ in 0..<20_000 {
      let clock = ManualClock()
      let end = ManualClock.Instant(sinceStart: .seconds(1))
      async let slept: Void = clock.sleep(until: end)
      clock.advance(to: end)
      try await slept
    }
  }
}
