import SyncLock
import SynchronizerTesting
import TestSupport
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

  func testOneMoreIsGivenTheResultOfTheRunningOne() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    let others = (0..<3).map { _ in begin(.join) }
    try await registry.callers(of: "a", atLeast: 4)
    gate.open()
    for task in [first] + others { try await assertEqual(task.value, 1) }
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
    await assertThrows(CancellationError.self, try await first.value)
    try await gate.waiters(atLeast: 1)
    gate.open()
    try await assertEqual(second.value, 2)
  }

  func testAllOfAnIdentifierAreCancelled() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    let second = begin(.add)
    try await registry.callers(of: "a", atLeast: 2)
    registry.cancel("b")
    XCTAssertEqual(registry.count(of: "a"), 2)
    registry.cancel("a")
    await assertThrows(CancellationError.self, try await first.value)
    await assertThrows(CancellationError.self, try await second.value)
    XCTAssertEqual(made.withLock { $0 }, 1, "the one in line was never made")
  }

  func testARequestGoesOnAsLongAsAnybodyWaits() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    let (second, third) = (begin(.join), begin(.join))
    try await registry.callers(of: "a", atLeast: 3)
    for task in [third, first] {
      task.cancel()
      await assertThrows(CancellationError.self, try await task.value)
    }
    gate.open()
    try await assertEqual(second.value, 1)
  }

  func testARequestThatNobodyWaitsForIsCancelled() async throws {
    let first = begin(.add)
    try await gate.waiters(atLeast: 1)
    first.cancel()
    await assertThrows(CancellationError.self, try await first.value)
    let second = Task { [registry] in try await registry.run("a", .join) { 7 } }
    try await assertEqual(second.value, 7, "what was cancelled is joined by nobody")
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
    await assertThrows(Failure.self, try await registry.run("a", .add) { throw Failure() })
    XCTAssertEqual(registry.count(of: "a"), 0)
  }
}
