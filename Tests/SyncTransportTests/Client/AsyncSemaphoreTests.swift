import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

@testable import SyncTransport

final class AsyncSemaphoreTests: XCTestCase {
  func testWhoCameFirstIsFirstAndWhoLeftIsPassedOver() async throws {
    let semaphore = AsyncSemaphore(permits: 1)
    let served = Locked<[Int]>([])
    let holds = Gate()
    let isHeld = Gate()
    let holder = Task {
      try await semaphore.withPermit {
        isHeld.open()
        try await holds.wait()
      }
    }
    try await isHeld.wait()
    var waiters: [Task<Void, any Error>] = []
    for number in 0..<5 {
      waiters.append(
        Task { try await semaphore.withPermit { served.withLock { $0.append(number) } } })
      while semaphore.waitingCount <= number { await Task.yield() }
    }
    waiters[1].cancel()
    let left = await waiters[1].result
    XCTAssertThrowsError(try left.get()) { XCTAssertTrue($0 is CancellationError) }
    holds.open()
    try await holder.value
    for index in [0, 2, 3, 4] { try await waiters[index].value }
    XCTAssertEqual(served.withLock { $0 }, [0, 2, 3, 4])
  }

  func testTheNumberOfPermitsCanGrowAndShrinkWhileSomeAreHeld() async throws {
    let semaphore = AsyncSemaphore(permits: 2)
    let inside = Locked(0)
    let entered = Locked(0)
    let gates = (0..<6).map { _ in Gate() }
    let tasks = (0..<6).map { _ in
      Task {
        try await semaphore.withPermit {
          inside.withLock { $0 += 1 }
          let number = entered.withLock { entered in
            entered += 1
            return entered - 1
          }
          try await gates[number].wait()
          inside.withLock { $0 -= 1 }
        }
      }
    }
    func settle(at count: Int) async {
      while inside.withLock({ $0 }) != count { await Task.yield() }
    }
    await settle(at: 2)
    while semaphore.waitingCount < 4 { await Task.yield() }
    semaphore.setPermits(5).tell()
    await settle(at: 5)
    semaphore.setPermits(1).tell()
    // The sixth gets in when the last of the five has left.
    for (left, gate) in gates.enumerated() {
      if left < 5 { XCTAssertEqual(semaphore.waitingCount, 1, "\(left) have left") }
      gate.open()
      await settle(at: [4, 3, 2, 1, 1, 0][left])
    }
    for task in tasks { try await task.value }
    XCTAssertEqual(inside.withLock { $0 }, 0)
    semaphore.setPermits(0).tell()
    XCTAssertEqual(semaphore.permits, 1)
    try await assertEqual(semaphore.withPermit { 7 }, 7)
  }

  /// Those that only looked on passed the free permits on among them, so that none ever saw one.
  func testWhoWaitsForRoomTakesNoneAndAllAreLetGoAtOnce() async throws {
    let semaphore = AsyncSemaphore(permits: 2)
    let (gates, inside) = ([Gate(), Gate()], Locked(0))
    let holders = gates.map { gate in
      Task {
        try await semaphore.withPermit {
          inside.withLock { $0 += 1 }
          try await gate.wait()
        }
      }
    }
    while inside.withLock({ $0 }) < 2 { await Task.yield() }
    let rooms = Locked<[Bool]>([])
    let onlookers = (0..<10).map { _ in
      Task {
        try await semaphore.waitForRoom()
        rooms.withLock { $0.append(!semaphore.isFull) }
      }
    }
    let leaving = Task { try await semaphore.waitForRoom() }
    while semaphore.onlookerCount < 11 { await Task.yield() }
    XCTAssertEqual(rooms.withLock { $0 }, [])
    leaving.cancel()
    let left = await leaving.result
    XCTAssertThrowsError(try left.get()) { XCTAssertTrue($0 is CancellationError) }
    gates[0].open()
    for onlooker in onlookers { try await onlooker.value }
    XCTAssertEqual(rooms.withLock { $0 }, Array(repeating: true, count: 10))
    gates[1].open()
    for holder in holders { try await holder.value }
  }

  func testAPermitComesBackAfterAnError() async throws {
    let semaphore = AsyncSemaphore(permits: 1)
    for _ in 0..<3 {
      do {
        try await semaphore.withPermit { throw CancellationError() }
        XCTFail("the error was lost")
      } catch is CancellationError {}
    }
    try await assertEqual(semaphore.withPermit { 7 }, 7)
  }
}
