import SyncLock
import XCTest

final class LockedTests: XCTestCase {
  func testConcurrentIncrementsAreAllCounted() async {
    let counter = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<10_000 { counter.withLock { $0 += 1 } } }
      }
    }
    XCTAssertEqual(counter.withLock { $0 }, 80_000)
  }

  func testTheLockIsFreeAgainAfterTheBodyThrew() {
    struct Refused: Error {}
    let value = Locked(1)
    XCTAssertThrowsError(try value.withLock { _ in throw Refused() })
    XCTAssertEqual(value.withLock { $0 }, 1)
  }
}
