import Foundation
import XCTest

@testable import CatalogMirror

/// What servers of WebDAV answer, and what it means.
final class WebDAVFormatTests: XCTestCase {
  static let url = "https://h/dav/"

  /// Written by WsgiDAV 4.4.0, less some lines.
  static let wsgidav = """
    <?xml version="1.0" encoding="utf-8" ?>
    <ns0:multistatus xmlns:ns0="DAV:"><ns0:response><ns0:href>/dav/</ns0:href><ns0:propstat>\
    <ns0:prop><ns0:resourcetype><ns0:collection /></ns0:resourcetype><ns0:getlastmodified>\
    Wed, 25 Nov 2026 20:06:56 GMT</ns0:getlastmodified></ns0:prop><ns0:status>HTTP/1.1 200 OK\
    </ns0:status></ns0:propstat><ns0:propstat><ns0:prop><ns0:getcontentlength /><ns0:getetag />\
    </ns0:prop><ns0:status>HTTP/1.1 404 Not Found</ns0:status></ns0:propstat></ns0:response>\
    <ns0:response><ns0:href>/dav/a%20b%2B%C3%A9.txt</ns0:href><ns0:propstat><ns0:prop>\
    <ns0:resourcetype /><ns0:getcontentlength>3</ns0:getcontentlength><ns0:getlastmodified>\
    Wed, 18 Nov 2026 20:06:56 GMT</ns0:getlastmodified><ns0:getetag>9078731-1795637216-3\
    </ns0:getetag></ns0:prop><ns0:status>HTTP/1.1 200 OK</ns0:status></ns0:propstat>\
    </ns0:response><ns0:response><ns0:href>/dav/sub/</ns0:href><ns0:propstat><ns0:prop>\
    <ns0:resourcetype><ns0:collection /></ns0:resourcetype></ns0:prop><ns0:status>\
    HTTP/1.1 200 OK</ns0:status></ns0:propstat></ns0:response></ns0:multistatus>
    """

  /// Written by Radicale 3.9.0, less some lines.
  static let radicale = """
    <?xml version='1.0' encoding='utf-8'?>
    <multistatus xmlns="DAV:" xmlns:CR="urn:ietf:params:xml:ns:carddav"><response>\
    <href>/u/book/</href><propstat><prop><resourcetype><CR:addressbook /><collection />\
    </resourcetype><supported-report-set><supported-report><report><expand-property /></report>\
    </supported-report><supported-report><report><sync-collection /></report></supported-report>\
    </supported-report-set><sync-token>http://radicale.org/ns/sync/47b0</sync-token></prop>\
    <status>HTTP/1.1 200 OK</status></propstat></response><response><href>/u/book/b.vcf</href>\
    <propstat><prop><resourcetype /><getcontentlength>59</getcontentlength><getlastmodified>\
    Wed, 25 Nov 2026 20:07:01 GMT</getlastmodified><getetag>"9ce0"</getetag></prop>\
    <status>HTTP/1.1 200 OK</status></propstat><propstat><prop><sync-token /></prop>\
    <status>HTTP/1.1 404 Not Found</status></propstat></response></multistatus>
    """

  private func page(_ text: String, _ url: String = url) throws -> CatalogPage {
    try Golden.page(text, at: url, as: .webdav)
  }

  private func answer(_ responses: String...) -> String {
    "<multistatus xmlns='DAV:'>" + responses.joined() + "</multistatus>"
  }

  private func response(
    _ href: String, _ properties: String, _ status: String = "HTTP/1.1 200 OK"
  ) -> String {
    """
    <response><href>\(href)</href><propstat><prop>\(properties)</prop><status>\(status)</status>\
    </propstat></response>
    """
  }

  private let itself = """
    <response><href>/dav</href><propstat><prop><resourcetype><collection/></resourcetype></prop>\
    <status>HTTP/1.1 200 OK</status></propstat></response>
    """
  private let file = "<resourcetype/><getcontentlength>1</getcontentlength>"

  func testMembersAreListedAndCollectionsAskedForInTurn() throws {
    let page = try page(Self.wsgidav)
    let entry = try XCTUnwrap(page.usable["a b+é.txt"])
    XCTAssertEqual(page.entries.count, 1)
    XCTAssertEqual(entry.locators, ["https://h/dav/a%20b%2B%C3%A9.txt"])
    XCTAssertEqual(entry.version, .strongETag("9078731-1795637216-3"))
    XCTAssertEqual(entry.size, 3)
    let below = try XCTUnwrap(page.subdirectories.first)
    XCTAssertEqual(page.subdirectories.count, 1)
    XCTAssertEqual(below.name, Array("sub".utf8))
    XCTAssertEqual(below.request.url, "https://h/dav/sub/")
    XCTAssertEqual(below.request.method, .propfind)
    XCTAssertEqual(below.request.fields.first, .init("Depth", "1"))
    XCTAssertNil(page.checkpoint)
  }

