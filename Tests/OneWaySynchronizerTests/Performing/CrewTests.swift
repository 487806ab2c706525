import SyncLock
import SynchronizerTesting
import XCTest

@testable import OneWaySynchronizer
@testable import SyncEngine

/// How many workers a download stage has, where that is found out while it runs.
final class CrewTests: XCTestCase {
  private let crew = Crew(startingWith: 2)
  private let busy = Locked(0)
  private let gate = Gate()

  /// A synchronizer of ten downloads that wait at the gate, six at once at most.
  private func synchronizer() -> Synchronizer<TestProcessor> {
    let processor = TestProcessor((0..<10).map { TestItem("\($0)") })
    processor.onItemsToUpdate { $0 }
    processor.onContent { [busy, gate] _ in
      busy.withLock { $0 += 1 }
      defer { busy.withLock { $0 -= 1 } }
      try await gate.wait()
    }
    return Synchronizer(
      processor: processor, options: options { $0.concurrency = 6 }, executor: nil, crew: crew)
  }

  private func assertBusy(_ count: Int, line: UInt = #line) async {
    for _ in 0..<1_000_000 where busy.withLock({ $0 }) < count { await Task.yield() }
    for _ in 0..<1_000 { await Task.yield() }
    XCTAssertEqual(busy.withLock { $0 }, count, line: line)
  }

  func testAStageTakesWorkersOnAsTheyAreOfUse() async throws {
    let synchronizer = synchronizer()
    let run = Task { try await synchronizer.sync() }
    await assertBusy(2)
    crew.raise(to: 5)
    await assertBusy(5)
    crew.raise(to: 3)
    await assertBusy(5)
    crew.raise(to: 100)
    await assertBusy(6)
    gate.open()
    let report = try await run.value
    XCTAssertEqual(report.passes[0].counts.downloaded, 10)
    // The next stage begins with as many.
    gate.close()
    let again = Task { try await synchronizer.sync() }
    await assertBusy(6)
    gate.open()
    _ = try await again.value
  }

  func testARunEndsThoughMoreWorkersWereNeverOfUse() async throws {
    let synchronizer = synchronizer()
    gate.open()
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.passes[0].counts.downloaded, 10)
  }

  func testACancelledRunEndsThoughMoreWorkersWereNeverOfUse() async throws {
    let synchronizer = synchronizer()
    let run = Task { try await synchronizer.sync() }
    await assertBusy(2)
    synchronizer.cancel()
    let result = await run.result
    XCTAssertEqual((result.failure as? TestError)?.code, .cancelled)
  }

  func testARunThatStopsAtAnErrorEndsThoughMoreWorkersWereNeverOfUse() async throws {
    let synchronizer = synchronizer()
    synchronizer.processor.fail(.content("0"), with: Refused())
    gate.open()
    let error = try await synchronizer.syncError()
    XCTAssertEqual(error.report.failures.map(\.key), ["0"])
  }

  func testWhoWaitsForMoreIsToldOnceAndLeavesWhenCancelled() async {
    let early = await crew.more(than: 1)
    XCTAssertEqual(early, 2)
    let waiter = Task { [crew] in await crew.more(than: 2) }
    for _ in 0..<100 { await Task.yield() }
    crew.raise(to: 7)
    let told = await waiter.value
    XCTAssertEqual(told, 7)
    let leaving = Task { [crew] in await crew.more(than: 7) }
    for _ in 0..<100 { await Task.yield() }
    leaving.cancel()
    let left = await leaving.value
    XCTAssertNil(left)
    XCTAssertEqual(crew.wanted, 7)
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
