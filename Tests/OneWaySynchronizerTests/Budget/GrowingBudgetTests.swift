@testable import SyncEngine
@testable import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// How many downloads go on, where it is found out meanwhile how many are of use.
final class GrowingBudgetTests: XCTestCase {
  private let budget = DownloadBudget(2)
  /// How many downloads go on, and how many went on at the most.
  private let busy = Locked((now: 0, most: 0))
  private let gate = Gate()

  /// A synchronizer of ten downloads that wait at the gate, six at once at most.
  private func synchronizer() -> Synchronizer<TestProcessor> {
    let processor = TestProcessor((0..<10).map { TestItem("\($0)") })
    processor.onItemsToUpdate { $0 }
    processor.onContent { [busy, gate] _ in
      busy.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      defer { busy.withLock { $0.now -= 1 } }
      try await gate.wait()
    }
    return Synchronizer(
      processor: processor, options: options { ($0.concurrency, $0.budget) = (6, budget) })
  }

  /// So many downloads are at the gate; no more have begun, if the other workers wait for places.
  private func assertBusy(_ count: Int, line: UInt = #line) async throws {
    try await gate.waiters(atLeast: count)
    await areAwaited(6 - count)
    XCTAssertEqual(busy.withLock { $0.most }, count, line: line)
  }

  private func areAwaited(_ count: Int) async {
    await eventually("\(count) places are awaited") { budget.book.waitingCount == count }
  }

  func testAStageStartsMoreDownloadsAsTheyAreOfUse() async throws {
    let synchronizer = synchronizer()
    let run = Task { try await synchronizer.sync() }
    try await assertBusy(2)
    budget.raise(to: 5)
    try await assertBusy(5)
    budget.raise(to: 3)
    try await assertBusy(5)
    budget.raise(to: 100)
    try await assertBusy(6)
    gate.open()
    try await assertEqual(run.value.passes[0].counts.downloaded, 10)
    // The next stage begins with as many.
    gate.close()
    let again = Task { try await synchronizer.sync() }
    try await assertBusy(6)
    gate.open()
    _ = try await again.value
  }

  func testARunEndsThoughMoreDownloadsWereNeverOfUse() async throws {
    let synchronizer = synchronizer()
    gate.open()
    try await assertEqual(synchronizer.sync().passes[0].counts.downloaded, 10)
  }

  func testACancelledRunEndsThoughMoreDownloadsWereNeverOfUse() async throws {
    let synchronizer = synchronizer()
    let run = Task { try await synchronizer.sync() }
    try await assertBusy(2)
    synchronizer.cancel()
    await assertEqual((run.result.failure as? TestError)?.code, .cancelled)
  }

  func testARunThatStopsAtAnErrorEndsThoughMoreDownloadsWereNeverOfUse() async throws {
    let synchronizer = synchronizer()
    synchronizer.processor.fail(.content("0"), with: Refused())
    gate.open()
    try await assertEqual(synchronizer.syncError().report.failures.map(\.key), ["0"])
  }

  func testWhoWaitsForAPlaceIsToldOnceAndLeavesWhenCancelled() async {
    let share = budget.join()
    for _ in 0..<2 { await assertEqual(budget.take(for: share), true) }
    let waiter = Task { [budget] in await budget.take(for: share) }
    await areAwaited(1)
    budget.raise(to: 3)
    await assertEqual(waiter.value, true)
    let leaving = Task { [budget] in await budget.take(for: share) }
    await areAwaited(1)
    leaving.cancel()
    await assertEqual(leaving.value, false)
    let late = Task { [budget] in await budget.take(for: share) }
    await areAwaited(1)
    budget.leave(share)
    await assertEqual(late.value, false)
    XCTAssertEqual([budget.book.free, budget.book.places], [3, 3])
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
