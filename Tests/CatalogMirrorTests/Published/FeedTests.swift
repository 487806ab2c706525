import CatalogMirror
import TestSupport
import XCTest
@testable import SyncText

/// What RSS and Atom say of their items.
final class FeedTests: XCTestCase {
  private func page(_ text: String, as format: CatalogFormatName? = nil) throws -> CatalogPage {
    try CatalogFormats.standard.decode(Golden.body(text, "https://talks.test/feed"), as: format)
  }

  func testAPodcastGivesItsEnclosures() throws {
    let page = try page(FeedGolden.podcast)
    XCTAssertEqual(page.format, .rss)
    XCTAssertEqual(page.claim, .changes)
    XCTAssertEqual(page.header.title, "Talks & Walks")
    XCTAssertEqual(page.entries.count, 4)
    let first = try XCTUnwrap(page.usable["ep-2.mp3"])
    XCTAssertEqual(first.locators, ["https://cdn.test/r/2.mp3?token=a&b=c"])
    XCTAssertEqual(first.title, "Two <b>files</b>")
    XCTAssertEqual(first.modified, CivilTime.rfc3339("2026-03-03T06:05:00Z"))
    XCTAssertEqual(first.preview?.locator, "https://talks.test/art/2.jpg")
    XCTAssertEqual(page.usable["ep-2.2.mp3"]?.locators, ["https://cdn.test/r/2-high.mp3"])
    XCTAssertEqual(page.usable["ep-2.pdf"]?.locators, ["https://talks.test/2.pdf"])
  }

  func testALengthIsOnlyAnEstimate() throws {
    // Feeds are wrong of it so often that a check would refuse good files.
    let page = try page(FeedGolden.podcast)
    XCTAssertEqual(page.usable["ep-2.mp3"]?.estimatedSize, 1_234)
    XCTAssertNil(page.usable["ep-2.mp3"]?.size)
    XCTAssertNil(page.usable["ep-2.2.mp3"]?.estimatedSize)
    XCTAssertNil(page.usable["ep-2.pdf"]?.estimatedSize)
  }

  func testOfAGroupOfFormsTheDefaultIsTaken() throws {
    let video = try page(FeedGolden.podcast).usable.first { $0.key.hasSuffix(".mp4") }
    XCTAssertEqual(video?.value.locators, ["https://cdn.test/high.mp4"])
    XCTAssertEqual(video?.value.preview?.locator, "https://cdn.test/1.png")
    XCTAssertEqual(video?.key.hasPrefix("talks.test-p-1-"), true, video?.key ?? "none")
  }

  func testAnAtomFeedGivesItsEnclosuresAndWhatIsDeleted() throws {
    let page = try page(FeedGolden.atomFeed)
    XCTAssertEqual(page.format, .atom)
    XCTAssertEqual(page.claim, .changes)
    XCTAssertEqual(page.next?.url, "https://talks.test/feed?page=2")
    let entry = try XCTUnwrap(page.usable.values.first)
    XCTAssertEqual(entry.locators, ["https://cast.test/media/one.ogg"])
    XCTAssert("\(entry.key)".hasPrefix("uuid-1225c695"), "\(entry.key)")
    XCTAssert("\(entry.key)".hasSuffix(".ogg"), "\(entry.key)")
    let name = ItemNameProbe.name(of: "tag:cast.test,2026:two")
    XCTAssert(page.removed.contains(CatalogKey(name + ".mp3")))
    XCTAssert(page.removed.contains(CatalogKey(name + ".2.ogg")))
    XCTAssert(page.removed.contains(CatalogKey(name)))
  }

  func testWhatHasNoFileIsCountedAndTold() throws {
    let text = FeedGolden.rss([
      FeedGolden.item("a"), "<item><guid>b</guid></item>", "<item><title>c</title></item>",
    ])
    let page = try page(text)
    XCTAssertEqual(page.entries.count, 1)
    XCTAssertEqual(page.notes.fileless, 2)
    let listing = try Golden.listing(Golden.body(text, "https://talks.test/feed"))
    XCTAssertEqual(listing.notes.remarks, [.fileless(count: 2)])
    XCTAssertEqual(
      "\(ListingRemark.fileless(count: 2))", "2 items of the listing have no file to mirror")
  }

