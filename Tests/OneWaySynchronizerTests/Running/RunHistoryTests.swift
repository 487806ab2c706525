@testable import OneWaySynchronizer
@testable import SyncEngine
import XCTest

/// Which passes a run's report has, and which of them a caller's.
final class RunHistoryTests: XCTestCase {
  private typealias History = RunHistory<String>

  /// Passes that have begun and ended, each with its number as the count of what it listed.
  private func passes(_ numbers: ClosedRange<Int>, in history: inout History) {
    for number in numbers {
      history.passBegins(at: .zero)
      var report = PassReport<String>()
      report.counts.listed = number
      history.passEnded(report)
    }
  }

  private func listed(_ passes: [PassReport<String>]) -> [Int] { passes.map(\.counts.listed) }

  func testACallersReportBeginsWithTheFirstPassThatBeganAfterIt() {
    var history = History()
    passes(1...3, in: &history)
    XCTAssertEqual(
      (0...4).map { listed(history.report(since: $0).passes) },
      [
        [1, 2, 3], [2, 3], [3], [], [],
      ])
    XCTAssertEqual(history.nextInRun, 4)
    history.runEnded()
    XCTAssertEqual(history.nextInRun, 1)
    passes(4...5, in: &history)
    XCTAssertEqual(listed(history.report(since: 3).passes), [4, 5])
    XCTAssertEqual(listed(history.report(since: 2).passes), [4, 5], "not of another run")
  }

  func testAPassThatWasCancelledBeforeItBeganIsNobodysReport() {
    var history = History()
    passes(1...1, in: &history)
    history.passBegins(at: .zero)
    XCTAssertEqual(listed(history.report(since: 1).passes), [])
    history.runEnded()
    passes(3...3, in: &history)
    XCTAssertEqual(listed(history.report(since: 1).passes), [3])
  }

  func testOfARunThatGoesOnAndOnTheNewestPassesAreKept() {
    var history = History()
    for number in 1...4_000 {
      passes(number...number, in: &history)
      XCTAssertLessThanOrEqual(history.passes.count, 2_000)
      XCTAssertEqual(listed(history.report(since: number - 1).passes), [number])
    }
    XCTAssertGreaterThanOrEqual(history.passes.count, 1_000)
    XCTAssertEqual(history.nextInRun, 4_001)
  }
}
