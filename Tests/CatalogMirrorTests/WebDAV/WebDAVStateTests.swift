import XCTest

@testable import CatalogMirror

/// What a publisher remembers beside a catalog, in the answers of WebDAV.
final class WebDAVStateTests: XCTestCase {
  private func response(
    _ href: String, _ properties: String, _ status: String = "HTTP/1.1 200 OK"
  ) -> String {
    """
    <response><href>/dav/\(href)</href><propstat><prop>\(properties)</prop>\
    <status>\(status)</status></propstat></response>
    """
  }

  private let gone = "<status>HTTP/1.1 404 Not Found</status>"
  private let collection = "<resourcetype><collection/></resourcetype>"
  private let file = "<resourcetype/><getcontentlength>1</getcontentlength>"

  private func page(_ responses: String..., changes: Bool = false) throws -> CatalogPage {
    let url = try Golden.url("https://h/dav/")
    let format = WebDAVFormat()
    let request = changes ? format.firstRequest(to: url, since: "t") : format.firstRequest(to: url)
    let token = changes ? "<sync-token>u</sync-token>" : response("", collection)
    let text = "<multistatus xmlns='DAV:'>\(token)\(responses.joined())</multistatus>"
    let body = CatalogBody(
      url: url, request: try XCTUnwrap(request), date: Golden.listedAt, bytes: Array(text.utf8))
    return try CatalogFormats.standard.decode(body, as: .webdav)
  }

  /// Collections of such a name were passed over like the file, and what was held below removed.
  func testOnlyWhatIsKnownToBeAFileIsPassedOver() throws {
    let page = try page(
      response(".a.mirror-state", file), response(".b.mirror-state/", collection),
      response(".c.mirror-state", file, "HTTP/1.1 403 Forbidden"))
    XCTAssertEqual(page.notes.states, 1)
    XCTAssertEqual(page.subdirectories.map(\.name), [Array(".b.mirror-state".utf8)])
    XCTAssertEqual(page.unusable.map(\.key), [CatalogKey(".c.mirror-state")])
    XCTAssertEqual(page.entries.count, 1)
  }

  func testAReportSaysThatItIsGoneAndNotThatItChanged() throws {
    let page = try page(
      response(".a.mirror-state", "<getetag>\"x\"</getetag>"),
      "<response><href>/dav/.b.mirror-state</href>\(gone)</response>", changes: true)
    XCTAssertEqual(page.removed, [CatalogKey(".b.mirror-state")])
    XCTAssertEqual(page.notes.states, 1)
    XCTAssertEqual(page.entries, [])
  }
}
