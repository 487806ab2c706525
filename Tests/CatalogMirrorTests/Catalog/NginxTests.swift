import CatalogMirror
import XCTest
@testable import SyncText
@testable import SyncFolder

/// nginx 1.22.1 wrote the golden pages; what the tests claim of it was seen there.
final class NginxTests: XCTestCase {
  func testNamesOfTheHTMLListingAreDecodedOnceAndURLsAreKept() throws {
    let page = try Golden.page(Golden.nginxHTML)
    XCTAssertEqual(page.format, .nginxHTML)
    let names: [String] = [
      "&amp;lit", "50%", "<lt>", String(repeating: "L", count: 56), "co:lon", "huge", "mid",
      "new\nline", "utf-é€", "what?",
    ]
    XCTAssertEqual(page.entries.compactMap(\.key), names.map { CatalogKey($0) })
    XCTAssertEqual(page.usable["&amp;lit"]?.locators, ["https://h/data/%26amp%3Blit"])
    XCTAssertEqual(page.usable["co:lon"]?.locators, ["https://h/data/co%3Alon"])
    XCTAssertEqual(
      page.subdirectories,
      [.init(url: "https://h/data/dir%20space/", name: Array("dir space".utf8))])
    let huge = try XCTUnwrap(page.usable["huge"])
    XCTAssertEqual(huge.size, 5_000_000_000_000)
    XCTAssertNil(huge.modified, "nginx may write local times")
    XCTAssertEqual(huge.version, .dateAndSize(date: "20-Nov-2026 21:47", size: huge.size))
  }

  func testRoundedSizesAreEstimates() throws {
    let row = "<a href=\"m\">m</a>      03-Feb-2031 04:05      1M\r\n</pre>"
    let page = try Golden.page(Golden.nginxHTML.replacing("</pre>", with: row))
    let entry = try XCTUnwrap(page.usable["m"])
    XCTAssertNil(entry.size)
    XCTAssertEqual(entry.estimatedSize, 1 << 20)
    XCTAssertEqual(entry.version, .dateAndSize(date: "03-Feb-2031 04:05", size: nil))
  }

  func testLinksToThePageAboveItAndToOtherHostsListNothing() throws {
    let hrefs = [
      "?C=M;O=A", "/", "/data", "http://evil/x", "//evil/x", "..", "%2e%2e/", "./", "../?x=1", "#x",
    ]
    let rows = hrefs.map { href in
      "<a href=\"\(href)\">x</a>  03-Feb-2031 04:05  \(href.hasSuffix("/") ? "-" : "1")\r\n"
    }
    let text = Golden.nginxHTML.replacing("</pre>", with: rows.joined() + "</pre>")
    let page = try Golden.page(text)
    XCTAssertEqual(page, try Golden.page(Golden.nginxHTML))
  }

  /// Directories of such a name were passed over like the file, and what was held below them
  /// removed.
  func testOfWhatAPublisherKeepsOnlyFilesArePassedOver() throws {
    let rows = [".a.mirror-state", ".b.mirror-state/", ".mirror-state"].map { name in
      "<a href=\"\(name)\">x</a>  03-Feb-2031 04:05  \(name.hasSuffix("/") ? "-" : "1")\r\n"
    }
    let text = Golden.nginxHTML.replacing("</pre>", with: rows.joined() + "</pre>")
    let page = try Golden.page(text)
    XCTAssertEqual(page.subdirectories.last?.name, Array(".b.mirror-state".utf8))
    XCTAssertNotNil(page.usable[".mirror-state"])
    XCTAssertNil(page.usable[".a.mirror-state"])
    XCTAssertEqual(page.notes.states, 1)
    let remark = ListingRemark.states(count: 1)
    XCTAssertEqual(try assembled(page).notes.remarks, [remark])
    XCTAssertEqual(
      "\(remark)",
      "a file in which 'mirror publish' remembers what it published was passed over")
  }

  func testAColonThatIsNotEscapedStaysAName() throws {
    let row = "<a href=\"http:x\">x</a>  03-Feb-2031 04:05  1\r\n</pre>"
    let page = try Golden.page(Golden.nginxHTML.replacing("</pre>", with: row))
    XCTAssertEqual(page.usable["http:x"]?.locators, ["https://h/data/http:x"])
  }

  func testAnHTMLPageWithoutNginxsSignatureIsNoListing() throws {
    let forgeries = [
      ("<h1>Index of /data/</h1>", "<h1>Index of /</h1>"), ("<title>Index of", "<title>List of"),
      ("<a href=\"../\">../</a>", "<a href=\"/x/\">../</a>"), ("<a href=\"../\">../</a>", ""),
      ("</pre>", "<b>x</b></pre>"), ("</pre>", "some text</pre>"), ("1234\r\n", "lots\r\n"),
      ("20-Nov-2026 21:47", "yesterday"), ("<hr><pre>", "<form></form><hr><pre>"),
      ("</html>", ""), ("</html>", "</head>"),
    ]
    for (part, other) in forgeries {
      XCTAssertThrowsError(
        try Golden.page(Golden.nginxHTML.replacing(part, with: other)), other)
    }
    let refused = "<html>\r\n<head><title>403 Forbidden</title></head>\r\n</html>\r\n"
    XCTAssertThrowsError(try Golden.page(refused))
    XCTAssertThrowsError(try Golden.page(refused, as: .nginxHTML))
  }

