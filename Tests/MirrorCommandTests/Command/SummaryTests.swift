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
      """
      unchanged: the source has nothing new, and no file was changed here, as far as sizes and \
      dates tell (1.5 s)
      """
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

  /// They were one sentence of many parts.
  func testEachDirectoryThatCannotBeReadHasALine() {
    let forbidden = (1...22).map {
      MirrorReport.Failure(key: "http://h/\($0)/", sentence: "it is forbidden; ask for the rights")
    }
    let line = "http://h/1/: it is forbidden; ask for the rights."
    XCTAssertEqual(
      Summary.lines(forUnreadable: [forbidden[0]]),
      ["1 directory isn't read, so that what is held below stays: \(line)"])
    let many = Summary.lines(forUnreadable: forbidden)
    XCTAssertEqual(many.count, 22)
    XCTAssertEqual(
      Array(many.prefix(2)),
      ["22 directories aren't read, so that what is held below stays:", line])
    XCTAssertEqual(many.last, "2 more; 'mirror status FOLDER' names them.")
    XCTAssertEqual(Summary.lines(forUnreadable: []), [])
  }

  /// Of names that no file can have, it was said that the source doesn't give them.
  func testWhatCannotBeHadIsToldByWhatItIs() {
    let refused = MirrorReport.Failure(key: "a", sentence: "403", kind: .refused)
    let unusable = MirrorReport.Failure(key: "b", sentence: "not UTF-8", kind: .unusable)
    for (flaws, words) in [
      ([refused], "1 item that the source doesn't give"),
      ([unusable, unusable], "2 items that can't be used as listed"),
      (
        [refused, unusable],
        "1 item that the source doesn't give and 1 item that can't be used as listed"
      ),
    ] {
      XCTAssertEqual(report { $0.flaws = flaws }, "unchanged, but for \(words) (1.5 s)")
    }
  }

  /// It was advised for whatever had failed.
  func testToRunItAgainIsAdvisedOnlyWhereThatMayHelp() {
    let end = "and no run can do better until that is mended"
    for (counts, advice) in [
      ((3, 0, 0, 0), "some items failed; run it again, and they are tried first."),
      ((1, 1, 0, 0), "the source refuses 1 item, \(end); what is held of it stays."),
      (
        (4, 2, 0, 2),
        """
        the source refuses 2 items, \(end), and 2 that come last are held back for that; what is \
        held of them stays.
        """
      ),
      (
        (3, 1, 1, 0),
        """
        some items failed; run it again, and they are tried first. But the source refuses 1 item \
        and 1 entry can't be used as listed, \(end).
        """
      ),
    ] {
      var report = MirrorReport(outcome: .someFailed)
      report.failures = [.init(key: "a", sentence: "it failed")]
      (report.failed, report.refusedItems, report.unusable, report.heldBack) = counts
      XCTAssertEqual(Summary.advice(for: report), advice)
    }
  }

  /// "1 more failed" stood beside "4 failed", and three of them had only been held back.
  func testWhatWasHeldBackIsCountedByItself() {
    var ended = MirrorReport(outcome: .someFailed)
    ended.failures = [
      .init(key: "a", sentence: "it failed"),
      .init(key: "dists/x", sentence: "it was held back", kind: .heldBack),
    ]
    (ended.failed, ended.heldBack) = (5, 3)
    XCTAssertEqual(
      FailureLines.lines(of: ended),
      [
        "mirror: a: it failed.", "mirror: dists/x: it was held back.", "mirror: 1 more failed.",
        "mirror: 2 more held back, too.",
      ])
    XCTAssertEqual(
      report(.someFailed) { ($0.failed, $0.heldBack) = (5, 3) },
      "some failed: 2 failed, 3 held back (1.5 s)")
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
