import Foundation
import TestSupport
import XCTest

/// F21: entries without a key, of which millions fit into a few KB of gzip. They are counted, the
/// first twenty are named, and none is held.
final class F21KeylessEntryTests: FaultTestCase {
  private let site = HonestSite(["a": "alpha", "b": "beta"])

  /// The forms of a catalog with so many empty entries after those of the site.
  private func forms(_ count: Int) -> [(name: String, text: String)] {
    let lines = site.lines.joined(separator: "\n")
    let items = site.lines.joined(separator: ",")
    return [
      (
        "lines",
        #"{"catalog":1,"complete":true}"# + "\n\(lines)\n" + String(repeating: "{}\n", count: count)
      ),
      (
        "object",
        #"{"catalog":1,"complete":true,"items":[\#(items)"#
          + String(repeating: ",{}", count: count) + "]}"
      ),
      ("array", "[\(items)" + String(repeating: ",1", count: count) + "]"),
      (
        "empty keys",
        #"{"catalog":1,"complete":true}"# + "\n\(lines)\n"
          + String(repeating: "{\"key\":\"\"}\n", count: count)
      ),
    ]
  }

  func testF21_emptyEntriesInAFewKilobytesOfGzipAreCountedInBoundedMemory() async throws {
    let count = Extent.asked == .full ? 9_900_000 : 100_000
    for (number, (name, text)) in forms(count).enumerated() {
      let bomb = try gzip(Array(text.utf8))
      XCTAssertLessThan(bomb.count, text.utf8.count / 100)
      let server = try serveFaults { [site] request, attempt in
        guard request.path == HonestSite.catalogPath else { return site.script(request, attempt) }
        let head = FaultAnswer.head(
          200, [("Content-Encoding", "gzip")], framing: .length, length: bomb.count)
        return FaultAnswer([.bytes(head), .bytes(bomb)])
      }
      let styles = Extent.asked == .full ? [[], ["--json"]] : [[[], ["--json"]][number % 2]]
      for style in styles {
        let claim = "\(name) \(style)"
        let child = try start(
          ["sync", server.url(HonestSite.catalogPath), copy.path, "--new-catalog"] + style)
        let use = try ProcessUse.watch(child, within: .seconds(300))
        let outcome = try child.outcome(within: .seconds(60))
        // A few times the text, and what any run takes.
        XCTAssertLessThan(use.peakMemory, (192 << 20) + 8 * text.utf8.count, claim)
        XCTAssertEqual(outcome.end, .exited(2), "\(claim): \(outcome.said)")
        XCTAssertLessThan(outcome.said.utf8.count + outcome.printed.utf8.count, 32_768, claim)
        XCTAssertTrue(outcome.printed.contains("\(count)"), "\(claim): \(outcome)")
        if style.isEmpty {
          XCTAssertTrue(outcome.said.contains("\(count - 20) more failed"), "\(claim): \(outcome)")
          XCTAssertEqual(outcome.said.split(separator: "\n").count, 22, claim)
        }
        XCTAssertEqual(try copied(), ["a": "alpha", "b": "beta"], claim)
      }
      try await assertNothingIsLost(of: site.versions, name)
      try FileManager.default.removeItem(at: copy)
    }
    try Extent.record(
      "F21", "entries without a key in a few KB of gzip", count: count,
      "counted, twenty named, none held; the others fetched")
  }
}
