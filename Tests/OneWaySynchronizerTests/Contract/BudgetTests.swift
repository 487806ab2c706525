@testable import OneWaySynchronizer
import SyncLock
@testable import SyncEngine
import SynchronizerTesting
import TestSupport
import XCTest

/// Several synchronizers that share a number of downloads.
final class BudgetTests: XCTestCase {
  func testDownloadsThatAwaitOneTaskGoOnThoughOneOfThemHasLentItsPlace() async throws {
    let options = SyncOptions(concurrency: 2, budget: DownloadBudget(1))
    let (outer, first) = makeSynchronizer(["a", "b"], options: options)
    let (_, inner) = makeSynchronizer(["token"])
    let shared = Locked<Task<Void, any Error>?>(nil)
    outer.onContent { _ in
      let task = shared.withLock { task in
        if let task { return task }
        let new = Task { _ = try await inner.sync() }
        task = new
        return new
      }
      try await task.value
    }
    try await assertEqual(first.sync().counts.downloaded, 2)
  }

  func testAStageWhoseItemsAreAllUnderWayOrDoneWaitsForNoPlace() async throws {
    let budget = DownloadBudget(1)
    let options = SyncOptions(concurrency: 1, budget: budget)
    let (before, zero) = makeSynchronizer(["z"], options: options)
    let (one, first) = makeSynchronizer(["a0", "a1"], options: options)
    let (two, second) = makeSynchronizer(["b"], options: options)
    let (holdZ, runZ) = try await before.held(.anyContent, during: try await zero.sync())
    let holds = (one.hold(.content("a0")), one.hold(.content("a1")), two.hold(.content("b")))
    let runA = Task { try await first.sync() }
    await eventually("one waits") { budget.book.waitingCount == 1 }
    let runB = Task { try await second.sync() }
    await eventually("two wait") { budget.book.waitingCount == 2 }
    holdZ.release()
    try await holds.0.reached()
    holds.0.release()
    try await holds.2.reached()
    await eventually("the first waits again") { budget.book.waitingCount == 1 }
    holds.2.release()
    try await holds.1.reached()
    try await assertEqual(runB.value.counts.downloaded, 1)
    holds.1.release()
    _ = try await (runA.value, runZ.value)
  }

  private func make(
    _ name: String, of count: Int, atOnce width: Int = 4, in budget: DownloadBudget,
    clock: any Clock<Duration> = ContinuousClock(), _ change: (inout SyncOptions) -> Void = { _ in }
  ) -> (TestProcessor, Synchronizer<TestProcessor>) {
    makeSynchronizer(
      (0..<count).map { TestItem("\(name)\($0)") },
      options: options {
        ($0.concurrency, $0.budget) = (width, budget)
        change(&$0)
      }, clock: clock)
  }

  private func assertNothingIsHeld(_ budget: DownloadBudget, line: UInt = #line) {
    let book = budget.book
    XCTAssertEqual([book.free, book.waitingCount], [book.places, 0], line: line)
  }

