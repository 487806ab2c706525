import XCTest

@testable import DocumentSync

/// When what a server refused is tried again.
final class RetryRuleTests: XCTestCase {
  func testPausesDoubleFromAMinuteToADayAndTriesEnd() {
    let minute: Int64 = 60_000
    let rows: [(limit: Int, refusals: Int, waited: Int64, isDue: Bool)] = [
      (5, 0, minute, false), (0, 1, minute, false),
      (5, 1, minute - 1, false), (5, 1, minute, true),
      (5, 2, 2 * minute - 1, false), (5, 2, 2 * minute, true),
      (5, 5, 16 * minute, true), (5, 6, 1_000 * minute, false),
      (99, 90, 1_440 * minute - 1, false), (99, 90, 1_440 * minute, true),
      // A clock that was put back.
      (5, 3, -1, true),
    ]
    for row in rows {
      let isDue = RetryRule(limit: row.limit)
        .isDue(refusals: row.refusals, last: 1_000, at: 1_000 + row.waited)
      XCTAssertEqual(isDue, row.isDue, "\(row)")
    }
  }
}
