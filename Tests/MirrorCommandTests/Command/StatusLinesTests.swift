import SyncFolder
import XCTest

@testable import CatalogMirror
@testable import mirror

/// What `status` says, line by line.
final class StatusLinesTests: XCTestCase {
  private func lines(_ change: (inout MirrorStatus) -> Void) -> [String] {
    var status = MirrorStatus()
    status.isMirror = true
    status.catalog = "https://h/"
    change(&status)
    return StatusLines.lines(of: status)
  }

  private func run(_ change: (inout MirrorStatus.Run) -> Void) -> String {
    var run = MirrorStatus.Run(
      startedAt: 1_738_324_800, duration: .milliseconds(1_200), outcome: "done", downloaded: 0,
      changed: 0, removed: 0, failed: 0, bytes: 0)
    change(&run)
    return lines { $0.runs = [run] }.last ?? ""
  }

  func testARunIsToldInTheWordsOfItsOwnSummary() {
    let began = "run         2025-01-31T12:00:00Z "
    XCTAssertEqual(run { _ in }, began + "done: unchanged, 1.2 s")
    XCTAssertEqual(
      run { ($0.downloaded, $0.changed, $0.removed, $0.bytes) = (3, 2, 1, 2_048) },
      began
        + "done: 2 added or updated, 1 removed, 1 fetched again with the same bytes, 2.0 KiB, 1.2 s"
    )
    XCTAssertEqual(
      run { ($0.downloaded, $0.changed, $0.adopted) = (5, 12, 10) },
      began
        + "done: 2 added or updated, 10 adopted, 3 fetched again with the same bytes, 1.2 s")
    XCTAssertEqual(
      run { ($0.outcome, $0.failed, $0.error) = ("some failed", 4, "gone") },
      began + "some failed: 4 failed, 1.2 s; gone")
    XCTAssertEqual(
      run { ($0.outcome, $0.downloaded, $0.changed) = ("some failed", 1, 1) },
      began + "done, but for directories that aren't read: 1 added or updated, 1.2 s")
    XCTAssertEqual(
      run { $0.outcome = "some failed" },
      began + "done, but for directories that aren't read: unchanged, 1.2 s")
  }

  /// It was called unchanged, without a word of what couldn't be had.
  func testTheNewestRunIsToldWithWhatItCouldNotHave() {
    let run = MirrorStatus.Run(
      startedAt: 1_738_324_800, duration: .milliseconds(1_200), outcome: "done", downloaded: 0,
      changed: 0, removed: 0, failed: 0, bytes: 0)
    let told = lines { status in
      status.runs = [run, run]
      status.unreadable = [.init(key: "https://h/a/", sentence: "forbidden")]
      status.flaws = [.init(key: "b", sentence: "forbidden")]
    }
    XCTAssertEqual(
      told.suffix(2),
      [
        """
        run         2025-01-31T12:00:00Z done, but for 1 directory that isn't read and 1 item that \
        the source doesn't give: unchanged, 1.2 s
        """, "run         2025-01-31T12:00:00Z done: unchanged, 1.2 s",
      ])
  }

  func testTheRulesOfTheLastRunAreSaidPlainly() {
    var options = MirrorOptions(catalog: "", folder: "")
    let guarded = lines { $0.rules = MirrorRules(options) }
    XCTAssertTrue(
      guarded.contains(
        """
        removal     refused where more than 3 and at least half of the items would go, or all of \
        several
        """), "\(guarded)")
    options.maximumRemoval = .count(7)
    options.scope.minimumSize = 5
    let counted = lines {
      ($0.rules, $0.quarantined, $0.quarantinedBytes) = (MirrorRules(options), 2, 10)
    }
    for line in [
      "removal     refused where more than 7 would go", "filter      no smaller than 5 B",
      "quarantine  2 files, 10 B, kept for 7 days",
    ] {
      XCTAssertTrue(counted.contains(line), "\(counted)")
    }
  }

  func testDirectoriesThatCannotBeReadStandBelowTheirReason() {
    let told = lines { status in
      status.unreadable = [
        .init(key: "http://h/a/", sentence: "forbidden"),
        .init(key: "http://h/b/", sentence: "a page"),
      ]
      status.unreadable += (1...20).map { .init(key: "http://h/\($0)/", sentence: "forbidden") }
    }
    XCTAssertEqual(
      Array(told.dropFirst(2).prefix(4)),
      [
        "unreadable  a page:", "            http://h/b/", "unreadable  forbidden:",
        "            http://h/a/",
      ])
    XCTAssertEqual(told.last, "            and 2 more")
  }

  func testWhatOneSentenceTellsOfIsNamedInOneLine() {
    let told = lines { status in
      status.failures = (1...5).map { .init(key: "a/\($0)", sentence: "a/ is left alone") }
      status.failures.insert(.init(key: "b", sentence: "status 404"), at: 1)
      status.failures += (1...20).map { .init(key: "c/\($0)", sentence: "status \($0)") }
    }
    let failed = told.filter { $0.hasPrefix("failed") }
    XCTAssertEqual(
      Array(failed.prefix(3)),
      [
        "failed      a/1, a/2, a/3 and 2 more: a/ is left alone", "failed      b: status 404",
        "failed      c/1: status 1",
      ])
    XCTAssertEqual(failed.last, "failed      2 more")
  }

  func testARunThatWasKilledAndADirectoryThatIsClosedAreTold() {
    let holder = LockHolder(process: 7, since: "20250131T120000Z")
    let told = lines { status in
      status.cutShort = RunningMirror(holder: holder)
      status.closed = [.init(key: "sub", sentence: "sub may not be used by this user")]
    }
    XCTAssertEqual(
      told.filter { $0.hasPrefix("c") && !$0.hasPrefix("cat") && !$0.hasPrefix("con") },
      [
        """
        cut short   the last run, by process 7 since 2025-01-31T12:00:00Z; the next one goes on
        """, "closed      sub: sub may not be used by this user",
      ])
  }
}