  func testTogetherTheyHaveNoMoreDownloadsThanTheBudgetAndThatManyWhenThereIsWork() async throws {
    let (budget, gate, busy) = (DownloadBudget(3), Gate(), Locked((now: 0, most: 0)))
    let all = ["a", "b", "c", "d"].map { make($0, of: 9, in: budget) }
    for (processor, _) in all {
      processor.onContent { _ in
        busy.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        defer { busy.withLock { $0.now -= 1 } }
        try await gate.wait()
      }
    }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for (_, synchronizer) in all {
        group.addTask { try await synchronizer.sync().counts.downloaded }
      }
      try await gate.waiters(atLeast: 3)
      await eventually("all others wait") { budget.book.waitingCount == 13 }
      gate.open()
      for try await count in group { XCTAssertEqual(count, 9) }
    }
    XCTAssertEqual(busy.withLock { $0.most }, 3)
    assertNothingIsHeld(budget)
  }

  func testWhoComesLaterGetsItsPartAsDownloadsEnd() async throws {
    let budget = DownloadBudget(2)
    let (big, first) = make("a", of: 9, atOnce: 2, in: budget)
    let (small, second) = make("b", of: 2, atOnce: 2, in: budget)
    for processor in [big, small] { processor.handOver { $0.name == "content" } }
    async let one = first.sync()
    let held = [try await big.nextCall(), try await big.nextCall()]
    async let two = second.sync()
    await eventually("the other waits for two places") { budget.book.waitingCount == 2 }
    held[0].release()
    let other = try await small.nextCall()
    held[1].release()
    try await big.nextCall().release()
    let last = try await big.nextCall()
    XCTAssertEqual(small.inFlight, 1, "each has one, however many are done")
    for processor in [big, small] { processor.handOver { _ in false } }
    for call in [other, last] { call.release() }
    try await assertEqual([one.counts.downloaded, two.counts.downloaded], [9, 2])
    assertNothingIsHeld(budget)
  }

  /// An album's download syncs its pictures: with a place each, both would wait for good.
  func testSynchronizersWithinEachOtherGoOnWithASinglePlace() async throws {
    for places in 1...2 {
      let budget = DownloadBudget(places)
      let (outer, first) = make("outer", of: 3, in: budget)
      let (middle, second) = make("middle", of: 2, in: budget)
      let (inner, third) = make("inner", of: 5, in: budget)
      outer.onContent { _ in
        async let one = second.sync()
        async let other: Void = third.ensure("inner4")
        _ = try await (one, other)
      }
      middle.onContent { _ in try await third.sync() }
      try await assertEqual(first.sync().counts.downloaded, 3)
      XCTAssertEqual([middle.local.count, inner.local.count], [2, 5])
      assertNothingIsHeld(budget)
    }
  }

  func testATaskThatOutlivesItsDownloadTakesNoPlace() async throws {
    let budget = DownloadBudget(1)
    let (outer, first) = make("outer", of: 3, in: budget)
    let (_, second) = make("inner", of: 3, in: budget)
    let (tasks, sink) = AsyncStream<Task<Int, any Error>>.makeStream()
    outer.onContent { _ in sink.yield(Task { try await second.sync().counts.listed }) }
    try await assertEqual(first.sync().counts.downloaded, 3)
    sink.finish()
    for await task in tasks { try await assertEqual(task.value, 3) }
    await eventually("the run has ended") { !second.isSyncing }
    assertNothingIsHeld(budget)
  }

  func testAnItemThatWaitsForAnotherAttemptTakesNoPlace() async throws {
    let (budget, clock) = (DownloadBudget(1), ManualClock())
    let (processor, first) = make("a", of: 1, in: budget, clock: clock) {
      $0.retries = DownloadRetries(attempts: 2, pause: { _ in .seconds(10) })
    }
    processor.fail(.content("a0"), with: Refused(), times: 1)
    async let run = first.sync()
    try await clock.sleepers(atLeast: 1)
    try await assertEqual(make("b", of: 9, in: budget).1.sync().counts.downloaded, 9)
    clock.advance(by: .seconds(10))
    try await assertEqual(run.counts.downloaded, 1)
  }

  func testWhoWaitsForAPlaceIsCancelledAndTheOtherGoesOn() async throws {
    let budget = DownloadBudget(1)
    let (busy, first) = make("a", of: 2, in: budget)
    let (idle, second) = make("b", of: 2, in: budget)
    let (hold, run) = try await busy.held(.anyContent, during: await first.sync())
    let waiting = Task { try await second.syncError() }
    await eventually("it waits for a place") { budget.book.waitingCount == 3 }
    second.cancel()
    try await assertEqual(waiting.value.code, .cancelled)
    XCTAssertFalse(idle.calls.contains { $0.name == "content" })
    hold.release()
    try await assertEqual(run.value.counts.downloaded, 2)
    assertNothingIsHeld(budget)
  }

  func testWhateverHappensAllPlacesAreGivenBack() async throws {
    let budget = DownloadBudget(2)
    for round in 0..<100 {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          let (processor, synchronizer) = make("\(number)", of: 5, in: budget) {
            $0.stopOnError = round % 2 == 0
          }
          if number == 0 { processor.fail(.anyContent, with: Refused(), times: 2) }
          group.addTask { _ = try? await synchronizer.sync() }
          if number == 1 { group.addTask { synchronizer.cancel() } }
          if number == 2 { group.addTask { try? await synchronizer.ensure("24") } }
        }
      }
      assertNothingIsHeld(budget)
    }
  }
}
