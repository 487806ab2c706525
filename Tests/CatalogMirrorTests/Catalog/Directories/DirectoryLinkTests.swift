import TestSupport
import XCTest

@testable import CatalogMirror

/// What the links of a directory's page are worth together.
final class DirectoryLinkTests: XCTestCase {
  private func page(
    _ hrefs: [String], _ url: String = "https://h/pub/", as format: CatalogFormatName? = nil
  ) throws -> CatalogPage {
    let rows = hrefs.map { "<li><a href=\"\($0)\"> x</a></li>\n" }.joined()
    let text = """
      <html>\n <head>\n  <title>Index of /pub</title>\n </head>\n <body>\n<ul>\(rows)</ul>
      </body></html>
      """
    return try CatalogFormats.standard.decode(Golden.body(text, url), as: format)
  }

  private func addresses(_ page: CatalogPage) -> [String: String] {
    page.usable.mapValues { $0.locators[0] }
  }

  func testNamesAreDecodedOnceAndAddressesKept() throws {
    let page = try page([
      "100%.txt", "/pub/abs.txt", "q.txt?download=1", "frag.txt#x", "a+b%2Bc", "%2541", "%7Ex",
      "5%2",
    ])
    XCTAssertEqual(
      addresses(page),
      [
        "100%.txt": "https://h/pub/100%25.txt", "abs.txt": "https://h/pub/abs.txt",
        "q.txt": "https://h/pub/q.txt?download=1", "frag.txt": "https://h/pub/frag.txt",
        "a+b+c": "https://h/pub/a+b%2Bc", "%41": "https://h/pub/%2541", "~x": "https://h/pub/%7Ex",
        "5%2": "https://h/pub/5%252",
      ])
    XCTAssertEqual(page.notes.unreadLinks.count, 0)
  }

  func testLinksThatComeToOneAddressAreOneEntry() throws {
    let page = try page(["a~", "./a%7E", "/pub/a%7e#x", "https://H:443/pub/a~", "d/", "/pub/d/"])
    XCTAssertEqual(addresses(page), ["a~": "https://h/pub/a~"])
    XCTAssertEqual(page.subdirectories.map(\.request.url), ["https://h/pub/d/"])
    XCTAssertEqual(page.notes.unreadLinks.count, 0)
  }

  func testALinkToThePageItselfIsNoFileHoweverItIsWritten() throws {
    for link in ["index.html", "./index.html", "%69ndex.html", "/pub/index.html", "index.html#a"] {
      let page = try page(["a", link], "https://h/pub/index.html", as: .listing)
      XCTAssertEqual(addresses(page), ["a": "https://h/pub/a"], link)
      XCTAssertEqual(page.notes.unreadLinks.count, 0, link)
    }
    // The directory's name within itself.
    XCTAssertEqual(addresses(try page(["pub"], "https://h/pub")), ["pub": "https://h/pub/pub"])
  }

  func testADirectoryIsAskedForByTheLinkOfItThatHasNoQuery() throws {
    let page = try page(["d/?C=N", "d/"], as: .listing)
    XCTAssertEqual(page.subdirectories.map(\.request.url), ["https://h/pub/d/"])
    XCTAssertEqual(page.notes.unreadLinks.count, 0)
  }

  func testADirectoryBelowAnotherThatThePageListsIsThatOnes() throws {
    let page = try page(["t/", "t/e/"], as: .listing)
    XCTAssertEqual(page.subdirectories.map(\.request.url), ["https://h/pub/t/"])
  }

  func testTheSamePathAtAnotherPlaceOfTheHostAndAQuoteThatIsMissingMakeThePagePartial() throws {
    for link in ["http://h/pub/b", "b</a><a href="] {
      let page = try page(["a", link], as: .listing)
      XCTAssertEqual(Set(page.usable.keys), ["a"], link)
      XCTAssertEqual(page.notes.unreadLinks.count, 1, link)
    }
  }

  func testTwoAddressesOfOneNameMakeThePagePartial() throws {
    for other in ["a%2Bb", "a+b?download=1"] {
      let page = try page(["a+b", other])
      XCTAssertEqual(addresses(page), ["a+b": "https://h/pub/a+b"])
      XCTAssertEqual(page.notes.unreadLinks.count, 1, other)
    }
  }

  func testTwoAddressesOfOneDirectoryMakeThePagePartial() throws {
    let page = try page(["a+b/", "a%2Bb/"])
    XCTAssertEqual(page.subdirectories.map(\.request.url), ["https://h/pub/a+b/"])
    XCTAssertEqual(page.notes.unreadLinks.count, 1)
  }

  func testALinkWithAPasswordIsNotUnderstoodAndToldWithoutIt() throws {
    let page = try page(["a", "https://user:secret@h/pub/b"])
    XCTAssertEqual(addresses(page), ["a": "https://h/pub/a"])
    XCTAssertEqual(page.notes.unreadLinks.count, 1)
    XCTAssertEqual(page.notes.unreadLinks.example, "h/pub/b")
  }

  func testWhatIsNotUnderstoodIsToldWithACountAndAnExample() throws {
    let body = try Golden.body(
      """
      <html>\n <head>\n  <title>Index of /pub</title>\n </head>\n <body>\n<ul>
      <li><a href="a"> a</a></li><li><a href="get.php?key=secret&amp;id=1"> b</a></li>
      <li><a href="get.php?id=2"> c</a></li></ul></body></html>
      """, "https://h/pub/")
    let listing = try Golden.listing(body)
    XCTAssertEqual(listing.entries.map(\.key), [CatalogKey("a")])
    let reason = PartialReason.unreadLinks(
      url: "https://h/pub/", count: 2, example: "get.php?…")
    XCTAssertEqual(listing.completeness, .partial([reason]))
    XCTAssertEqual(
      "\(reason)", "2 links in https://h/pub/ can't be understood, such as 'get.php?…'.")
  }

