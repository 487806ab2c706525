import CatalogMirror
import XCTest

/// Apache 2.4 wrote the pages, with each of these settings of mod_autoindex.
final class ApacheTests: XCTestCase {
  func testSizesAreEstimatesAndDatesAreToTheMinuteOfAnUnknownZone() throws {
    for kind in ["fancy", "fancy-wide", "fancy-xhtml", "icons-are-links", "table", "table-between"]
    {
      let page = try ServersPages.page("apache/\(kind)")
      let mid = try XCTUnwrap(page.usable["mid"])
      XCTAssertNil(mid.size, kind)
      XCTAssertEqual(mid.estimatedSize, 1_258_291, kind)
      XCTAssertEqual(page.usable["small"]?.estimatedSize, 15, kind)
      XCTAssertEqual(page.usable["huge"]?.estimatedSize, 4_947_802_324_992, kind)
      XCTAssertNil(mid.modified, kind)
      XCTAssertEqual(mid.version, .dateAndSize(date: "2031-02-03 04:05", size: nil), kind)
    }
  }

  func testWithoutDatesEachItemIsAskedFor() throws {
    for entry in try ServersPages.page("apache/plain").entries {
      guard case .entry(let entry, let isSettled) = entry else { return XCTFail("\(entry)") }
      XCTAssertEqual(entry.version, .unknown)
      XCTAssertFalse(isSettled)
    }
  }

  func testColumnsThatAreSwitchedOffAreNotMissed() throws {
    let entry = try XCTUnwrap(try ServersPages.page("apache/fewer-columns").usable["mid"])
    XCTAssertEqual(entry.version, .dateAndSize(date: "2031-02-03 04:05", size: nil))
    XCTAssertNil(entry.estimatedSize)
  }

  func testTheOldFormOfDatesIsReadToo() throws {
    let text = try ServersPages.text("apache/fancy")
      .replacing("2026-11-20 21:47", with: "20-Nov-2026 21:47")
    let entry = try XCTUnwrap(try Golden.page(text).usable["small"])
    XCTAssertEqual(entry.version, .dateAndSize(date: "20-Nov-2026 21:47", size: nil))
    XCTAssertEqual(entry.estimatedSize, 15)
  }

  func testLinksOfHeadersReadmesAndDescriptionsAreNoEntries() throws {
    let header = "<h2>Hello</h2><p>See <a href=\"mirrors\">mirrors</a></p>"
    let readme = """
      <ul><li><a href="news"> news</a> of today</li></ul><pre><a href="log">log</a> 1.2K</pre>
      <table><tr><th>Name</th></tr><tr><td><a href="row">row</a></td></tr></table>

      """
    for kind in ["plain", "fancy", "fewer-columns", "table"] {
      let text = try ServersPages.text("apache/\(kind)")
      let around = text.replacing(" <body>\n", with: " <body>\n" + header)
        .replacing("</body></html>", with: readme + "</body></html>")
      XCTAssertEqual(try Golden.page(around), try Golden.page(text), kind)
    }
  }

  func testOfTwoListsNoneIsTaken() throws {
    for (kind, tag) in [("plain", "ul"), ("fancy", "pre"), ("table", "table")] {
      let text = try ServersPages.text("apache/\(kind)")
      let start = try XCTUnwrap(text.firstRange(of: "<\(tag)>")).lowerBound
      let end = try XCTUnwrap(text.firstRange(of: "</\(tag)>")).upperBound
      let twice = text.replacing("</body>", with: text[start..<end] + "</body>")
      XCTAssertThrowsError(try Golden.page(twice), kind)
    }
  }

  func testADirectoryWithNothingInItIsAnEmptyList() throws {
    let page = try ServersPages.page("apache/below")
    XCTAssertEqual(page.entries, [])
    XCTAssertEqual(page.claim, .whole)
  }

  /// Behind another server: its path from Apache's own root made each list partial.
  func testTheParentMayBeAPathOfApachesOwn() throws {
    for (format, path) in ServersPages.whole where format == .apache {
      let text = try ServersPages.text(path)
      let behind = text.replacing("href=\"/\"", with: "href=\"/export/debian/\"")
      XCTAssertNotEqual(behind, text, path)
      XCTAssertEqual(try Golden.page(behind), try Golden.page(text), path)
      guard text.contains("[PARENTDIR]") else { continue }
      let short = behind.replacing(">Parent Directory<", with: ">Parent D..&gt;<")
      XCTAssertEqual(try Golden.page(short), try Golden.page(text), path)
    }
  }

  func testAnEmptyDirectoryBehindAnotherServerIsAnEmptyList() throws {
    let text = try ServersPages.text("apache/below")
      .replacing("<li><a href=\"deeper/\"> deeper/</a></li>\n", with: "")
    let page = try CatalogFormats.standard.decode(Golden.body(text, "https://h/mirror/sub/"))
    XCTAssertEqual(page.entries, [])
    XCTAssertEqual(page.subdirectories, [])
    XCTAssertEqual(page.claim, .whole)
  }
}
