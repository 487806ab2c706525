import SyncLock
import XCTest

final class WatchedTests: XCTestCase {
  func testWaitersTakeFromAQueueInTheOrderInWhichTheyCame() async throws {
    let queue = Watched<[Int]>([])
    let taken = Watched<[Int]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<50 {
          let element = try await queue.wait { $0.isEmpty ? nil : $0.removeFirst() }
          taken.change { $0.append(element) }
        }
      }
      for element in 0..<50 { queue.change { $0.append(element) } }
      try await group.waitForAll()
    }
    XCTAssertEqual(taken.change { $0 }, Array(0..<50))
  }

  func testWhatOneWaiterChangesWakesAnother() async throws {
    let number = Watched(0)
    async let second: Void = number.wait { $0 == 2 ? () : nil }
    async let first: Void = number.wait { value -> Void? in
      guard value == 1 else { return nil }
      value = 2
      return ()
    }
    number.change { $0 = 1 }
    try await first
    try await second
    XCTAssertEqual(number.change { $0 }, 2)
  }

  func testAnUncancelledWaitOutlivesTheCancellationOfItsTask() async throws {
    let done = Watched(false)
    let waits = Watched(false)
    let result = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        waits.change { $0 = true }
        let value = try? await done.waitUncancelled { $0 ? 1 : nil }
        return value == 1 && Task.isCancelled
      }
      try? await waits.wait { $0 ? () : nil }
      group.cancelAll()
      done.change { $0 = true }
      return await group.next()
    }
    XCTAssertEqual(result, true)
  }

  func testCancellationAtAnyMomentNeverLosesAWaiter() async {
    for round in 0..<500 {
      let never = Watched(false)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await never.wait { $0 ? () : nil } }
        for _ in 0..<(round % 5) { await Task.yield() }
        group.cancelAll()
      }
    }
    // Each round ends only if its waiter was told.
    let done = Watched(true)
    let value = try? await done.wait { $0 ? 1 : nil }
    XCTAssertEqual(value, 1)
  }
}
