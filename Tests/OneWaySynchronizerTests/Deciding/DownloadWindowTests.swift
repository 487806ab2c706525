@testable import SyncEngine
@testable import OneWaySynchronizer
import TestSupport
import XCTest

final class DownloadWindowTests: XCTestCase {
  func testItemsAreTakenInOrderOnceEach() {
    var window = DownloadWindow(count: 2, width: 8, stopsOnFailure: true)
    XCTAssertEqual(
      [window.take(at: .zero), window.take(at: .zero), window.take(at: .zero)], [0, 1, nil])
    window.settle(.succeeded)
    window.settle(.succeeded)
    XCTAssertEqual(window.end, .allTried(failures: false))
  }

  func testAFailureStopsTheRestOrIsCounted() {
    var stopping = DownloadWindow(count: 3, width: 8, stopsOnFailure: true)
    _ = stopping.take(at: .zero)
    stopping.settle(.failed)
    XCTAssertNil(stopping.take(at: .zero))
    XCTAssertEqual(stopping.end, .stopped)

    var going = DownloadWindow(count: 1, width: 8, stopsOnFailure: false)
    _ = going.take(at: .zero)
    going.settle(.failed)
    XCTAssertEqual(going.end, .allTried(failures: true))
    XCTAssertEqual(going.totals, ItemTotals(finished: 0, failed: 1, total: 1))
  }

  func testAWindowIsToldOfItemsThatWereTakenPastIt() {
    var window = DownloadWindow(count: 9, width: 8, stopsOnFailure: true)
    XCTAssertEqual([window.take(at: .zero), window.take(at: .zero)], [0, 1])
    window.advance(to: 7)
    XCTAssertEqual(window.totals, ItemTotals(finished: 5, failed: 0, total: 9))
    XCTAssertEqual(window.inFlight, 2)
    window.settle(.cutShort)
    XCTAssertEqual(window.ended, 5)
    XCTAssertEqual(window.take(at: .zero), 7)
    XCTAssertTrue(window.isInOrder)
    window.promote(8)
    XCTAssertFalse(window.isInOrder, "it is asked each time")
  }

  func testACancelledWindowIsCancelledUnlessEverythingWasDone() {
    var early = DownloadWindow(count: 2, width: 8, stopsOnFailure: true)
    _ = early.take(at: .zero)
    early.cancel()
    early.settle(.succeeded)
    XCTAssertNil(early.take(at: .zero))
    XCTAssertEqual(early.end, .cancelled)

    var late = DownloadWindow(count: 1, width: 8, stopsOnFailure: true)
    _ = late.take(at: .zero)
    late.cancel()
    late.settle(.succeeded)
    XCTAssertEqual(late.end, .allTried(failures: false))

    var cut = DownloadWindow(count: 1, width: 8, stopsOnFailure: true)
    _ = cut.take(at: .zero)
    cut.cancel()
    cut.settle(.cutShort)
    XCTAssertEqual(cut.end, .cancelled)
  }

  func testWhoWaitsComesBeforeWhatIsDueAndThatBeforeWhatIsNew() {
    var window = DownloadWindow(count: 9, width: 3, stopsOnFailure: false)
    XCTAssertEqual((0..<4).map { _ in window.take(at: .zero) }, [0, 1, 2, 3])
    for (place, due) in [(0, 5), (1, 3), (2, 5), (3, 9)] {
      window.rest(place, until: .seconds(due), holdsAll: false)
    }
    XCTAssertEqual(window.inFlight, 0)
    XCTAssertNil(window.take(at: .seconds(2)), "more wait than are downloaded at once")
    XCTAssertEqual(window.outlook, .later(.seconds(3)))
    XCTAssertFalse(window.isOver)
    window.promote(8)
    window.promote(3)
    window.promote(4)
    XCTAssertEqual((0..<8).map { _ in window.take(at: .seconds(5)) }, [4, 3, 8, 1, 0, 2, 5, 6])
    XCTAssertEqual([7, 3].map(window.attempt), [1, 2])
    XCTAssertEqual(window.totals, ItemTotals(finished: 0, failed: 0, total: 9))
    for _ in 0..<8 { window.settle(.succeeded) }
    XCTAssertEqual(window.take(at: .seconds(5)), 7)
    XCTAssertNil(window.take(at: .seconds(5)))
    XCTAssertEqual(window.outlook, .over)
    XCTAssertFalse(window.isOver, "one is in flight")
    window.settle(.succeeded)
    XCTAssertTrue(window.isOver)
    XCTAssertEqual(window.ended, 9)
  }

