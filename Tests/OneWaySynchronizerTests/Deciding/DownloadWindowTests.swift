import XCTest

@testable import OneWaySynchronizer

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
    XCTAssertEqual(going.totals, ItemTotals(finished: 1, failed: 1, total: 1))
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
      var window = DownloadWindow(count: count, stopsOnFailure: Bool.random(using: &random))
      var taken = 0
      var settled = 0
      for _ in 0..<200 {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: if Int.random(in: 0..<20, using: &random) == 0 { window.cancel() }
        case 1..<11: if window.take() != nil { taken += 1 }
        default:
          guard window.inFlight > 0 else { continue }
          let ends: [DownloadWindow.Settlement] = [.succeeded, .succeeded, .failed]
          window.settle(ends.randomElement(using: &random) ?? .failed)
          settled += 1
        }
        XCTAssertEqual(window.inFlight, taken - settled, "seed \(seed)")
        XCTAssertEqual(window.next, taken, "seed \(seed)")
        XCTAssertEqual(window.finished, settled, "seed \(seed)")
      }
    }
  }
}
