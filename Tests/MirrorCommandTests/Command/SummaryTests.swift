import XCTest

@testable import CatalogMirror
@testable import mirror

/// The line that sums a run up.
final class SummaryTests: XCTestCase {
  private func report(
    _ outcome: MirrorReport.Outcome = .done, _ change: (inout MirrorReport) -> Void = { _ in }
  ) -> String? {
    var report = MirrorReport(outcome: outcome)
    report.duration = .milliseconds(1_500)
    change(&report)
    return Summary.text(for: report)
  }

  private let unread = [MirrorReport.Failure(key: "http://h/a/", sentence: "gone", advice: nil)]

  func testWhereverNothingHadToBeDoneItIsSaidInTheSameWords() {
    let line =
      "unchanged: the source has nothing new, and every file is as it should be (1.5 s)"
    XCTAssertEqual(report { $0.wasUnchanged = true }, line)
    XCTAssertEqual(report { $0.listed = 3 }, line)
    XCTAssertEqual(report { $0.confirmed = 6 }, line)
    XCTAssertEqual(report(), "the source lists nothing (1.5 s)")
    XCTAssertEqual(
      report { ($0.leftOut, $0.remarks) = (3, [.allLeftOut(items: 3)]) }, "nothing to do (1.5 s)")
    XCTAssertEqual(report { $0.leftOut = 3 }, line, "of a list of changes")
    XCTAssertEqual(
      report { ($0.wasUnchanged, $0.trustedIndex) = (true, true) },
      "unchanged: the source has nothing new; the files were not looked at (1.5 s)")
  }

  func testDirectoriesThatCannotBeReadAreCounted() {
    let but = "but for 1 directory that isn't read"
    XCTAssertEqual(report { $0.unreadable = unread }, "unchanged, \(but) (1.5 s)")
    XCTAssertEqual(report(.someFailed) { $0.unreadable = unread }, "unchanged, \(but) (1.5 s)")
    XCTAssertEqual(
      report(.someFailed) { ($0.unreadable, $0.added, $0.bytes) = (unread, 2, 2_048) },
      "done, \(but): 2 added, 2.0 KiB (1.5 s)")
  }

  func testManyDirectoriesThatCannotBeReadAreToldByTheirReasons() {
    let forbidden = (1...14).map {
      MirrorReport.Failure(key: "http://h/\($0)/", sentence: "it is forbidden; ask for the rights")
    }
    let other = MirrorReport.Failure(key: "http://h/x/", sentence: "it gave a page")
    XCTAssertEqual(
      Summary.line(forUnreadable: forbidden + [other]),
      """
      15 directories aren't read, so that what is held below stays: it is forbidden: \
      http://h/1/, http://h/2/, http://h/3/ and 11 more; it gave a page: http://h/x/ \
      ('mirror status FOLDER' names them).
      """)
    XCTAssertNil(Summary.line(forUnreadable: []))
  }

  func testWhatWasDoneIsCountedInTheSameOrder() {
    XCTAssertEqual(
      report(.someFailed) {
        ($0.added, $0.updated, $0.repaired, $0.removed, $0.failed) = (1, 2, 3, 4, 5)
        ($0.previews, $0.bytes) = (1, 19_066_880)
      },
      """
      some failed: 1 added, 2 updated, 3 repaired, 4 removed, 1 preview, 5 failed, 18.2 MiB (1.5 s)
      """)
  }

  func testARefusalSaysToLookAtWhatMakesTheItemsGo() {
    for (leaving, parts) in [
      (0, ["removed, which", "Check the source; if it is right", "--no-delete"]),
      (7, ["removed, all of them as the filters", "Check the filters; if", "--remove-excluded"]),
      (3, ["removed, 3 of them as the filters", "the source and the filters; if both"]),
    ] {
      var report = MirrorReport(outcome: .removalRefused(count: 7, of: 9))
      report.leaving = leaving
      let advice = Summary.advice(for: report) ?? ""
      for part in parts + ["7 of 9 items", "say --max-delete 7"] {
        XCTAssertTrue(advice.contains(part), "\(part): \(advice)")
      }
    }
  }

  func testARunThatCameToNothingHasNoSummary() {
    XCTAssertNil(report(.failed))
    XCTAssertNil(report(.cancelled))
    XCTAssertNil(report(.removalRefused(count: 3, of: 4)))
  }
}
