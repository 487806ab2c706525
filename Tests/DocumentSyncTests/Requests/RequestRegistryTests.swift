import SyncLock
import SynchronizerTesting
import XCTest

@testable import DocumentSync

/// Requests with identifiers.
final class RequestRegistryTests: XCTestCase {
  private let registry = RequestRegistry<String, Int>(limit: 1)
  private let made = Locked(0)
  private let gate = Gate()

  /// A request that waits at the gate, and says the how manieth it is.
  private var request: @Sendable () async throws -> Int {
    { [made, gate] in
      let number = made.withLock { made in
        made += 1
        return made
      }
      try await gate.wait()
      return number
    }
  }

  private func begin(_ choice: RequestChoice) -> Task<Int, any Error> {
    Task { [registry, request] in try await registry.run("a", choice, request) }
  }

  private func assertCancelled(_ task: Task<Int, any Error>, line: UInt = #line) async {
    do {
      let value = try await task.value
      XCTFail("\(value)", line: line)
    } catch {
      XCTAssertTrue(error is CancellationError, "\(error)", line: line)
    }
  }

  func testOneMoreIsGivenTheResultOfTheRunningOne() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    let others = (0..<3).map { _ in begin(.join) }
    try await registry.callers(of: "a", atLeast: 4)
    gate.open()
    for task in [first] + others {
      let result = try await task.value
      XCTAssertEqual(result, 1)
    }
    XCTAssertEqual(made.withLock { $0 }, 1)
  }

  func testOneMoreIsMadeWhenTheOneBeforeItHasEnded() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    let second = begin(.add)
    try await registry.callers(of: "a", atLeast: 2)
    XCTAssertEqual(made.withLock { $0 }, 1, "one at a time")
    gate.open()
    let results = [try await first.value, try await second.value]
    XCTAssertEqual(results, [1, 2])
    XCTAssertEqual(registry.count(of: "a"), 0)
  }

  func testOneMoreReplacesTheRunningOne() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    let second = begin(.replace)
    await assertCancelled(first)
    try await gate.waiters(atLeast: 1)
    gate.open()
    let result = try await second.value
    XCTAssertEqual(result, 2)
  }

  func testAllOfAnIdentifierAreCancelled() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    let second = begin(.add)
    try await registry.callers(of: "a", atLeast: 2)
    registry.cancel("b")
    XCTAssertEqual(registry.count(of: "a"), 2)
    registry.cancel("a")
    await assertCancelled(first)
    await assertCancelled(second)
    XCTAssertEqual(made.withLock { $0 }, 1, "the one in line was never made")
  }

  func testARequestGoesOnAsLongAsAnybodyWaits() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    let (second, third) = (begin(.join), begin(.join))
    try await registry.callers(of: "a", atLeast: 3)
    for task in [third, first] {
      task.cancel()
      await assertCancelled(task)
    }
    gate.open()
    let result = try await second.value
    XCTAssertEqual(result, 1)
  }

  func testARequestThatNobodyWaitsForIsCancelled() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    first.cancel()
    await assertCancelled(first)
    let second = Task { [registry] in try await registry.run("a", .join) { 7 } }
    let result = try await second.value
    XCTAssertEqual(result, 7, "what was cancelled is joined by nobody")
  }

  func testThoseBeyondTheLimitWaitInLine() async throws {
    let wide = RequestRegistry<String, Int>(limit: 2)
    let tasks = (0..<4).map { _ in Task { [request] in try await wide.run("a", .add, request) } }
    let other = Task { [request] in try await wide.run("b", .add, request) }
    try await gate.waiters(atLeast: 3)
    try await wide.callers(of: "a", atLeast: 4)
    XCTAssertEqual(made.withLock { $0 }, 3, "another identifier has a line of its own")
    gate.open()
    var results: Set<Int> = []
    for task in tasks + [other] { results.insert(try await task.value) }
    XCTAssertEqual(results, [1, 2, 3, 4, 5])
    XCTAssertEqual(wide.count(of: "a"), 0)
  }

  func testAFailureIsToldToAll() async throws {
    struct Failure: Error {}
    do {
      _ = try await registry.run("a", .add) { throw Failure() }
      XCTFail("it went well")
    } catch {
      XCTAssertTrue(error is Failure)
    }
    XCTAssertEqual(registry.count(of: "a"), 0)
  }
}
