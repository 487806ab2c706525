import OneWaySynchronizer
import XCTest

@testable import DocumentSync

/// How many documents a sync may take away.
final class RemovalRuleTests: XCTestCase {
  func testWhatMayGo() {
    let rows: [(RemovalRule, Int, Int, Bool)] = [
      (.careful, 0, 0, true), (.careful, 3, 6, true), (.careful, 4, 9, true),
      (.careful, 4, 8, false), (.careful, 2, 2, false), (.careful, 1, 1, true),
      (.within(.count(5)), 5, 6, true), (.within(.count(5)), 6, 7, false),
      (.within(.count(5)), 5, 5, false), (.within(.share(0.5)), 5, 10, true),
      (.within(.share(1)), 10, 10, false), (.within(.count(0)), 0, 0, true),
      (.within(.unlimited), 10, 10, true),
    ]
    for (rule, count, held, isAllowed) in rows {
      XCTAssertEqual(
        rule.allows(Vanishing(count: count, held: held)), isAllowed, "\(rule) \(count) of \(held)")
    }
  }
}
