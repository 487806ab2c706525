import Foundation
import TestSupport
import XCTest

/// F21: a page of XML or HTML takes memory for what it lists, and little for what it holds beside.
///
/// A page was read into a tree as a whole, which took thirty times its bytes where they were tags.
final class F21LargeMarkupTests: FaultTestCase {
  func testF21_whatAPageOfXMLHoldsBesideItsEntriesTakesNoMemory() async throws {
    let size = Extent.asked == .full ? 100 << 20 : 6 << 20
    let item = "<item>" + String(repeating: "<a/>", count: 500) + "</item>\n"
    // The body, once in pieces and once as a whole.
    let more = try assertPeak(
      of: size, atMost: 4, name: "feed.xml", "<rss version='2.0'><channel>", item,
      "</channel></rss>")
    try Extent.record(
      "F21", "a feed of many MiB of tags", count: 1,
      "\(more >> 20) MiB more than for a small one, for \(size >> 20) MiB")
  }

  /// libxml2's own tree took sixty times the bytes of such a page, and one of our own twelve times.
  func testF21_whatAPageInHTMLHoldsBesideItsLinksTakesLittleMemory() async throws {
    let size = Extent.asked == .full ? 30 << 20 : 3 << 20
    let tags = String(repeating: "<p>", count: 500)
    // The body, once in pieces and once as a whole, and what libxml2 keeps of it while it reads.
    let more = try assertPeak(
      of: size, atMost: 5, name: "page.html", "<html><body>", tags,
      "<a href='x'>x</a></body></html>", arguments: ["--format", "listing", "--complete"])
    try Extent.record(
      "F21", "a page of many MiB of tags", count: 1,
      "\(more >> 20) MiB more than for a small one, for \(size >> 20) MiB")
  }

  /// Compares the memory that a plan takes of a large document with that of a small one. Answers how
  /// much more it is.
  private func assertPeak(
    of size: Int, atMost times: Int, name: String, _ start: String, _ piece: String,
    _ end: String, arguments: [String] = []
  ) throws -> Int {
    let peaks = try [1 << 10, size].map { size in
      let pieces = String(repeating: piece, count: size / piece.utf8.count + 1)
      try Data((start + pieces + end).utf8).write(to: source.appending(path: name))
      return try peak(ofPlanning: source.appending(path: name), arguments)
    }
    let more = peaks[1] - peaks[0]
    XCTAssertLessThan(more, times * size + 16 << 20, "\(peaks.map { $0 >> 20 }) MiB")
    return more
  }

  /// The most memory that a plan takes.
  private func peak(ofPlanning catalog: URL, _ arguments: [String]) throws -> Int {
    let child = try start(["plan", catalog.absoluteString, copy.path, "--quiet"] + arguments)
    let use = try ProcessUse.watch(child, within: .seconds(300))
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    return use.peakMemory
  }
}
