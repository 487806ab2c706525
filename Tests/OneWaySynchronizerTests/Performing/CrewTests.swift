@testable import SyncEngine
@testable import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// How many workers a download stage has, where that is found out while it runs.
final class CrewTests: XCTestCase {
  private let crew = Crew(startingWith: 2)
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
      processor: processor, options: options { $0.concurrency = 6 }, executor: nil, crew: crew)
  }

  /// So many workers are at the gate; the stage has taken on no more, if it waits for the crew to
  /// grow further.
  private func assertBusy(_ count: Int, line: UInt = #line) async throws {
    try await gate.waiters(atLeast: count)
    if count < 6 { await isAwaited(above: count) }
    XCTAssertEqual(busy.withLock { $0.most }, count, line: line)
  }

  private func isAwaited(above count: Int) async {
    await eventually("the crew is awaited above \(count)") { crew.isAwaited(above: count) }
  }

  func testAStageTakesWorkersOnAsTheyAreOfUse() async throws {
    let synchronizer = synchronizer()
    let run = Task { try await synchronizer.sync() }
    try await assertBusy(2)
    crew.raise(to: 5)
    try await assertBusy(5)
    crew.raise(to: 3)
    try await assertBusy(5)
    crew.raise(to: 100)
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

  func testARunEndsThoughMoreWorkersWereNeverOfUse() async throws {
    let synchronizer = synchronizer()
    gate.open()
    try await assertEqual(synchronizer.sync().passes[0].counts.downloaded, 10)
  }

  func testACancelledRunEndsThoughMoreWorkersWereNeverOfUse() async throws {
    let synchronizer = synchronizer()
    let run = Task { try await synchronizer.sync() }
    try await assertBusy(2)
    synchronizer.cancel()
    await assertEqual((run.result.failure as? TestError)?.code, .cancelled)
  }

  func testARunThatStopsAtAnErrorEndsThoughMoreWorkersWereNeverOfUse() async throws {
    let synchronizer = synchronizer()
    synchronizer.processor.fail(.content("0"), with: Refused())
    gate.open()
    try await assertEqual(synchronizer.syncError().report.failures.map(\.key), ["0"])
  }

  func testWhoWaitsForMoreIsToldOnceAndLeavesWhenCancelled() async {
    await assertEqual(crew.more(than: 1), 2)
    let waiter = Task { [crew] in await crew.more(than: 2) }
    await isAwaited(above: 2)
    crew.raise(to: 7)
    await assertEqual(waiter.value, 7)
    let leaving = Task { [crew] in await crew.more(than: 7) }
    await isAwaited(above: 7)
    leaving.cancel()
    await assertNil(leaving.value)
    XCTAssertEqual(crew.wanted, 7)
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
