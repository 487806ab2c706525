import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// Callers wait for passes: who leaves, how important they are, and what they bring along.
final class CallersOfPassesTests: XCTestCase {
  @TaskLocal private static var note = "nobody's"

  func testAnOwedPassIsDroppedWhenItsOnlyCallerLeaves() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, stays) = try await processor.held(.fetch, during: await synchronizer.sync())
    let leaver = try await synchronizer.caller(2, makes: await synchronizer.sync())
    leaver.cancel()
    await assertThrows(CancellationError.self, try await leaver.value)
    hold.release()
    try await assertEqual(stays.value.passes.count, 1)
    XCTAssertEqual(processor.reports.count, 1)
  }

  func testAPassThatNobodyWaitsForAnyMoreFinishesForTheNext() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (hold, leaver) = try await processor.held(.fetch, during: await synchronizer.sync())
    let stays = try await synchronizer.caller(2, makes: await synchronizer.sync())
    leaver.cancel()
    _ = await leaver.result
    XCTAssertFalse(hold.wasCancelled)
    hold.release()
    try await assertEqual(stays.value.passes.map(\.outcome), [.succeeded])
    XCTAssertEqual(processor.reports.map(\.outcome), [.succeeded, .succeeded])
  }

  func testWhoHasBeenAnsweredMayAskAgainWhileTheRunGoesOn() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let (first, one) = try await processor.held(.fetch, during: await synchronizer.sync())
    let second = processor.hold(.fetch)
    let two = try await synchronizer.caller(2, makes: await synchronizer.sync())
    first.release()
    try await assertEqual(one.value.passes.count, 1)
    XCTAssertTrue(synchronizer.isSyncing, "the run goes on for the other")
    try await second.reached(withinPasses: 2)
    let three = try await synchronizer.caller(2, makes: await synchronizer.sync())
    second.release()
    let counts = try await [two.value, three.value].map(\.passes.count)
    XCTAssertEqual(counts, [1, 1])
    XCTAssertEqual(processor.reports.count, 3)
  }

  func testARunHasTheTaskLocalsOfNobody() async throws {
    let processor = TestProcessor(["a"])
    let watch = Watch()
    let look: @Sendable () -> Void = { if Self.note == "nobody's" { watch.call() } }
    processor.onBegin { look() }
    processor.onContent { _ in look() }
    processor.onCommit {
      look()
      return [:]
    }
    processor.onEnd { _ in look() }
    let synchronizer = Synchronizer(processor: processor)
    try await Self.$note.withValue("the first caller's") { _ = try await synchronizer.sync() }
    XCTAssertEqual(watch.count, 4)
  }

  func testACallerOfHigherPriorityRaisesTheRun() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let seen = Watch()
    processor.onContent { _ in
      await eventually("the run is raised") { Task.currentPriority >= .high }
      seen.call()
    }
    let hold = processor.hold(.fetch)
    let low = Task(priority: .background) { try await synchronizer.sync() }
    try await hold.reached()
    let high = Task(priority: .high) { try await synchronizer.sync() }
    await eventually("two callers wait") { synchronizer.waitingCallers == 2 }
    hold.release()
    _ = try await low.value
    XCTAssertEqual(seen.count, 1, "the pass under way is in the way of the important one")
    _ = try await high.value
  }

  func testARunHasThePriorityOfItsCaller() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let seen = Watch()
    processor.onFetch {
      if Task.currentPriority == .background { seen.call() }
      return .unchanged
    }
    // Nobody awaits this task: that would raise its priority.
    Task(priority: .background) { try await synchronizer.sync() }
    try await processor.ended(.end)
    XCTAssertEqual(seen.count, 1)
  }
}
