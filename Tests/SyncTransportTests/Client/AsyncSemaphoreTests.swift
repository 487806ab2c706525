import SyncLock
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

  func testAPermitComesBackAfterAnError() async throws {
    let semaphore = AsyncSemaphore(permits: 1)
    for _ in 0..<3 {
      do {
        try await semaphore.withPermit { throw CancellationError() }
        XCTFail("the error was lost")
      } catch is CancellationError {}
    }
    let value = try await semaphore.withPermit { 7 }
    XCTAssertEqual(value, 7)
  }
}