  func testOfAnAddressOnlyThePathCounts() throws {
    let text = answer(
      itself, response("http://inside:8080/dav/x%20y", file), response("/dav/a b&lt;é", file))
    let page = try page(text)
    XCTAssertEqual(page.usable["x y"]?.locators, ["https://h/dav/x%20y"])
    XCTAssertEqual(page.usable["a b<é"]?.locators, ["https://h/dav/a%20b%3C%C3%A9"])
  }

  func testAPropertyWithoutAValueIsAbsent() throws {
    let more = "<propstat><prop><getetag>\"x\"</getetag></prop><status>HTTP/1.1 404 N</status>"
    let text = answer(
      itself,
      response("/dav/a", file).replacing("</response>", with: more + "</propstat></response>"))
    XCTAssertEqual(try page(text).usable["a"]?.version, .unknown)
  }

  func testTheVersionIsTheTagElseDateAndSize() throws {
    let date = "<getlastmodified>Wed, 18 Nov 2026 20:06:56 GMT</getlastmodified>"
    for (properties, version) in [
      ("<getetag>\"x\"</getetag>" + date, ItemVersion.strongETag("\"x\"")),
      ("<getetag>W/\"x\"</getetag>" + date, .weakETag("W/\"x\"")),
      (date, .dateAndSize(date: "Wed, 18 Nov 2026 20:06:56 GMT", size: 1)),
    ] {
      let page = try page(answer(itself, response("/dav/a", file + properties)))
      XCTAssertEqual(page.usable["a"]?.version, version)
    }
  }

  /// A server that makes its tags of dates to the second gives a file that is rewritten within that
  /// second the same tag.
  func testADateAsYoungAsTheListingSettlesNothing() throws {
    let young = CivilDate.text(Golden.listedAt - 1)
    let old = CivilDate.text(Golden.listedAt - 2)
    for (date, isSettled) in [(young, false), (old, true)] {
      let properties = "<getetag>\"x\"</getetag><getlastmodified>\(date)</getlastmodified>"
      let page = try page(answer(itself, response("/dav/a", file + properties)))
      guard case .entry(_, let settled)? = page.entries.first else { return XCTFail() }
      XCTAssertEqual(settled, isSettled, date)
    }
  }

  func testWhatIsNotThisCollectionsAnswerIsAnError() throws {
    let good = response("/dav/a", file)
    for text in [
      answer(good), answer(response("/dav/", file), good),
      answer(itself, response("/other/a", file)),
      answer(itself, response("/dav/a/b", file)), answer(itself, response("/dav/a%2Fb", file)),
      answer(itself, response("/dav/a?b", file)), answer(itself, response("", file)), "<html/>",
      answer(itself, good).replacing("DAV:", with: "other"),
    ] {
      XCTAssertThrowsError(try page(text), text)
    }
    XCTAssertNoThrow(try page(answer(itself, good)))
  }

  /// What was named there was listed as the collection's own, by the end of its path.
  func testAMemberThatLiesInAnotherCollectionIsAnError() throws {
    for href in ["/abc/x", "/dav2/x", "http://h/abc/x", "/da/xy", "/DAV/x"] {
      XCTAssertThrowsError(try page(answer(itself, response(href, file))), href)
    }
    let report = Self.report.replacing("/u/book/a.vcf", with: "/u/cook/a.vcf")
    XCTAssertThrowsError(try changes(report), "it would be taken for gone")
  }

  func testAMembersAddressMayBeWrittenInAnyWay() throws {
    let hrefs = [
      "/dav/100%": "100%", "/dav/a#part": "a", "b": "b", "./c": "c", "https://h/dav/d": "d",
      "/%64av/e": "e", "/dav/%zz": "%zz",
    ]
    let page = try page(
      "<multistatus xmlns='DAV:'>" + itself
        + hrefs.keys.sorted().map { response($0, file) }.joined() + "</multistatus>")
    XCTAssertEqual(Set(page.usable.keys), Set(hrefs.values))
    XCTAssertEqual(page.usable["100%"]?.locators, ["https://h/dav/100%25"])
  }

  func testAMemberThatIsNamedTwiceAlikeIsOne() throws {
    let below = response("/dav/s/", "<resourcetype><collection/></resourcetype>")
    let text = answer(itself, response("/dav/a", file), below, response("/dav/a", file), below)
    XCTAssertEqual(try page(text).subdirectories.count, 1)
    let listing = try Golden.listing(
      Golden.body(text.replacing(below, with: ""), Self.url), as: .webdav)
    XCTAssertEqual(listing.entries.map(\.key), [CatalogKey("a")])
  }

  func testACollectionWhoseNameIsNotUTF8IsOneFailedItem() throws {
    let below = response("/dav/%FF/", "<resourcetype><collection/></resourcetype>")
    let page = try page(answer(itself, below))
    XCTAssertEqual(page.subdirectories, [])
    XCTAssertEqual(page.unusable.map(\.problem), [.key(.notUTF8)])
  }