  func testTextBeforeAndAfterThePageIsNoneOfIt() throws {
    let around = "<h2><a href=\"x\">x</a></h2>" + Golden.nginxHTML + "<a href=\"y\">y</a>\r\n"
    XCTAssertEqual(try Golden.page(around), try Golden.page(Golden.nginxHTML))
    XCTAssertThrowsError(try Golden.page(Golden.nginxHTML + Golden.nginxHTML), "which one?")
  }

  func testWhatStandsBareInALinkIsPercentEncoded() throws {
    // Found by fuzzing: such a locator was listed, and failed only when it was asked for.
    let page = try Golden.page(
      Golden.nginxHTML.replacing("href=\"mid\"", with: "href=\"m d\"")
        .replacing("href=\"huge\"", with: "href=\"h\u{FC}ge\""))
    XCTAssertEqual(page.usable["m d"]?.locators, ["https://h/data/m%20d"])
    XCTAssertEqual(page.usable["h\u{FC}ge"]?.locators, ["https://h/data/h%C3%BCge"])
    for entry in page.usable.values {
      XCTAssertEqual(entry.locators.map { URLReference($0)?.text }, entry.locators)
    }
  }

  func testAShownNameThatIsCutInsideACharacterHarmsNothing() throws {
    var bytes = Array(Golden.nginxHTML.utf8)
    let place = try XCTUnwrap(bytes.firstIndex(of: 0xC3))
    bytes.remove(at: place)
    let page = try CatalogFormats.standard.decode(Golden.body(bytes))
    XCTAssertEqual(page.entries, try Golden.page(Golden.nginxHTML).entries)
  }

  func testTheJSONListingGivesNamesTypesAndDatesInUTC() throws {
    let page = try Golden.page(Golden.nginxJSON)
    XCTAssertEqual(page.format, .nginxJSON)
    XCTAssertEqual(page.subdirectories.map(\.request.url), ["https://h/data/dir%20space/"])
    XCTAssertEqual(page.usable["co:lon?#"]?.locators, ["https://h/data/co%3Alon%3F%23"])
    XCTAssertEqual(page.usable["mid"]?.modified, 1_927_857_906)
    XCTAssertEqual(page.usable["mid"]?.size, 1_234_567)
    XCTAssertEqual(page.unusable.map(\.key), [CatalogKey("dangling")])
    XCTAssertEqual(page.unusable.map(\.problem), [.notAFile])
  }

  func testANameThatIsNotUTF8IsOneFailedItem() throws {
    let bytes = Array(Golden.nginxJSON.replacing("co:lon?#", with: "bad@@").utf8)
      .map { $0 == UInt8(ascii: "@") ? 0xFF : $0 }
    let page = try CatalogFormats.standard.decode(Golden.body(bytes))
    let key = CatalogKey(bytes: Array("bad".utf8) + [0xFF, 0xFF])
    XCTAssertTrue(page.entries.contains { $0.key == key })
    let listing = try assembled(page)
    XCTAssertEqual(
      listing.unusable.first { $0.key == key }?.problem, .key(.notUTF8))
    XCTAssertEqual(listing.entries.map(\.key), [CatalogKey("mid")])
    XCTAssertEqual(listing.completeness, .complete)
  }

  func testAnEmptyJSONDirectoryIsOneOnlyWhereTheFormatIsKnown() throws {
    XCTAssertEqual(try Golden.page("[\r\n\r\n]", as: .nginxJSON).claim, .whole)
    XCTAssertThrowsError(try Golden.page("[{\"key\":\"a\"}]", as: .nginxJSON))
    XCTAssertThrowsError(try Golden.page("{}", as: .nginxJSON))
  }

  func testADateWithinOneUnitOfTheListingsOwnIsNotSettled() throws {
    let second = try XCTUnwrap(ListingDate(nginxJSON: "Fri, 20 Nov 2026 21:47:24 GMT"))
    let at = 1_795_211_244.0
    for (offset, settled) in [(0.0, false), (1, false), (2, true), (-1, false), (-2, true)] {
      XCTAssertEqual(second.isSettled(listedAt: at + offset), settled, "\(offset)")
    }
    XCTAssertFalse(second.isSettled(listedAt: nil))
    let minute = try XCTUnwrap(ListingDate(nginxHTML: "20-Nov-2026 21:47"))
    let start = 1_795_211_220.0
    let cases: [(Double, Bool)] = [
      (0, false), (60, false), (61, true), (3_600, false), (-2 * 3_600 + 30, false),
      (5.5 * 3_600, false), (450, true), (13 * 3_600, true), (-15 * 3_600, true),
      (86_400, true),
    ]
    for (offset, settled) in cases {
      XCTAssertEqual(minute.isSettled(listedAt: start + offset), settled, "\(offset)")
    }
  }

  private func assembled(_ page: CatalogPage) throws -> Listing {
    var page = page
    page.subdirectories = []
    var assembly = ListingAssembly(root: try Golden.url("https://h/data/"))
    _ = assembly.begin()
    let action = assembly.fetched(
      "https://h/data/", page: page, digest: Golden.hash(""), isFramed: true)
    guard case .finish(let listing) = action else { throw Golden.Unfinished(requests: []) }
    return listing
  }
}
