import Foundation
import TestSupport
import XCTest

/// F14: a call on a database fails during a sync of records, with any error, at any of its
/// occurrences.
final class F14RecordsTests: RecordsFaultTestCase {
  func testF14_aFailingCallIsOneErrorAndTheOldState() throws {
    for journal in World.Journal.allCases {
      let calls = try referenceCalls(journal)
      let numbers = Steps.chosen(of: calls.count, quick: 5)
      var failed = 0
      for number in numbers {
        let error = [EIO, ENOSPC, EACCES, EDQUOT][number % 4]
        try startAnew(journal)
        let fault = Fault(act: .fail(error), kinds: FaultyDisk.Kind.changing, number: number)
        let outcome = try sync(to: .new, with: fault)
        let claim = "\(fault) (\(calls[number - 1])) with \(journal)"
        if outcome.end == .exited(0) {
          XCTAssertEqual(try state(claim), .new, "\(claim)\n\(outcome)")
        } else {
          failed += 1
          try assertFailed(outcome, claim)
        }
        try assertConverges(claim)
      }
      XCTAssertGreaterThan(failed, 0)
      try Extent.record(
        "F14", "a call failing in a sync of records, with \(journal)", count: numbers.count,
        "\(failed) times one error, status 1 and the old state; else it did no harm; converges")
    }
  }
}
