import SyncLock
import XCTest

@testable import SyncFolder

/// What went wrong in the background is thrown to the one who waits for it.
final class FirstFailureTests: XCTestCase {
  private let full = FolderError(.full, "a")

  func testTheFirstErrorIsThrownToWhoWaits() async throws {
    let failure = Watched<(any Error)?>(nil)
    let waiter = Task<Void, any Error> { throw try await failure.wait { $0 } }
    await Task.yield()
    failure.change { [full] in $0 = $0 ?? full }
    failure.change { $0 = $0 ?? FolderError(.folderChanged, "b") }
    let result = await waiter.result
    XCTAssertThrowsError(try result.get()) { XCTAssertEqual($0 as? FolderError, full) }
    XCTAssertEqual(failure.state as? FolderError, full)
  }

  func testWhoWaitsLaterIsToldAtOnceAndEachTime() async throws {
    let failure = Watched<(any Error)?>(nil)
    failure.change { [full] in $0 = $0 ?? full }
    for _ in 0..<2 {
      do {
        throw try await failure.wait { $0 }
      } catch let error as FolderError {
        XCTAssertEqual(error, full)
      }
    }
  }

  func testWhoIsCancelledWaitsNoLongerAndTheNextOneMay() async throws {
    let failure = Watched<(any Error)?>(nil)
    for _ in 0..<100 {
      let waiter = Task<Void, any Error> { throw try await failure.wait { $0 } }
      waiter.cancel()
      let result = await waiter.result
      XCTAssertThrowsError(try result.get()) { XCTAssert($0 is CancellationError, "\($0)") }
    }
    let last = Task<Void, any Error> { throw try await failure.wait { $0 } }
    failure.change { [full] in $0 = $0 ?? full }
    let result = await last.result
    XCTAssertThrowsError(try result.get()) { XCTAssertEqual($0 as? FolderError, full) }
  }
}
