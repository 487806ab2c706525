import XCTest
@testable import SyncFolder

final class BatchWindowTests: XCTestCase {
  private typealias Window = BatchWindow<Int>

  func testTheFirstFileOpensABatchAndItsTimer() {
    var window = Window()
    XCTAssertEqual(window.added(1, bytes: 10), [.setTimer(number: 0)])
    XCTAssertEqual(window.added(2, bytes: 10), [])
    XCTAssertEqual(window.timerFired(number: 0), [.flush([1, 2])])
    XCTAssertEqual(window.open, [])
    XCTAssertEqual(window.bytes, 0)
    XCTAssertEqual(window.added(3, bytes: 1), [.setTimer(number: 1)])
  }

  func testABatchClosesAt1024Files() {
    var window = Window()
    for number in 0..<1_023 { _ = window.added(number, bytes: 1) }
    XCTAssertEqual(window.added(1_023, bytes: 1), [.flush(Array(0...1_023))])
  }

  func testABatchClosesAt64MiB() {
    var window = Window()
    let almostLarge = BatchLimits.large - 1
    for number in 0..<8 { _ = window.added(number, bytes: almostLarge) }
    XCTAssertEqual(window.open.count, 8)
    XCTAssertEqual(window.added(8, bytes: 8), [.flush(Array(0...8))])
  }

  func testALargeFileGoesOnItsOwnAndLeavesTheBatchOpen() {
    var window = Window()
    _ = window.added(1, bytes: 1)
    XCTAssertEqual(window.added(2, bytes: BatchLimits.large), [.flush([2])])
    XCTAssertEqual(window.open, [1])
  }

  func testALateTimerDoesNothing() {
    var window = Window()
    _ = window.added(1, bytes: 1)
    XCTAssertEqual(window.drained(), [.flush([1])])
    XCTAssertEqual(window.timerFired(number: 0), [])
    _ = window.added(2, bytes: 1)
    XCTAssertEqual(window.timerFired(number: 0), [])
    XCTAssertEqual(window.open, [2])
  }

  func testDrainingNothingFlushesNothing() {
    var window = Window()
    XCTAssertEqual(window.drained(), [])
    XCTAssertEqual(window.timerFired(number: 0), [])
  }

  func testEveryFileIsFlushedExactlyOnceWhateverHappens() {
    for seed in 0..<50 as Range<UInt64> {
      var generator = Seeded(state: seed)
      var window = Window()
      var flushed: [Int] = []
      var added = 0
      func take(_ actions: [Window.Action]) {
        for case .flush(let batch) in actions {
          XCTAssertFalse(batch.isEmpty)
          XCTAssertLessThanOrEqual(batch.count, BatchLimits.files)
          flushed += batch
        }
      }
      for _ in 0..<2_000 {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0:
          take(window.timerFired(number: Int.random(in: 0...window.number, using: &generator)))
        case 1: take(window.drained())
        default:
          take(window.added(added, bytes: .random(in: 0...9 << 20, using: &generator)))
          added += 1
        }
        XCTAssertLessThan(window.open.count, BatchLimits.files)
        XCTAssertLessThan(window.bytes, BatchLimits.bytes)
      }
      take(window.drained())
      XCTAssertEqual(flushed.sorted(), Array(0..<added))
    }
  }

  // SplitMix64: one seed, one walk.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
