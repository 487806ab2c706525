import Console
import XCTest

@testable import CatalogMirror
@testable import mirror

/// What `watch` says of a run.
final class WatchLinesTests: XCTestCase {
  private func notes(
    namingMirrors namesMirrors: Bool = true, _ change: (inout MirrorReport) -> Void
  ) -> [String] {
    var report = MirrorReport(outcome: .done)
    change(&report)
    let mirror = ConfiguredMirror(
      name: "one", invocation: Invocation(command: .watch), settings: [], operands: [])
    let end = RunEnd(status: .done, report: report, startedAt: 0, duration: .zero)
    let timing = WatchTiming(interval: .seconds(1), longest: .seconds(1))
    let event = WatchEvent.ended(WatchJob("one", timing, mirror), end, next: nil)
    return WatchLines(style: .people, namesMirrors: namesMirrors).notes(for: event)
      .map { ($0.isBad ? "bad: " : "") + $0.0 }
  }

  func testDirectoriesThatCannotBeReadAnyMoreAreTold() {
    let unreadable = MirrorReport.Failure(key: "http://h/sub/", sentence: "the answer is 403")
    let line =
      "1 directory isn't read, so that what is held below stays: http://h/sub/: the answer is 403."
    let told = notes {
      ($0.unreadable, $0.hasNewUnreadable) = ([unreadable], true)
    }
    XCTAssertEqual(told.count, 1)
    XCTAssertTrue(told.first?.hasPrefix("bad: one: \(line)") ?? false, "\(told)")
    XCTAssertEqual(notes { $0.unreadable = [unreadable] }, [], "they were told in the run before")
  }

  func testFilesThatWerePutAsideAreToldAlsoInTheQuietStyle() {
    XCTAssertEqual(
      notes { $0.displaced = 1 },
      [
        """
        bad: one: 1 file that wasn't the mirror's, or had been edited, was put aside in \
        .mirror/displaced; 'mirror restore FOLDER' lists what lies there.
        """
      ])
    XCTAssertTrue(notes { $0.displaced = 12 }.first?.contains("12 files that weren't") ?? false)
  }

  func testOtherFiltersAreTold() {
    XCTAssertEqual(
      notes(namingMirrors: false) { $0.hasNewScope = true },
      ["the filters changed since the last run"])
    XCTAssertEqual(notes { $0.outside = 3 }, [])
  }
}