  /// The tenth and all after it were dropped without a word.
  func testAnItemMayHaveManyFiles() throws {
    let files = (1...12).map { #"<enclosure url="\#($0).mp3" type="audio/mpeg"/>"# }.joined()
    let page = try page(FeedGolden.rss(["<item><guid>a</guid>\(files)</item>"]))
    XCTAssertEqual(page.entries.count, 12)
    XCTAssertEqual(page.usable["a.12.mp3"]?.locators, ["https://talks.test/12.mp3"])
  }

  func testAnItemWithoutAnIdentifierIsNamedByItsAddress() throws {
    for guid in ["", "<guid> </guid>"] {
      let page = try page(FeedGolden.rss(["<item>\(guid)<enclosure url=\"a.mp3\"/></item>"]))
      XCTAssertEqual(page.keyless.count, 0)
      let name = ItemNameProbe.name(of: "https://talks.test/a.mp3") + ".mp3"
      XCTAssertEqual(page.usable[name]?.locators, ["https://talks.test/a.mp3"])
    }
  }

  func testWhatAFeedSaysOfItselfDecidesWhetherItIsWhole() throws {
    let table: [(String, CompletenessClaim, String?)] = [
      ("", .changes, nil), ("<fh:complete/>", .whole, nil), ("<fh:archive/>", .whole, nil),
      (#"<atom:link rel="prev-archive" href="a/1"/>"#, .whole, "https://talks.test/a/1"),
      (#"<atom:link rel="next" href="?p=2"/>"#, .changes, "https://talks.test/feed?p=2"),
      (
        #"<atom:link rel="next" href="n"/><fh:archive/><atom:link rel="prev-archive" href="a"/>"#,
        .whole, "https://talks.test/a"
      ),
    ]
    for (head, claim, next) in table {
      let page = try page(FeedGolden.rss([FeedGolden.item("a")], head: head))
      XCTAssertEqual(page.claim, claim, head)
      XCTAssertEqual(page.next?.url, next, head)
    }
  }

  func testBrokenXMLAndDeclarationsAreErrors() throws {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>
      \(FeedGolden.rss([FeedGolden.item("a")]))
      """
    // What the document type declares elsewhere was left out without a word.
    let entity =
      #"<!DOCTYPE rss SYSTEM "rss.dtd">"# + FeedGolden.rss([FeedGolden.item("caf&eacute;")])
    let table: [(String, CatalogError.Finding)] = [
      (bomb, .declarations),
      (bomb.replacing("[<!ENTITY", with: "SYSTEM 'file:///etc/passwd' [<!ENTITY"), .declarations),
      (FeedGolden.podcast.replacing("&amp;", with: "&"), .brokenXML),
      (FeedGolden.podcast.replacing("</channel>", with: ""), .brokenXML),
      (FeedGolden.podcast.replacing("&amp; Walks", with: "&eacute;"), .unknownEntity),
      (entity, .unknownEntity), (entity.replacing("&amp;", with: "&hellip;"), .unknownEntity),
      (FeedGolden.podcast + "<x/>", .brokenXML),
      ("<?xml version='1.0'?><rss version='2.0'/>", .xml),
      ("<html><body>Moved</body></html>", .html), ("{}", .json),
    ]
    for (text, found) in table {
      assertThrows(
        CatalogError.unreadable(
          url: "https://talks.test/feed", expected: .format("rss"), found: found),
        try page(text, as: .rss), text)
    }
  }

  func testADocumentIsInUTF8OrLatin1() throws {
    let item = FeedGolden.rss([FeedGolden.item("a")]).replacing("<title>T", with: "<title>\u{E9}")
    let latin = #"<?xml version="1.0" encoding="iso-8859-1"?>"# + item
    let bytes = latin.unicodeScalars.map { UInt8($0.value) }
    let page = try CatalogFormats.standard.decode(Golden.body(bytes), as: .rss)
    XCTAssertEqual(page.header.title, "\u{E9}")
    for encoding in ["utf-8", "utf-7", "utf-16", "ebcdic-us", "nonsense"] {
      let other = latin.replacing("iso-8859-1", with: encoding).unicodeScalars.map {
        UInt8($0.value)
      }
      XCTAssertThrowsError(
        try CatalogFormats.standard.decode(Golden.body(other), as: .rss), encoding)
    }
  }

  func testOldDeclarationsWithoutAnythingInThemAreNoMatter() throws {
    let text = """
      <?xml version="1.0" encoding="ISO-8859-1"?>
      <!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://rss.test/rss-0.91.dtd">
      \(FeedGolden.rss([FeedGolden.item("a")]))
      """
    XCTAssertEqual(try page(text).entries.count, 1)
  }

  func testDatesOfMailAreRead() {
    let table: [(String, String?)] = [
      ("Mon, 02 Mar 2026 07:05:00 +0100", "2026-03-02T06:05:00Z"),
      ("2 Mar 2026 07:05 GMT", "2026-03-02T07:05:00Z"),
      ("Mon, 2 March 26 7:05:00 EST", "2026-03-02T12:05:00Z"),
      ("Monday, 02 Mar 2026 07:05:00 -07:30", "2026-03-02T14:35:00Z"),
      ("02 Mar 70 00:00:00 Z", "1970-03-02T00:00:00Z"), ("Mon, 02 Mar 2026", nil),
      ("Mon, 02 Mar 2026 07:05:00", nil), ("Mon, 32 Mar 2026 07:05:00 GMT", nil),
      ("Mo, 02 Mar 2026 07:05:00 GMT", nil), ("Mon, 02 Mar 2026 07:05:00 CEST", nil), ("", nil),
      ("Mon, 02 Mar 2026 07:05:00 GMT+1", nil), ("Mon, 02 Mar 226 07:05:00 GMT", nil),
    ]
    for (text, date) in table {
      XCTAssertEqual(CivilTime.mail(text), date.flatMap(CivilTime.rfc3339), text)
    }
  }
}
