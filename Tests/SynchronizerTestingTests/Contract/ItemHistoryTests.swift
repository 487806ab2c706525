import XCTest

@testable import SynchronizerTesting

final class ItemHistoryTests: XCTestCase {
  func testEveryFateOfAnItemIsJudged() {
    let rows: [(before: String?, source: String?, held: [String?: [Violation.Problem?]])] = [
      // For each content held: renewed, untouched, either.
      (nil, "new", [nil: [.missing, nil, nil], "new": [nil, .changedDespiteFailure, nil]]),
      (
        "old", "new",
        [
          nil: [.lost, .lost, .lost], "old": [.notUpdated, nil, nil],
          "new": [nil, .changedDespiteFailure, nil],
        ]
      ),
      ("old", nil, [nil: [nil, .changedDespiteFailure, nil], "old": [.notRemoved, nil, nil]]),
      (nil, nil, [nil: [nil, nil, nil], "torn": [.invented, .invented, .invented]]),
      ("old", "new", ["torn": [.wrongContent, .wrongContent, .wrongContent]]),
      (nil, "new", ["torn": [.wrongContent, .wrongContent, .wrongContent]]),
      ("old", "old", [nil: [.lost, .lost, .lost], "old": [nil, nil, nil]]),
    ]
    let demands: [ItemHistory.Demand] = [.renewed, .untouched, .either]
    for row in rows {
      for (held, problems) in row.held {
        for (demand, problem) in zip(demands, problems) {
          let history = ItemHistory(before: row.before, source: row.source, demand: demand)
          XCTAssertEqual(
            history.problem(holding: held), problem, "\(history) holding \(held ?? "")")
        }
      }
    }
  }
}
