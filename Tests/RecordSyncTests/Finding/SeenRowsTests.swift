import XCTest

@testable import RecordSync

final class SeenRowsTests: XCTestCase {
  func testRowsAreCountedOnceInWhateverOrderTheyWereNoted() {
    for (numbers, count) in [
      ([], 0), ([7], 1), ([1, 2, 3], 3), ([1, 1, 2], 2), ([3, 1, 2, 3, 1], 3), ([-1, 0, -1], 2),
    ] as [([Int64], Int)] {
      var rows = SeenRows()
      for number in numbers { rows.insert(number) }
      XCTAssertEqual(rows.numberCount, count, "\(numbers)")
    }
  }

  func testWhatWasNotedIsFound() {
    var rows = SeenRows()
    for number in [5, 3, 9, 3] as [Int64] { rows.insert(number) }
    rows.insert([.text("a"), .integer(1)])
    XCTAssertEqual((1...10).filter { rows.contains(Int64($0)) }, [3, 5, 9])
    rows.insert(4)
    XCTAssertTrue(rows.contains([.integer(4)]))
    XCTAssertTrue(rows.contains([.text("a"), .integer(1)]))
    XCTAssertFalse(rows.contains([.text("a"), .integer(2)]))
  }
}
