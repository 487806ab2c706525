import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What formats have beside plain entries and name twice: rows of a directory, further lists, the
/// files of a repository, items of feeds.
final class RepeatedRowTests: XCTestCase {
  private func nginx(_ rows: String...) throws -> CatalogPage {
    let row = Golden.nginxHTML.split(separator: "\r\n").first { $0.contains("\"50%25\"") }
    return try Golden.page(
      Golden.nginxHTML.replacing(
        String(try XCTUnwrap(row)) + "\r\n", with: rows.map { $0 + "\r\n" }.joined()))
  }

  private func row(_ date: String, _ size: Int) -> String {
    let (gap, end) = (String(repeating: " ", count: 48), String(repeating: " ", count: 16))
    return "<a href=\"50%25\">50%</a>\(gap)\(date)\(end)\(size)"
  }

  /// A proxy that has put two states of a page together; whichever of them is old, nothing is
  /// removed for it.
  func testADirectorysRowsThatContradictMakeThePagePartial() throws {
    let row = row("20-Nov-2026 21:47", 1234)
    let once = try nginx(row)
    let twice = try nginx(row, row)
    XCTAssertEqual(twice.entries, once.entries)
    XCTAssertEqual(twice.notes.unreadLinks.count, 0)
    for other in [self.row("20-Nov-2026 21:48", 1234), self.row("20-Nov-2026 21:47", 1235)] {
      let page = try nginx(row, other)
      XCTAssertEqual(page.notes.unreadLinks.count, 1, other)
      XCTAssertEqual(page.notes.unreadLinks.example, "50%25")
    }
  }

  /// An index of sitemaps that names one of them twice was taken for a chain without an end.
  func testAListThatIsNamedTwiceIsReadOnce() throws {
    let index = SitemapGolden.index.replacing("two.xml", with: "one.xml.gz")
    let body = try Golden.body(index, "https://h/index.xml")
    var assembly = ListingAssembly(root: body.url)
    _ = assembly.begin()
    let page = try CatalogFormats.standard.decode(body)
    XCTAssertEqual(page.parts.count, 2)
    let action = assembly.fetched(
      body.url.text, page: page, digest: Golden.hash(index), isFramed: true)
    guard case .fetch(let asked) = action else { return XCTFail("\(action)") }
    XCTAssertEqual(asked.map(\.request.url), ["https://h/one.xml.gz"])
  }

  func testAProjectThatIsNamedTwiceIsOneDirectoryAndAnIndexOfItselfALoop() throws {
    for (names, expected) in [(["Frob", "frob"], 1), (["Frob", "spam"], 2)] {
      let projects = names.map { "{\"name\": \"\($0)\"}" }.joined(separator: ",")
      let text = "{\"meta\": {\"api-version\": \"1.0\"}, \"projects\": [\(projects)]}"
      let body = try Golden.body(text, "https://h/simple/")
      var assembly = ListingAssembly(root: body.url)
      _ = assembly.begin()
      let action = assembly.fetched(
        body.url.text, page: try CatalogFormats.standard.decode(body, as: .simpleIndex),
        digest: Golden.hash(text), isFramed: true)
      guard case .fetch(let asked) = action else { return XCTFail("\(action)") }
      XCTAssertEqual(asked.count, expected)
    }
    let index = SitemapGolden.index.replacing("two.xml", with: "index.xml")
    let body = try Golden.body(index, "https://h/index.xml")
    var assembly = ListingAssembly(root: body.url)
    _ = assembly.begin()
    let action = assembly.fetched(
      body.url.text, page: try CatalogFormats.standard.decode(body), digest: Golden.hash(index),
      isFramed: true)
    XCTAssertEqual(action, .fail(.pageLoop(url: "https://h/index.xml")))
  }

  private func release(_ text: String) throws -> ReleaseFile? {
    ReleaseFile(try XCTUnwrap(SignedText(Array(text.utf8)[...])))
  }

  func testARowOfAReleaseThatStandsTwiceIsOneFileAndTwoThatContradictAreNone() throws {
    let digest = Golden.digest
    let row = " \(digest) 20 main/binary-amd64/Packages\n"
    let head = "Date: Sat, 14 Nov 2026 10:00:00 UTC\nSHA256:\n"
    XCTAssertEqual(try release(head + row + row)?.files.count, 1)
    let dotted = row.replacing(" main", with: " ./main")
    XCTAssertEqual(try release(head + row + dotted)?.files.count, 1)
    for other in [
      row.replacing(" 20 ", with: " 21 "), row.replacing(digest, with: IndexGolden.digest),
    ] {
      XCTAssertNil(try release(head + row + other), other)
    }
    let (long, other) = (String(repeating: "6c", count: 64), String(repeating: "6d", count: 64))
    func longer(_ digits: String) -> String { row.replacing(digest, with: digits) }
    XCTAssertNotNil(try release(head + row + row + "SHA512:\n" + longer(long) + longer(long)))
    XCTAssertNil(try release(head + row + row + "SHA512:\n" + longer(long) + longer(other)))
  }

  private func differences(_ rows: String...) throws -> Listing {
    let text = "SHA1-Current: 1\n" + rows.joined()
    let root = try Golden.url("https://h/debian/")
    var request = CatalogRequest("https://h/debian/dists/s/main/binary-amd64/Packages.diff/Index")
    request.step =
      RepositoryPart.differences(
        in: Array("dists/s/main/binary-amd64/Packages.diff/".utf8), root: root
      ).step
    let body = CatalogBody(
      url: try Golden.url(request.url), request: request, bytes: Array(text.utf8))
    return try Golden.listing(body, as: .debian)
  }

  /// The first of two digests of one file was taken, whatever the other said.
  func testDifferencesWithTwoDigestsByOneAlgorithmAreAnError() throws {
    let row = " \(Golden.digest) 20 2026-11-14.gz\n"
    let short = " \(String(repeating: "1b", count: 20)) 20 2026-11-14.gz\n"
    let listing = try differences("SHA256-Download:\n" + row + row, "SHA1-Download:\n" + short)
    XCTAssertEqual(listing.entries.map(\.sha256?.description), [Golden.digest])
    assertThrows(
      CatalogError.duplicateKey(
        CatalogKey("dists/s/main/binary-amd64/Packages.diff/2026-11-14.gz")),
      try differences(
        "SHA256-Download:\n" + row + row.replacing(Golden.digest, with: IndexGolden.digest)))
  }

  /// Feeds list the newest first, most of them: an item that was changed counts as it is now.
  func testAnItemOfAFeedThatIsListedTwiceCountsAsItWasChangedLast() throws {
    func item(_ day: Int) -> String {
      """
      <item><guid>g</guid><title>\(day)</title><pubDate>Mon, 0\(day) Jan 2024 00:00:00 GMT\
      </pubDate><enclosure url="g.mp3" type="audio/mpeg"/></item>
      """
    }
    for days in [[1, 2], [2, 1], [2, 2], [1, 3, 2]] {
      let body = try Golden.body(FeedGolden.rss(days.map(item), head: ""), "https://h/feed.xml")
      var page = try CatalogFormats.standard.decode(body)
      page.nameItems(held: [:])
      XCTAssertEqual(page.entries.count, 1)
      XCTAssertEqual(page.usable["g.mp3"]?.title, "\(days.max() ?? 0)", "\(days)")
    }
  }
}