  func testWhileAllIsHeldNothingStarts() {
    var window = DownloadWindow(count: 9, width: 3, stopsOnFailure: false)
    _ = [window.take(at: .zero), window.take(at: .zero)]
    window.rest(0, until: .seconds(9), holdsAll: true)
    window.rest(1, until: .seconds(3), holdsAll: false)
    window.promote(0)
    XCTAssertNil(window.take(at: .seconds(8)))
    XCTAssertEqual(window.outlook, .later(.seconds(9)))
    XCTAssertEqual((0..<3).map { _ in window.take(at: .seconds(9)) }, [0, 1, 2])
  }

  func testWhatWaitsIsTakenOutWhenTheStageEnds() {
    var window = DownloadWindow(count: 3, width: 3, stopsOnFailure: false)
    _ = [window.take(at: .zero), window.take(at: .zero)]
    window.rest(0, until: .seconds(9), holdsAll: false)
    window.rest(1, until: .seconds(3), holdsAll: false)
    window.promote(0)
    window.cancel()
    XCTAssertTrue(window.isOver)
    XCTAssertEqual(window.takeResting(), [1, 0])
    for _ in 0..<2 { window.settle(.cutShort) }
    XCTAssertEqual(window.totals, ItemTotals(finished: 0, failed: 0, total: 3))
    XCTAssertEqual(window.end, .cancelled)
  }

  /// Items are put off and moved to the front at any moment, while time goes on.
  func testInASeededWalkWithPausesEachItemEndsOnce() {
    for seed in 1...500 {
      var random = SeededGenerator(seed: UInt64(seed))
      let (count, width) = (Int.random(in: 0...20, using: &random), 3)
      var window = DownloadWindow(count: count, width: width, stopsOnFailure: false)
      var (now, resting, flying, ended) = (0, [Int: Int](), [Int](), [Int]())
      for _ in 0..<2_000 where ended.count < count {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: now += 1
        case 1:
          if count > 0, seed % 2 == 0 { window.promote(.random(in: 0..<count, using: &random)) }
        case 2, 3:
          guard flying.count < width else { continue }
          guard let place = window.take(at: .seconds(now)) else {
            XCTAssertNotEqual(window.outlook, resting.isEmpty ? nil : .over, "seed \(seed)")
            continue
          }
          resting[place] = nil
          flying.append(place)
        default:
          guard !flying.isEmpty else { continue }
          let place = flying.remove(at: Int.random(in: 0..<flying.count, using: &random))
          if Int.random(in: 0..<3, using: &random) == 0 {
            window.settle(.succeeded)
            ended.append(place)
          } else {
            resting[place] = now + Int.random(in: 0..<4, using: &random)
            window.rest(place, until: .seconds(resting[place] ?? 0), holdsAll: false)
          }
        }
        XCTAssertEqual([window.inFlight, window.ended], [flying.count, ended.count])
        if seed % 2 == 1 { XCTAssertLessThanOrEqual(resting.count, 2 * width, "seed \(seed)") }
      }
      XCTAssertEqual(ended.sorted(), Array(0..<count), "seed \(seed): each once")
      XCTAssertEqual(window.end, .allTried(failures: false))
    }
  }

  func testASeededWalkNeverLosesAnItem() {
    for seed in 1...500 {
      var random = SeededGenerator(seed: UInt64(seed))
      let count = Int.random(in: 0...20, using: &random)
      let stopsOnFailure = Bool.random(using: &random)
      var window = DownloadWindow(count: count, width: 8, stopsOnFailure: stopsOnFailure)
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
        case 1..<11: if let place = window.take(at: .zero) { taken.append(place) }
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
