import TestSupport
import XCTest

@testable import RecordSync

/// What is kept of each new row until all are written took some thirty bytes for this alone.
final class RowRunsTests: XCTestCase {
  func testRowsOneAfterTheOtherTakeOnePlaceInEachWindow() {
    var runs = RowRuns()
    for row in 0..<Int64(30_000) { runs.insert(row, in: UInt32(row / 10_000)) }
    XCTAssertEqual(runs.count, 3)
    XCTAssertEqual(runs.insert(10_000, in: 3), 1)
    XCTAssertEqual(runs.insert(10_000, in: 4), 3)
    XCTAssertEqual(runs.insert(30_000, in: 4), nil)
  }

  func testTheyTellOfRowsWhatADictionaryTells() {
    for seed in 1...UInt64(20) {
      var random = SeededGenerator(seed: seed)
      var (runs, model) = (RowRuns(), [Int64: UInt32]())
      var (row, window) = (Int64.min, UInt32(0))
      for _ in 0..<300 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: row = .random(in: -40...400, using: &random)
        case 1: window += 1
        case 2: row = min(row, 400) &+ .random(in: 1...5, using: &random)
        default: row += 1
        }
        XCTAssertEqual(runs.window(of: row), model[row], "seed \(seed)")
        let earlier = model.updateValue(window, forKey: row)
        XCTAssertEqual(runs.insert(row, in: window), earlier, "seed \(seed)")
      }
    }
  }
}
