import CatalogMirror
import XCTest
@testable import SyncText

/// Pages of a Python package index, in JSON and HTML.
final class SimpleIndexTests: XCTestCase {
  private static let url = "https://index.test/simple/holygrail/"
  private static let json = "application/vnd.pypi.simple.v1+json"

  private func page(
    _ text: String, as format: CatalogFormatName? = nil, at url: String = url
  ) throws -> CatalogPage {
    let type = text.hasPrefix("{") ? Self.json : "text/html"
    return try CatalogFormats.standard.decode(
      Golden.body(text, url, mediaType: type), as: format)
  }

  func testBothFormsOfAProjectsPageGiveItsFiles() throws {
    for text in [IndexGolden.projectJSON, IndexGolden.projectHTML] {
      let page = try page(text)
      XCTAssertEqual(page.format, .simpleIndex)
      XCTAssertEqual(page.claim, .whole)
      XCTAssertEqual(page.entries.count, 3)
      let source = try XCTUnwrap(page.usable["holygrail-1.0.tar.gz"])
      XCTAssertEqual(source.locators, ["https://files.test/packages/holygrail-1.0.tar.gz"])
      XCTAssertEqual(source.sha256?.description, IndexGolden.digest)
      let wheel = try XCTUnwrap(page.usable["holygrail-1.0-py3-none-any.whl"])
      XCTAssertEqual(
        wheel.locators, ["https://index.test/files/holygrail-1.0-py3-none-any.whl"])
      XCTAssertEqual(wheel.title, nil)
      XCTAssertEqual(wheel.preview, nil)
    }
  }

  func testJSONGivesSizesAndDates() throws {
    let wheel = try XCTUnwrap(
      page(IndexGolden.projectJSON).usable["holygrail-1.0-py3-none-any.whl"])
    XCTAssertEqual(wheel.size, 1_337)
    XCTAssertEqual(wheel.modified, CivilTime.rfc3339("2026-01-02T03:04:06Z"))
  }