  func testAPageWhoseLinksAllLeadOutOfItsDirectoryIsAnError() throws {
    for hrefs in [["/files/a", "/files/b"], ["https://other.test/a", "../", "#x"]] {
      for format in [CatalogFormatName.apache, .listing] {
        assertThrows(
          CatalogError.unreadable(
            url: "https://h/pub/", expected: .format(format.rawValue), found: .linksElsewhere),
          try page(hrefs, as: format))
      }
    }
    for hrefs in [[], ["../"], ["/", "?C=N;O=D", "mailto:x"]] {
      XCTAssertEqual(try page(hrefs, as: .apache).entries, [], "\(hrefs): an empty directory")
    }
  }

  func testANameThatIsNotUTF8IsOneFailedItemADirectorysToo() throws {
    let page = try page(["a", "%FF", "%FE/"])
    let keys = [CatalogKey(bytes: [0xFF]), CatalogKey(bytes: [0xFE])]
    XCTAssertEqual(page.subdirectories, [])
    XCTAssertEqual(page.entries.compactMap(\.key), [CatalogKey("a")] + keys)
    XCTAssertEqual(page.notes.unreadLinks.count, 0)
  }

  func testBytesThatAreNoCharactersAreKept() throws {
    let text =
      "<html>\n <head>\n  <title>Index of /pub</title>\n </head>\n <body>\n<ul>"
      + "<li><a href=\"\u{E9}@\"> x</a></li></ul></body></html>"
    let bytes = Array(text.utf8).map { $0 == UInt8(ascii: "@") ? 0xFF : $0 }
    let page = try CatalogFormats.standard.decode(Golden.body(bytes))
    XCTAssertEqual(page.entries.map(\.key), [CatalogKey(bytes: [0xC3, 0xA9, 0xFF])])
  }

  func testNamesInJSONAndXMLThatLeadElsewhereMakeThePagePartial() throws {
    let row =
      #"{ "name":"a/b", "type":"file", "mtime":"Fri, 20 Nov 2026 21:47:24 GMT", "size":1 },"#
    let json = try Golden.page(Golden.nginxJSON.replacing("[\r\n", with: "[\r\n" + row))
    XCTAssertEqual(json.notes.unreadLinks.count, 1)
    let xml = try Golden.page(
      try ServersPages.text("nginx-xml/plain").replacing(">mid<", with: ">m/d<"))
    XCTAssertEqual(xml.notes.unreadLinks.count, 1)
    let caddy = try Golden.page(
      try ServersPages.text("caddy-json/plain").replacing("./mid\"", with: "/mid\""))
    XCTAssertEqual(caddy.notes.unreadLinks.count, 1)
  }

  /// A file's link without its size, or a directory's with one, was left out of a listing that was
  /// said to be whole; nobody knows which of the two is true.
  func testARowThatDisagreesWithItsLinkOnBeingADirectoryMakesThePagePartial() throws {
    let date = "20-Nov-2026 21:47"
    let rows = [("a", "-"), ("d/", "5"), ("b", "5"), ("e/", "-")]
    let text = rows.map { "<a href=\"\($0)\">\($0)</a> \(date) \($1)\r\n" }.joined()
    let page = try CatalogFormats.standard.decode(
      Golden.body(
        "<html>\r\n<head><title>Index of /pub/</title></head>\r\n<body>\r\n<h1>Index of /pub/</h1>"
          + "<hr><pre><a href=\"../\">../</a>\r\n\(text)</pre><hr></body>\r\n</html>\r\n",
        "https://h/pub/"),
      as: .nginxHTML)
    XCTAssertEqual(addresses(page), ["b": "https://h/pub/b"])
    XCTAssertEqual(page.subdirectories.map(\.request.url), ["https://h/pub/e/"])
    XCTAssertEqual(page.notes.unreadLinks.count, 2)
    XCTAssertEqual(page.notes.unreadLinks.example, "a")
  }

  func testInAnyPageWhatOthersLieBelowIsADirectory() throws {
    let page = try page(
      ["sub", "sub/a.txt", "b.txt", "far/c.txt", "deep/er/", "deep/er/d", "t/", "t", "t/e"],
      as: .listing)
    XCTAssertEqual(Set(page.usable.keys), ["b.txt", "far/c.txt"])
    XCTAssertEqual(
      page.subdirectories.map { [$0.request.url, String(decoding: $0.name, as: UTF8.self)] },
      [
        ["https://h/pub/deep/er/", "deep/er"], ["https://h/pub/t/", "t"],
        ["https://h/pub/sub/", "sub"],
      ])
    XCTAssertEqual(page.notes.unreadLinks.count, 0)
  }

  func testTheFilesOfAPackageIndexStartFromItsBase() throws {
    let text = """
      <!DOCTYPE html><html><head><meta name="pypi:repository-version" content="1.0">
      <base href="/files/"></head><body><a href="x-1.0.tar.gz">x-1.0.tar.gz</a></body></html>
      """
    let page = try CatalogFormats.standard.decode(Golden.body(text, "https://h/simple/x/"))
    XCTAssertEqual(page.usable["x-1.0.tar.gz"]?.locators, ["https://h/files/x-1.0.tar.gz"])
  }
}
