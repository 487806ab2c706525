import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// What went wrong in the background is thrown to the one who waits for it.
final class FirstFailureTests: XCTestCase {
  private let full = FolderError(.full, "a")

  func testTheFirstErrorIsThrownToWhoWaits() async throws {
    let failure = FirstFailure()
    let waiter = Task { try await failure.wait() }
    await Task.yield()
    failure.note(full)
    failure.note(FolderError(.folderChanged, "b"))
    let result = await waiter.result
    XCTAssertThrowsError(try result.get()) { XCTAssertEqual($0 as? FolderError, full) }
    XCTAssertEqual(failure.error as? FolderError, full)
  }

  func testWhoWaitsLaterIsToldAtOnceAndEachTime() async throws {
    let failure = FirstFailure()
    failure.note(full)
    for _ in 0..<2 {
      do {
        try await failure.wait()
        XCTFail("nothing was thrown")
      } catch let error as FolderError {
        XCTAssertEqual(error, full)
      }
    }
  }

  func testWhoIsCancelledWaitsNoLongerAndTheNextOneMay() async throws {
    let failure = FirstFailure()
    for _ in 0..<100 {
      let waiter = Task { try await failure.wait() }
      waiter.cancel()
      let result = await waiter.result
      XCTAssertThrowsError(try result.get()) { XCTAssert($0 is CancellationError, "\($0)") }
    }
    let last = Task { try await failure.wait() }
    failure.note(full)
    let result = await last.result
    XCTAssertThrowsError(try result.get()) { XCTAssertEqual($0 as? FolderError, full) }
  }
}
