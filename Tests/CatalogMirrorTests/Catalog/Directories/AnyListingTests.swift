import CatalogMirror
import XCTest

/// A page that no format knows, taken for a listing by a person's word.
final class AnyListingTests: XCTestCase {
  private func page(_ text: String) throws -> CatalogPage {
    try CatalogFormats.standard.decode(
      Golden.body(text, "https://catalog.test/a/list?x=1"), as: .listing)
  }

  func testLinksDirectlyBelowAreItsFilesAndDirectoriesAndNothingElseIs() throws {
    let page = try page(ServersPages.text("any/plain"))
    XCTAssertEqual(
      page.entries.compactMap(\.key), ["a.txt", "b c.txt", "ü&.txt"].map { CatalogKey($0) })
    XCTAssertEqual(page.usable["b c.txt"]?.locators, ["https://catalog.test/a/b%20c.txt"])
    XCTAssertEqual(page.subdirectories.map(\.request.url), ["https://catalog.test/a/sub/"])
    XCTAssertEqual(page.usable["a.txt"]?.version, .unknown)
  }

  func testItIsWholeOnlyByAPersonsWord() throws {
    let body = try Golden.body(
      try ServersPages.text("any/plain").replacing("sub/", with: "sub"), "https://catalog.test/a/")
    XCTAssertEqual(
      try Golden.listing(body, as: .listing).completeness, .partial([.unvouchable]))
    XCTAssertEqual(
      try Golden.listing(body, as: .listing) { $0.isVouchedFor = true }.completeness, .complete)
  }

  func testItHasToBeNamed() throws {
    XCTAssertThrowsError(try Golden.page(ServersPages.text("any/plain")))
  }

  func testAPageThatDoesNotEndIsAnError() throws {
    let text = try ServersPages.text("any/plain").dropLast()
    for length in 0..<text.count {
      XCTAssertThrowsError(try page(String(text.prefix(length))), "\(length)")
    }
  }

  func testTheBaseOfThePageIsHeeded() throws {
    let links = "<a href=\"c.txt\">c</a><a href=\"../a/d.txt\">d</a></html>"
    let page = try page("<html><base href=\"/other/\">" + links)
    XCTAssertEqual(page.entries.compactMap(\.key), [CatalogKey("d.txt")])
  }

  func testAScriptMayWriteAsACommentBeginsAndACommentLeftOpenIsAnError() throws {
    let text = try ServersPages.text("any/plain")
    let script = "<script>var s = \"<!-- x\";</script>"
    let scripted = text.replacing("</body>", with: script + "</body>")
    XCTAssertNotEqual(scripted, text)
    XCTAssertEqual(try page(scripted), try page(text))
    for open in ["<!-- x", script + "<!-- x", "<script src=\"x\"/><!-- x"] {
      XCTAssertThrowsError(
        try page(text.replacing("</body>", with: open + "</body>")), open)
    }
  }
}