  /// A server that doesn't give all members answers 207 all the same, and says 507 of the
  /// collection, beside its properties or without them.
  func testAListOfMembersThatWasCutIsAnError() throws {
    let cut = "<response><href>/dav/</href><status>HTTP/1.1 507 I</status></response>"
    for text in [answer(cut, itself), answer(itself, cut)] {
      XCTAssertThrowsError(try page(text), text)
    }
  }

  func testAMemberOfWhichNothingIsSaidCountsAsPresent() throws {
    let text = answer(
      itself, response("/dav/a", file, "HTTP/1.1 403 Forbidden"),
      "<response><href>/dav/b</href><status>HTTP/1.1 403 Forbidden</status></response>")
    XCTAssertEqual(try page(text).unusable.map(\.key), [CatalogKey("a"), CatalogKey("b")])
  }

  /// The XML library has limits of its own, for documents that it reads piece by piece.
  func testAnAnswerOfManyMegabytesIsReadWhole() throws {
    let comment = "<!--" + String(repeating: "x", count: 1_000_000) + "-->"
    let members = (0..<2_000).map { response("/dav/\($0)", file) }
    let text = answer(itself, String(repeating: comment, count: 20), members.joined())
    XCTAssertEqual(try page(text).entries.count, 2_000)
  }

  // MARK: - Changes

  private func changes(_ text: String) throws -> CatalogPage {
    let url = try Golden.url("https://h/u/book/")
    let request = try XCTUnwrap(WebDAVFormat().firstRequest(to: url, since: "t<1"))
    XCTAssertEqual(request.method, .report)
    XCTAssert(request.body?.contains("<sync-token>t&lt;1</sync-token>") ?? false)
    let body = CatalogBody(
      url: url, request: request, date: Golden.listedAt, bytes: Array(text.utf8))
    return try CatalogFormats.standard.decode(body, as: .webdav)
  }

  /// Written by Radicale 3.9.0.
  private static let report = """
    <?xml version='1.0' encoding='utf-8'?>
    <multistatus xmlns="DAV:"><sync-token>http://radicale.org/ns/sync/29d9</sync-token><response>\
    <href>/u/book/a.vcf</href><status>HTTP/1.1 404 Not Found</status></response><response>\
    <href>/u/book/c.vcf</href><propstat><prop><getetag>"ba51"</getetag></prop>\
    <status>HTTP/1.1 200 OK</status></propstat><propstat><prop><resourcetype />\
    <getcontentlength /><getlastmodified /></prop><status>HTTP/1.1 404 Not Found</status>\
    </propstat></response></multistatus>
    """

  func testAFlatCollectionThatTellsChangesLeavesItsToken() throws {
    let flat = try page(Self.radicale, "https://h/u/book/")
    XCTAssertEqual(flat.checkpoint, "http://radicale.org/ns/sync/47b0")
    let deep = Self.radicale.replacing(
      "</multistatus>",
      with: response("/u/book/sub/", "<resourcetype><collection/></resourcetype>")
        + "</multistatus>")
    XCTAssertNil(try page(deep, "https://h/u/book/").checkpoint, "a report covers one level")
  }

  func testAReportSaysWhatChangedAndWhatIsGone() throws {
    let page = try changes(Self.report)
    XCTAssertEqual(page.claim, .changes)
    XCTAssertEqual(page.removed, [CatalogKey("a.vcf")])
    XCTAssertEqual(page.usable["c.vcf"]?.version, .strongETag("\"ba51\""))
    XCTAssertEqual(page.checkpoint, "http://radicale.org/ns/sync/29d9")
    XCTAssertNil(page.next)
  }

  func testATruncatedReportGoesOnWithItsToken() throws {
    let more = "<response><href>/u/book/</href><status>HTTP/1.1 507 I</status></response>"
    let page = try changes(Self.report.replacing("</multistatus>", with: more + "</multistatus>"))
    XCTAssert(page.next?.body?.contains("/sync/29d9</sync-token>") ?? false)
    XCTAssertEqual(page.next?.method, .report)
  }

  func testAReportThatLeavesSomethingOpenIsAnError() throws {
    for (old, new) in [
      ("<sync-token>http://radicale.org/ns/sync/29d9</sync-token>", ""),
      ("404 Not Found</status></response>", "403 F</status></response>"),
      ("a.vcf</href><status>HTTP/1.1 404", "</href><status>HTTP/1.1 403"), ("c.vcf", "c/"),
      ("<getetag>\"ba51\"</getetag>", ""),
      ("<getetag>", "<resourcetype><collection/></resourcetype><getetag>"), ("/u/book/c", "/u/c"),
    ] {
      let text = Self.report.replacing(old, with: new)
      XCTAssertNotEqual(text, Self.report)
      XCTAssertThrowsError(try changes(text), old)
    }
  }
}

/// Dates as HTTP writes them.
private enum CivilDate {
  static func text(_ seconds: Double) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "UTC")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: Date(timeIntervalSince1970: seconds))
  }
}