  /// It was dropped without a word, and the file was believed as it came.
  func testAFileWithADigestThatIsNoneIsOneFailedItem() throws {
    for (text, whole) in [
      (IndexGolden.projectJSON, #""sha256": "\#(IndexGolden.digest)""#),
      (IndexGolden.projectHTML, "#sha256=\(IndexGolden.digest)"),
    ] {
      let cut = whole.replacing(IndexGolden.digest, with: IndexGolden.digest.dropLast())
      XCTAssert(text.contains(whole), text)
      let page = try page(text.replacing(whole, with: cut, maxReplacements: 1))
      XCTAssertEqual(
        page.unusable.map(\.problem),
        [.field(name: "sha256", expected: "64 hexadecimal digits")], text)
      XCTAssertEqual(page.usable.count, 2)
    }
  }

  func testYankedFilesAreKeptAndTold() throws {
    for (text, quote) in [(IndexGolden.projectJSON, ""), (IndexGolden.projectHTML, "\"")] {
      let page = try page(text)
      let reason = "Had a \(quote)vulnerability\(quote)"
      let source = try XCTUnwrap(page.usable["holygrail-1.0.tar.gz"])
      XCTAssertEqual(source.title, "holygrail-1.0.tar.gz (yanked: \(reason))")
      XCTAssertEqual(
        source.extra,
        #"{"yanked":"\#(reason.replacing("\"", with: "\\\""))","requires-python":">=3.7"}"#)
      XCTAssertEqual(page.usable["holygrail-0.9.zip"]?.title, "holygrail-0.9.zip (yanked)")
      let listing = try Golden.listing(Golden.body(text, Self.url), as: .simpleIndex)
      XCTAssertEqual(listing.notes.remarks, [.withdrawn(count: 2)])
      XCTAssertEqual(
        listing.notes.remarks.map(\.description),
        ["2 items of the listing are withdrawn, and kept"])
    }
  }

  func testTheIndexLeadsToADirectoryAProject() throws {
    for text in [IndexGolden.indexJSON, IndexGolden.indexHTML] {
      let page = try page(text, at: "https://index.test/simple/")
      XCTAssertEqual(page.entries, [])
      XCTAssertEqual(
        page.subdirectories.map { String(decoding: $0.name, as: UTF8.self) },
        ["frob", "spam-spam-spam"])
      XCTAssertEqual(
        page.subdirectories.map(\.request.url),
        ["https://index.test/simple/frob/", "https://index.test/simple/spam-spam-spam/"])
      XCTAssertEqual(page.subdirectories.first?.request.fields.map(\.name), ["Accept"])
    }
  }

  func testNoProjectsPageLeavesHTTPS() throws {
    for address in ["http://index.test/simple/a/", "ftp://index.test/a/", "file:///etc/"] {
      let text = """
        <html><head><meta name="pypi:repository-version" content="1.0"></head><body>\
        <a href="\(address)">a</a></body></html>
        """
      XCTAssertThrowsError(try page(text, at: "https://index.test/simple/"), address)
      XCTAssertNoThrow(
        try page(
          text.replacing(address, with: "https://other.test/a/"), at: "https://index.test/simple/"))
    }
  }

  func testJSONIsAskedForWhereTheFormatWasNamed() throws {
    let format = try XCTUnwrap(CatalogFormats.standard[name: .simpleIndex])
    let request = format.firstRequest(to: try Golden.url(Self.url))
    XCTAssertEqual(request.fields.first?.name, "Accept")
    XCTAssertEqual(request.fields.first?.value.hasPrefix(Self.json), true)
  }

  func testAPageOfHTMLEndsWithItsClosingTagAndCommentsAtMost() throws {
    let whole = IndexGolden.projectHTML
    XCTAssertEqual(try page(whole + "<!--SERIAL 42-->\n").entries.count, 3)
    for tail in ["<!--SERIAL 42", "<a href=\"x\">x</a>", "<!-- --><p>"] {
      XCTAssertThrowsError(try page(whole + tail), tail)
    }
  }

  func testWhatIsNoPageOfAnIndexIsAnError() throws {
    let bodies = [
      "<html><body>Sign in</body></html>", "<html><a href=\"/login\">Sign in</a></html>", "{}",
      #"{"meta":{"api-version":"2.0"},"files":[]}"#, #"{"meta":{"api-version":"1.0"}}"#,
      #"{"meta":{"api-version":"1.0"},"files":{}}"#,
      #"{"meta":{"api-version":"1.0"},"projects":[{"name":"../x"}]}"#,
      IndexGolden.indexHTML.replacing("/simple/frob/", with: "/simple/frob.zip"),
    ]
    for text in bodies { XCTAssertThrowsError(try page(text, as: .simpleIndex), text) }
    XCTAssertThrowsError(
      try page("<html><a href=\"x.zip\">x.zip</a></html>"), "it doesn't say that it is an index")
  }

  func testAPageIsKnownByItsTitleAndDigestsToo() throws {
    // What a cache between gives for the real index has no meta element.
    let bare = IndexGolden.projectHTML.replacing(
      #"<meta name="pypi:repository-version" content="1.1">"#, with: "")
    XCTAssertEqual(try page(bare).entries.count, 3)
    XCTAssertThrowsError(try page(bare.replacing("Links for", with: "Files of")))
  }

  func testPagesOfOlderServersAreReadWhereTheyAreNamed() throws {
    let files = "<html><body><a href='x-1.0.zip#md5=ab'>x-1.0.zip</a></body></html>"
    XCTAssertEqual(
      try page(files, as: .simpleIndex).usable["x-1.0.zip"]?.version, .revision("md5=ab"))
    let index = "<html><body><a href='my-x/'>My_X</a></body></html>"
    XCTAssertEqual(try page(index, as: .simpleIndex).subdirectories.count, 1)
  }

  func testAFileThatIsNoNameMakesTheListingPartial() throws {
    let text = #"{"meta":{"api-version":"1.0"},"files":[{"filename":"a/b","url":"x"},{"url":"y"}]}"#
    XCTAssertEqual(try page(text, as: .simpleIndex).keyless.count, 2)
  }
}
