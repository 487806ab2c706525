import Foundation
import TestSupport
import XCTest

/// F21: a page of XML takes memory for what it lists, and not for what it holds beside.
///
/// A page was read into a tree as a whole, which took thirty times its bytes where they were tags.
final class F21LargeMarkupTests: FaultTestCase {
  func testF21_whatAPageOfXMLHoldsBesideItsEntriesTakesNoMemory() async throws {
    let size = Extent.asked == .full ? 100 << 20 : 6 << 20
    let few = try peak(ofPlanning: 1 << 10)
    let many = try peak(ofPlanning: size)
    // The body, once in pieces and once as a whole.
    XCTAssertLessThan(many - few, 4 * size + 16 << 20, "\(many >> 20), \(few >> 20) MiB")
    try Extent.record(
      "F21", "a feed of many MiB of tags", count: 1,
      "\((many - few) >> 20) MiB more than for a small one, for \(size >> 20) MiB")
  }

  /// The most memory that a plan of a feed of so many bytes takes.
  private func peak(ofPlanning size: Int) throws -> Int {
    let item = "<item>" + String(repeating: "<a/>", count: 500) + "</item>\n"
    let items = String(repeating: item, count: size / item.utf8.count + 1)
    let feed = source.appending(path: "feed.xml")
    try Data("<rss version='2.0'><channel>\(items)</channel></rss>".utf8).write(to: feed)
    let child = try start(["plan", feed.absoluteString, copy.path, "--quiet"])
    let use = try ProcessUse.watch(child, within: .seconds(300))
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    return use.peakMemory
  }
}
