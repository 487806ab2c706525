import CatalogMirror
import XCTest
@testable import SyncText

/// Catalogs of publications in OPDS 1.2 and 2.0.
final class OPDSTests: XCTestCase {
  private func page(_ text: String, as format: CatalogFormatName? = nil) throws -> CatalogPage {
    let type = text.hasPrefix("{") ? "application/opds+json" : "application/atom+xml"
    return try CatalogFormats.standard.decode(
      Golden.body(text, "https://books.test/new", mediaType: type), as: format)
  }

  func testAFeedGivesWhatMayBeHadAtOnce() throws {
    let page = try page(OPDSGolden.acquisitionFeed)
    XCTAssertEqual(page.format, .opds)
    XCTAssertEqual(page.claim, .whole)
    XCTAssertEqual(page.next?.url, "https://books.test/new.xml?page=2")
    XCTAssertEqual(
      page.usable.values.flatMap(\.locators).sorted(),
      ["https://books.test/content/free/4561.epub", "https://books.test/content/free/4561.mobi"])
    let book = try XCTUnwrap(page.usable.first { $0.key.hasSuffix(".epub") }?.value)
    XCTAssertEqual(book.title, "Bob, Son of Bob")
    XCTAssertEqual(book.preview?.locator, "https://books.test/covers/4561.thmb.gif")
    XCTAssertEqual(book.modified, CivilTime.rfc3339("2026-01-10T10:01:11Z"))
    XCTAssertEqual(book.estimatedSize, 9)
  }

  func testJSONGivesTheSame() throws {
    let page = try page(OPDSGolden.publications)
    XCTAssertEqual(page.claim, .whole)
    XCTAssertEqual(page.next?.url, "https://books.test/new?page=2")
    let (key, book) = try XCTUnwrap(page.usable.first)
    XCTAssert(key.hasPrefix("isbn-978031600000X-") && key.hasSuffix(".epub"), key)
    XCTAssertEqual(book.locators, ["https://books.test/moby.epub"])
    XCTAssertEqual(book.preview?.locator, "https://books.test/cover-small.jpg")
  }

  func testAPageThatLeadsToOtherListsIsAWindow() throws {
    let navigation = """
      <entry><id>x</id><title>Popular</title><link rel="http://opds-spec.org/sort/popular" \
      href="/p.xml" type="application/atom+xml;profile=opds-catalog"/></entry></feed>
      """
    let feed = OPDSGolden.acquisitionFeed.replacing("</feed>", with: navigation)
    XCTAssertEqual(try page(feed).claim, .window)
    for list in [
      #""navigation":[{"href":"/p","title":"P","rel":"current"}],"#,
      #""groups":[{"metadata":{"title":"G"},"publications":[]}],"#,
    ] {
      let text = OPDSGolden.publications.replacing(
        "\"publications\"", with: list + "\"publications\"")
      XCTAssertEqual(try page(text).claim, .window, list)
    }
  }

  func testWhatIsNoCatalogIsAnError() throws {
    for text in [
      "{}", #"{"metadata":{"title":"T"}}"#, #"{"publications":[]}"#,
      #"{"metadata":{"title":"T"},"publications":{}}"#, "<feed/>", FeedGolden.podcast,
    ] {
      XCTAssertThrowsError(try page(text, as: .opds), text)
    }
  }
}
