import XCTest

@testable import DocumentSync

/// How often one sync asks a server in trouble.
final class TryBudgetTests: XCTestCase {
  func testThereAreThreeTries() {
    var budget = TryBudget()
    XCTAssertEqual(
      budget.troubled(at: .seconds(1), sentAt: .zero, wait: .milliseconds(500)),
      .milliseconds(1_500))
    let third = budget.troubled(at: .seconds(2), sentAt: .milliseconds(1_500), wait: .seconds(1))
    XCTAssertEqual(third, .seconds(3))
    XCTAssertNil(budget.troubled(at: .seconds(4), sentAt: .seconds(3), wait: .zero))
  }

  func testTheyAreMadeWithinTenSecondsFromTheFirst() {
    for (wait, isAgain) in [(8_999, true), (9_000, false), (60_000, false)] {
      var budget = TryBudget()
      let next = budget.troubled(at: .seconds(6), sentAt: .seconds(5), wait: .milliseconds(wait))
      XCTAssertEqual(next != nil, isAgain, "\(wait)")
    }
    var budget = TryBudget()
    XCTAssertNotNil(budget.troubled(at: .seconds(1), sentAt: .zero, wait: .seconds(5)))
    XCTAssertNil(budget.troubled(at: .seconds(7), sentAt: .seconds(6), wait: .seconds(3)))
  }

  func testARequestThatTookTooLongIsTheLast() {
    var budget = TryBudget()
    XCTAssertNil(budget.troubled(at: .seconds(60), sentAt: .zero, wait: .zero))
  }

  func testAnAnswerBeginsThemAnew() {
    var budget = TryBudget()
    for round in 0..<4 {
      let start = Duration.seconds(100 * round)
      XCTAssertNotNil(budget.troubled(at: start, sentAt: start, wait: .seconds(1)))
      XCTAssertNotNil(budget.troubled(at: start, sentAt: start, wait: .seconds(1)))
      budget.answered()
      XCTAssertEqual(budget, TryBudget())
    }
  }
}
