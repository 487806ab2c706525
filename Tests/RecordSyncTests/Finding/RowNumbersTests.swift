import TestSupport
import XCTest

@testable import RecordSync

final class RowNumbersTests: XCTestCase {
  func testNumbersOneAfterTheOtherTakeOnePlace() {
    var numbers = RowNumbers()
    for number in 1...Int64(30_000) { numbers.insert(number) }
    XCTAssertEqual(numbers.count, 30_000)
    XCTAssertEqual(numbers.runCount, 1)
  }

  /// In whatever order they came.
  func testGapsThatAreClosedTakeNoPlace() {
    var random = SeededGenerator(seed: 1)
    var numbers = RowNumbers()
    for number in (1...Int64(20_000)).shuffled(using: &random) { numbers.insert(number) }
    XCTAssertEqual(numbers.count, 20_000)
    XCTAssertLessThan(numbers.runCount, 8_000)
  }

  func testTheyAreWhatASetIs() {
    for seed in seeds(usually: 20) {
      var random = SeededGenerator(seed: seed)
      var (numbers, model) = (RowNumbers(), Set<Int64>())
      let bounds = [-10...10, -5_000...5_000, Int64.min...Int64.max][Int(seed % 3)]
      var number = Int64(0)
      for step in 0..<12_000 {
        number = isLucky(60, &random) ? number &+ 1 : .random(in: bounds, using: &random)
        XCTAssertEqual(numbers.contains(number), model.contains(number), "seed \(seed)")
        XCTAssertEqual(
          numbers.insert(number), model.insert(number).inserted, "seed \(seed), step \(step)")
      }
      for end in [Int64.min, .max] {
        XCTAssertEqual(numbers.insert(end), model.insert(end).inserted)
      }
      XCTAssertEqual(numbers.count, model.count)
      XCTAssertTrue(model.allSatisfy(numbers.contains), "seed \(seed)")
    }
  }
}
