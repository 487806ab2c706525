import Console
import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import mirror

final class MirrorMetricsTests: XCTestCase {
  private func end(
    _ outcome: MirrorReport.Outcome, at startedAt: Double,
    _ change: (inout MirrorReport) -> Void = { _ in }
  ) -> RunEnd {
    var report = MirrorReport(outcome: outcome)
    change(&report)
    return RunEnd(
      status: outcome.status, report: report, startedAt: startedAt, duration: .milliseconds(1_500))
  }

  private func assertNone(_ troubles: [String], line: UInt = #line) {
    XCTAssertEqual(troubles, [], line: line)
  }

  func testARunIsToldInTheFormatsOwnWords() throws {
    var metrics = MirrorMetrics()
    metrics.note(
      "pic\"tures",
      end(.someFailed, at: 100) { report in
        (report.listed, report.added, report.updated, report.bytes) = (9, 2, 1, 12)
        (report.failed, report.removed, report.sourceModified) = (3, 4, 50)
        report.copiedBytes = 7
      })
    let text = metrics.text
    for line in [
      "# TYPE mirror_last_run_items gauge", "mirror_last_run_items{mirror=\"pic\\\"tures\"} 9",
      "mirror_last_run_timestamp_seconds{mirror=\"pic\\\"tures\"} 102",
      "mirror_last_run_duration_seconds{mirror=\"pic\\\"tures\"} 1.5",
      "mirror_last_run_fetched_bytes{mirror=\"pic\\\"tures\"} 12",
      "mirror_last_run_copied_bytes{mirror=\"pic\\\"tures\"} 7",
      "mirror_last_run_changed_items{mirror=\"pic\\\"tures\"} 3",
      "mirror_last_run_failed_items{mirror=\"pic\\\"tures\"} 3",
      "mirror_last_run_removed_items{mirror=\"pic\\\"tures\"} 4",
      "mirror_source_modified_timestamp_seconds{mirror=\"pic\\\"tures\"} 50",
      "mirror_last_run_outcome{mirror=\"pic\\\"tures\",outcome=\"some failed\"} 1",
      "mirror_last_run_outcome{mirror=\"pic\\\"tures\",outcome=\"done\"} 0",
    ] {
      XCTAssertTrue(text.contains(line + "\n"), "\(line) isn't in\n\(text)")
    }
    XCTAssertFalse(text.contains("last_success"), "there was none")
    let families = try XCTUnwrap(MetricText.families(of: text))
    XCTAssertEqual(MirrorMetrics(families), metrics, "what is written is read again")
  }

  /// A run that ends with 0 all the same had no number that told of them.
  func testWhatIsKnownNotToBeHadIsCounted() {
    var metrics = MirrorMetrics()
    metrics.note(
      "a",
      end(.done, at: 100) { report in
        report.flaws = ["x", "y"].map { .init(key: $0, sentence: "the server answered 403") }
        report.unreadable = [.init(key: "https://a.test/b/", sentence: "the server answered 403")]
      })
    for line in [
      "mirror_last_run_known_flaws{mirror=\"a\"} 2",
      "mirror_last_run_unread_directories{mirror=\"a\"} 1",
      "mirror_last_run_failed_items{mirror=\"a\"} 0",
    ] {
      XCTAssertTrue(metrics.text.contains(line + "\n"), "\(line) isn't in\n\(metrics.text)")
    }
  }

  func testTheLastSuccessOutlivesFailures() {
    var metrics = MirrorMetrics()
    metrics.note("a", end(.done, at: 100) { $0.listed = 5 })
    metrics.note(
      "a", RunEnd(status: .locked, problem: "in use", startedAt: 200, duration: .zero))
    XCTAssertEqual(metrics.rows["a"]?.values[.success], 102)
    XCTAssertEqual(metrics.rows["a"]?.values[.run], 200)
    XCTAssertEqual(metrics.rows["a"]?.outcome, "locked")
    XCTAssertEqual(metrics.rows["a"]?.values[.items], 5)
  }

  func testTheNumberOfItemsIsThatOfTheLastRunThatGotAListing() {
    var metrics = MirrorMetrics()
    metrics.note("a", end(.done, at: 100) { $0.listed = 5 })
    metrics.note("a", end(.done, at: 300))
    XCTAssertEqual(metrics.rows["a"]?.values[.items], 0, "all was removed")
  }

  func testRunsThatEndTogetherAreAllTold() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).prom"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (file, end) = (MetricsFile(path), end(.done, at: 100))
    let troubles = await withTaskGroup(of: [String].self) { group in
      for number in 0..<100 { group.addTask { await file.note("\(number)", end) } }
      return await group.reduce([], +)
    }
    XCTAssertEqual(troubles, [])
    let families = MetricText.families(of: try readText(path))
    XCTAssertEqual(families.flatMap { MirrorMetrics($0) }?.rows.count, 100)
  }

  /// It was replaced by a file; a FIFO that was read first would have kept the run waiting.
  func testWhatIsNoFileIsWrittenIntoAndNeverRead() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    defer { unlink(path) }
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    for _ in 0..<2 {
      assertNone(await MetricsFile(path).note("a", end(.done, at: 100)))
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(reader, &bytes, bytes.count)
      let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
      XCTAssertTrue(text.hasPrefix("# HELP mirror_"), text)
    }
    var facts = stat()
    XCTAssertEqual(lstat(path, &facts), 0)
    XCTAssertEqual(facts.st_mode & S_IFMT, S_IFIFO)
  }

  func testAFileKeepsWhatOthersWroteAndIsNotWrittenWhereItIsNotOurs() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).prom"
    defer { try? FileManager.default.removeItem(atPath: path) }
    assertNone(await MetricsFile(path).note("a", end(.done, at: 100)))
    assertNone(await MetricsFile(path).note("b", end(.done, at: 200)))
    func rows() throws -> MirrorMetrics? {
      MetricText.families(of: try readText(path))
        .flatMap { MirrorMetrics($0) }
    }
    XCTAssertEqual(try rows()?.rows.keys.sorted(), ["a", "b"])
    let file = MetricsFile(path)
    file.keep(["b"])
    assertNone(await file.note("c", end(.failed, at: 300)))
    XCTAssertEqual(try rows()?.rows.keys.sorted(), ["b", "c"])
    try Data("node_load1 3\n".utf8).write(to: URL(filePath: path))
    let refused = await MetricsFile(path).note("d", end(.done, at: 400))
    XCTAssertEqual(
      refused,
      [
        "the file of metrics '\(path)' can't be written: it holds something else, which would be "
          + "lost; name another file"
      ])
    XCTAssertEqual(try readText(path), "node_load1 3\n")
    try Data("# HELP mirror_la".utf8).write(to: URL(filePath: path))
    assertNone(await MetricsFile(path).note("d", end(.done, at: 400)))
    XCTAssertEqual(try rows()?.rows.keys.sorted(), ["d"])
    let troubles = await MetricsFile("/no/such/place").note("a", end(.done, at: 1))
    XCTAssertEqual(
      troubles, ["the file of metrics '/no/such/place' can't be written: No such file or directory"]
    )
  }
}
