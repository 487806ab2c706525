import Foundation
import TestSupport
import XCTest

/// F12: a sync of records killed before every state-changing system call.
final class F12RecordsTests: RecordsFaultTestCase {
  func testF12_aSyncThatIsKilledBeforeAnyCallLeavesTheOldStateOrTheNewOne() throws {
    for journal in World.Journal.allCases {
      let calls = try referenceCalls(journal)
      XCTAssertGreaterThan(calls.count, 60, "the way is long enough to be killed on")
      let numbers = Steps.chosen(of: calls.count, quick: 5)
      var states: [World.State?: Int] = [:]
      for number in numbers {
        let fault = Fault(act: .kill, kinds: FaultyDisk.Kind.changing, number: number)
        try startAnew(journal)
        let outcome = try sync(to: .new, with: fault)
        let claim = "\(fault) (\(calls[number - 1])) with \(journal)\n\(outcome)"
        XCTAssertEqual(outcome.end, .killed(by: SIGKILL), claim)
        states[try state(claim), default: 0] += 1
        try assertConverges(claim)
      }
      if Extent.asked == .full {
        // With a journal the last call is the one that counts.
        XCTAssertEqual(states[.new] ?? 0 > 0, journal == .log, "\(states) with \(journal)")
        XCTAssertGreaterThan(states[.old] ?? 0, 40, "\(states) with \(journal)")
      }
      try Extent.record(
        "F12", "killed before a system call of a sync of records, with \(journal)",
        count: numbers.count,
        "\(states[.old] ?? 0) times the old state, \(states[.new] ?? 0) times the new one, whole")
    }
  }
}
