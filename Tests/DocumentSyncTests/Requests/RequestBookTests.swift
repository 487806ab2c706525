import TestSupport
import XCTest

@testable import DocumentSync

/// Which requests with identifiers run: every state sees every event.
final class RequestBookTests: XCTestCase {
  private typealias Book = RequestBook<String>

  /// None; one that runs; one that runs and one that waits; one that runs and was cancelled.
  private enum Start: CaseIterable { case nothing, one, two, cancelled }

  private func book(_ start: Start) -> Book {
    var book = Book(limit: 1)
    if start != .nothing { _ = book.asked("a", .add) }
    if start == .two { _ = book.asked("a", .add) }
    if start == .cancelled { book.cancel(1, of: "a") }
    return book
  }

  func testWhatBecomesOfOneMoreIsAChoice() {
    for start in Start.allCases {
      for choice in RequestChoice.allCases {
        var book = book(start)
        let next = start == .nothing ? 1 : start == .two ? 3 : 2
        let expected: Book.Answer =
          switch (choice, start) {
          case (.add, _), (.join, .nothing), (.join, .cancelled), (.replace, .nothing),
            (.replace, .cancelled):
            .make(next, cancelling: [])
          case (.join, .one): .join(1)
          case (.join, .two): .join(2)
          case (.replace, .one): .make(2, cancelling: [1])
          case (.replace, .two): .make(3, cancelling: [1, 2])
          }
        XCTAssertEqual(book.asked("a", choice), expected, "\(start), \(choice)")
        let after = if case .join = expected { next } else { next + 1 }
        XCTAssertEqual(book.asked("b", choice), .make(after, cancelling: []))
      }
    }
  }

  func testThoseBeyondTheLimitWaitInLine() {
    var book = Book(limit: 2)
    for _ in 0..<4 { _ = book.asked("a", .add) }
    _ = book.asked("b", .add)
    XCTAssertEqual((1...4).map { book.mayRun($0, of: "a") }, [true, true, false, false])
    XCTAssertTrue(book.mayRun(5, of: "b"), "another identifier has a line of its own")
    book.ended(1, of: "a")
    XCTAssertEqual((2...4).map { book.mayRun($0, of: "a") }, [true, true, false])
  }

  func testOneThatWasCancelledRunsUntilItHasEnded() {
    var book = book(.two)
    book.cancel(1, of: "a")
    XCTAssertFalse(book.mayRun(2, of: "a"))
    book.ended(1, of: "a")
    XCTAssertTrue(book.mayRun(2, of: "a"))
  }

  func testOneThatWasCancelledInLineNeverRuns() {
    var book = book(.two)
    _ = book.cancelAll("a")
    book.ended(1, of: "a")
    XCTAssertTrue(book.hasPlace(2, of: "a"))
    XCTAssertFalse(book.mayRun(2, of: "a"))
  }

  func testAllOfAnIdentifierAreCancelledOnce() {
    for start in Start.allCases {
      var book = book(start)
      let expected =
        switch start {
        case .nothing, .cancelled: [Int]()
        case .one: [1]
        case .two: [1, 2]
        }
      XCTAssertEqual(book.cancelAll("a"), expected, "\(start)")
      XCTAssertEqual(book.cancelAll("a"), [], "\(start)")
    }
  }

  func testARandomWalkLeavesNothingBehind() {
    var random = SeededGenerator(seed: 44)
    for _ in 0..<500 {
      var book = Book(limit: Int.random(in: 1...3, using: &random))
      var open: Set<Int> = []
      for _ in 0..<30 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          let choice = RequestChoice.allCases.randomElement(using: &random) ?? .add
          switch book.asked("a", choice) {
          case .make(let ticket, let others):
            XCTAssertTrue(open.isSuperset(of: others))
            open.insert(ticket)
          case .join(let ticket): XCTAssertTrue(open.contains(ticket))
          }
        case 2: _ = book.cancelAll("a")
        default:
          guard let one = open.filter({ book.hasPlace($0, of: "a") }).randomElement(using: &random)
          else { continue }
          book.ended(one, of: "a")
          open.remove(one)
        }
        let running = open.filter { book.hasPlace($0, of: "a") }.count
        XCTAssertEqual(running, min(open.count, book.limit))
      }
      for ticket in open { book.ended(ticket, of: "a") }
      XCTAssertEqual(book.lines, [:])
    }
  }
}
