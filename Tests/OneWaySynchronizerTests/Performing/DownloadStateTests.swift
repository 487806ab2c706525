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
    XCTAssertEqual(state.promote(2), .comes)
    XCTAssertEqual(state.promote(2), .comes, "another waits for it, too")
    XCTAssertEqual([state.window.take(at: .zero), state.window.take(at: .zero)], [2, 0])
    XCTAssertFalse(state.succeed(0, isLast: true), "nobody waits for it")
    XCTAssertTrue(state.succeed(2, isLast: true))
    XCTAssertTrue(state.awaited.isEmpty)
  }

  func testWhatIsThereAlreadyIsSaidAtOnceAndNotMoved() {
    var state = state(commitsEach: true)
    _ = state.window.take(at: .zero)
    state.succeed(0, isLast: true)
    XCTAssertEqual(state.promote(0), .isThere)
    XCTAssertTrue(state.awaited.isEmpty)
    XCTAssertTrue(state.window.urgent.isEmpty)
  }

  func testWhatFailedIsNeverToldAsThere() {
    var failing = state(commitsEach: true)
    XCTAssertEqual(failing.promote(1), .comes)
    _ = failing.window.take(at: .zero)
    failing.window.settle(.failed)
    failing.fail(1, with: Refused())
    XCTAssertTrue(failing.awaited.isEmpty)
    XCTAssertEqual(failing.promote(1), .comes)

    var previewFailed = state(commitsEach: true, failed: [0])
    XCTAssertEqual(previewFailed.promote(0), .hasFailed)
    _ = previewFailed.window.take(at: .zero)
    XCTAssertFalse(previewFailed.succeed(0, isLast: true), "its content came, its preview didn't")
  }

  func testWhatFailedIsTriedAnewAsLongAsTheStageGoesOn() {
    var state = state(commitsEach: false, failed: [2])
    func fail(_ place: Int) {
      state.window.settle(.failed)
      state.fail(place, with: Refused(reason: "\(place)"))
    }
    XCTAssertEqual((0..<3).map { _ in state.window.take(at: .zero) }, [0, 1, 2])
    fail(1)
    fail(2)
    XCTAssertEqual(state.window.outlook, .later(nil), "somebody may ask")
    XCTAssertEqual(state.promote(1), .comes)
    XCTAssertEqual(state.promote(2), .hasFailed, "in an earlier stage, too")
    XCTAssertEqual(state.totals, ItemTotals(finished: 0, failed: 1, total: 3))
    XCTAssertEqual(state.window.take(at: .zero), 1)
    fail(1)
    XCTAssertEqual(state.lastFailures.map(\.place), [2, 1])
    XCTAssertEqual(state.promote(1), .comes, "once more")
    XCTAssertEqual(state.window.take(at: .zero), 1)
    state.succeed(1, isLast: true)
    XCTAssertEqual(state.lastFailures.map(\.place), [2])
    fail(0)
    XCTAssertTrue(state.window.isOver)
    XCTAssertEqual(state.promote(0), .hasFailed)
    XCTAssertEqual(state.window.end, .allTried(failures: true))
    XCTAssertEqual((0..<3).map(state.ending(isLast: true).isDone), [false, true, false])
  }

  func testAnotherTryThatIsCutShortLeavesTheFailure() {
    var state = state(commitsEach: false)
    XCTAssertEqual([state.window.take(at: .zero), state.window.take(at: .zero)], [0, 1])
    state.window.settle(.failed)
    state.fail(0, with: Refused())
    XCTAssertEqual(state.promote(0), .comes)
    XCTAssertEqual(state.window.take(at: .zero), 0)
    state.window.cancel()
    state.cutShort(0)
    XCTAssertEqual(state.lastFailures.map(\.place), [0])
    XCTAssertTrue(state.ending(isLast: true).isFailed(0))
  }

  func testWhereTheCommitIsNeededNothingIsToldBefore() {
    var state = state(commitsEach: false)
    XCTAssertEqual(state.promote(1), .comes)
    XCTAssertEqual(state.window.take(at: .zero), 1)
    XCTAssertFalse(state.succeed(1, isLast: true))
    XCTAssertEqual(state.promote(1), .comes)
  }
}
