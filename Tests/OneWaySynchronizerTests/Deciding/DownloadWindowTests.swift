@testable import SyncEngine
@testable import OneWaySynchronizer
import TestSupport
import XCTest

final class DownloadWindowTests: XCTestCase {
  func testItemsAreTakenInOrderOnceEach() {
    var window = DownloadWindow(count: 2, stopsOnFailure: true)
    XCTAssertEqual([window.take(), window.take(), window.take()], [0, 1, nil])
    window.settle(.succeeded)
    window.settle(.succeeded)
    XCTAssertEqual(window.end, .allTried(failures: false))
  }

  func testAFailureStopsTheRestOrIsCounted() {
    var stopping = DownloadWindow(count: 3, stopsOnFailure: true)
    _ = stopping.take()
    stopping.settle(.failed)
    XCTAssertNil(stopping.take())
    XCTAssertEqual(stopping.end, .stopped)

    var going = DownloadWindow(count: 1, stopsOnFailure: false)
    _ = going.take()
    going.settle(.failed)
    XCTAssertEqual(going.end, .allTried(failures: true))
    XCTAssertEqual(going.totals, ItemTotals(finished: 0, failed: 1, total: 1))
  }

  func testAWindowIsToldOfItemsThatWereTakenPastIt() {
    var window = DownloadWindow(count: 9, stopsOnFailure: true)
    XCTAssertEqual([window.take(), window.take()], [0, 1])
    window.advance(to: 7)
    XCTAssertEqual(window.totals, ItemTotals(finished: 5, failed: 0, total: 9))
    XCTAssertEqual(window.inFlight, 2)
    window.settle(.cutShort)
    XCTAssertEqual(window.ended, 5)
    XCTAssertEqual(window.take(), 7)
    XCTAssertTrue(window.isInOrder)
    window.promote(8)
    XCTAssertFalse(window.isInOrder, "it is asked each time")
  }

  func testACancelledWindowIsCancelledUnlessEverythingWasDone() {
    var early = DownloadWindow(count: 2, stopsOnFailure: true)
    _ = early.take()
    early.cancel()
    early.settle(.succeeded)
    XCTAssertNil(early.take())
    XCTAssertEqual(early.end, .cancelled)

    var late = DownloadWindow(count: 1, stopsOnFailure: true)
    _ = late.take()
    late.cancel()
    late.settle(.succeeded)
    XCTAssertEqual(late.end, .allTried(failures: false))

    var cut = DownloadWindow(count: 1, stopsOnFailure: true)
    _ = cut.take()
    cut.cancel()
    cut.settle(.cutShort)
    XCTAssertEqual(cut.end, .cancelled)
  }

  func testASeededWalkNeverLosesAnItem() {
    for seed in 1...500 {
      var random = SeededGenerator(seed: UInt64(seed))
      let count = Int.random(in: 0...20, using: &random)
      let stopsOnFailure = Bool.random(using: &random)
      var window = DownloadWindow(count: count, stopsOnFailure: stopsOnFailure)
      var taken: [Int] = []
      var settled: [DownloadWindow.Settlement] = []
      func settleOne() {
        let isStopping = window.phase != .open
        let ends: [DownloadWindow.Settlement] =
          isStopping ? [.succeeded, .failed, .cutShort] : [.succeeded, .succeeded, .failed]
        let end = ends.randomElement(using: &random) ?? .failed
        window.settle(end)
        settled.append(end)
      }
      for _ in 0..<200 {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: if Int.random(in: 0..<20, using: &random) == 0 { window.cancel() }
        case 1..<11: if let place = window.take() { taken.append(place) }
        default: if window.inFlight > 0 { settleOne() }
        }
        XCTAssertEqual(window.inFlight, taken.count - settled.count, "seed \(seed)")
      }
      while window.inFlight > 0 { settleOne() }
      XCTAssertEqual(taken, Array(0..<taken.count), "seed \(seed): each once, in order")
      let failures = settled.count { $0 == .failed }
      XCTAssertEqual(window.failed, failures, "seed \(seed)")
      let isWhole = taken.count == count && !settled.contains(.cutShort)
      switch window.end {
      case .allTried(let failed):
        XCTAssertEqual(failed, failures > 0, "seed \(seed)")
        XCTAssertTrue(isWhole || window.phase == .open, "seed \(seed)")
      case .stopped: XCTAssertTrue(stopsOnFailure && failures > 0, "seed \(seed)")
      case .cancelled: XCTAssertFalse(isWhole, "seed \(seed)")
      }
    }
  }
}
