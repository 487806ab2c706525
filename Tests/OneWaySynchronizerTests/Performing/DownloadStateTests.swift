@testable import SyncEngine
@testable import OneWaySynchronizer
import XCTest

/// When those who wait for an item of a download stage are told that it is there.
final class DownloadStateTests: XCTestCase {
  private func state(commitsEach: Bool, failed: [Int] = []) -> DownloadState {
    var ledger = ItemLedger(count: 3)
    for place in failed { ledger.fail(place) }
    return DownloadState(
      window: DownloadWindow(count: 3, width: 8, stopsOnFailure: false), ledger: ledger, workers: 1,
      commitsEach: commitsEach)
  }

  func testTheEndOfAnAwaitedItemIsToldOnceAndOfNoOther() {
    var state = state(commitsEach: true)
    XCTAssertFalse(state.promote(2))
    XCTAssertFalse(state.promote(2), "another waits for it, too")
    XCTAssertEqual([state.window.take(at: .zero), state.window.take(at: .zero)], [2, 0])
    XCTAssertFalse(state.succeed(0, isLast: true), "nobody waits for it")
    XCTAssertTrue(state.succeed(2, isLast: true))
    XCTAssertTrue(state.awaited.isEmpty)
  }

  func testWhatIsThereAlreadyIsSaidAtOnceAndNotMoved() {
    var state = state(commitsEach: true)
    _ = state.window.take(at: .zero)
    state.succeed(0, isLast: true)
    XCTAssertTrue(state.promote(0))
    XCTAssertTrue(state.awaited.isEmpty)
    XCTAssertTrue(state.window.urgent.isEmpty)
  }

  func testWhatFailedIsNeverToldAsThere() {
    var failing = state(commitsEach: true)
    XCTAssertFalse(failing.promote(1))
    _ = failing.window.take(at: .zero)
    failing.window.settle(.failed)
    failing.fail(1, with: Refused())
    XCTAssertTrue(failing.awaited.isEmpty)
    XCTAssertFalse(failing.promote(1))

    var previewFailed = state(commitsEach: true, failed: [0])
    XCTAssertFalse(previewFailed.promote(0))
    _ = previewFailed.window.take(at: .zero)
    XCTAssertFalse(previewFailed.succeed(0, isLast: true), "its content came, its preview didn't")
  }

  func testWhereTheCommitIsNeededNothingIsToldBefore() {
    var state = state(commitsEach: false)
    XCTAssertFalse(state.promote(1))
    XCTAssertEqual(state.window.take(at: .zero), 1)
    XCTAssertFalse(state.succeed(1, isLast: true))
    XCTAssertFalse(state.promote(1))
  }
}
