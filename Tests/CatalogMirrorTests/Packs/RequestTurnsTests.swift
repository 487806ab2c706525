import SyncLock
import SynchronizerTesting
import XCTest

@testable import CatalogMirror

/// So many requests at once, and no more.
final class RequestTurnsTests: XCTestCase {
  private struct Failure: Error {}

  func testNoMoreThanSoManyAreUnderWay() async throws {
    let (turns, running) = (RequestTurns(3), Watched((now: 0, most: 0, all: 0)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<30 {
        group.addTask {
          try await turns.taking {
            running.change {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            // Three meet, which shows that so many are.
            try await running.wait { $0.most == 3 ? () : nil }
            running.change {
              $0.now -= 1
              $0.all += 1
            }
          }
        }
      }
      try await group.waitForAll()
    }
    XCTAssertEqual(running.state.most, 3)
    XCTAssertEqual(running.state.all, 30)
  }

  func testATurnIsGivenBackByWhoFails() async throws {
    let turns = RequestTurns(1)
    for _ in 0..<3 {
      do {
        try await turns.taking { throw Failure() }
        XCTFail("it failed")
      } catch is Failure {}
    }
    let value = try await turns.taking { 7 }
    XCTAssertEqual(value, 7)
  }

  func testATurnIsGivenBackByWhoIsCancelled() async throws {
    let (turns, gate) = (RequestTurns(1), Gate())
    let task = Task { try await turns.taking { try await gate.wait() } }
    try await gate.waiters(atLeast: 1)
    task.cancel()
    let end = await task.result
    XCTAssertThrowsError(try end.get()) { XCTAssertTrue($0 is CancellationError) }
    let value = try await turns.taking { 7 }
    XCTAssertEqual(value, 7)
  }

  func testWhoIsCancelledBeforeItsTurnTakesNone() async throws {
    let (turns, gate) = (RequestTurns(1), Gate())
    let first = Task { try await turns.taking { try await gate.wait() } }
    try await gate.waiters(atLeast: 1)
    let second = Task { try await turns.taking { 2 } }
    second.cancel()
    let end = await second.result
    XCTAssertThrowsError(try end.get()) { XCTAssertTrue($0 is CancellationError) }
    gate.open()
    try await first.value
    let value = try await turns.taking { 7 }
    XCTAssertEqual(value, 7)
  }
}
