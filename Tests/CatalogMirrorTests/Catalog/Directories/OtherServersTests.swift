import CatalogMirror
import XCTest

/// What the pages of other servers tell of a file, as each of them wrote it.
final class OtherServersTests: XCTestCase {
  func testPythonTellsNamesOnly() throws {
    let page = try ServersPages.page("python/plain")
    for case .entry(let entry, let isSettled) in page.entries {
      XCTAssertEqual(entry.version, .unknown)
      XCTAssertFalse(isSettled)
    }
    XCTAssertEqual(page.usable["link"]?.locators, ["https://h/data/link"], "shown as link@")
  }

  func testLighttpdTellsDatesToTheSecondAndRoundedSizes() throws {
    let page = try ServersPages.page("lighttpd/plain")
    let mid = try XCTUnwrap(page.usable["mid"])
    XCTAssertEqual(mid.version, .dateAndSize(date: "2031-Feb-03 04:05:06", size: nil))
    XCTAssertNil(mid.size)
    XCTAssertNil(mid.modified)
    XCTAssertEqual(mid.estimatedSize, 1_153_433)
  }

  func testCaddyTellsDatesInUTCAndExactSizesButOfLinks() throws {
    for path in ["caddy-html/plain", "caddy-json/plain"] {
      let page = try ServersPages.page(path)
      let mid = try XCTUnwrap(page.usable["mid"])
      XCTAssertEqual(mid.version, .dateAndSize(date: "2031-02-03T04:05:06Z", size: 1_234_567))
      XCTAssertEqual(mid.modified, 1_927_857_906, path)
      for name in ServersPages.links {
        let link = try XCTUnwrap(page.usable[name])
        XCTAssertEqual(link.version, .unknown, path)
        XCTAssertNil(link.size, path)
      }
    }
  }

  func testCaddyIsAskedForJSONInEachDirectory() throws {
    let format = try XCTUnwrap(CatalogFormats.standard[name: .caddyJSON])
    let accept = [CatalogRequest.Field("Accept", "application/json")]
    XCTAssertEqual(format.firstRequest(to: try Golden.url("https://h/data/")).fields, accept)
    XCTAssertEqual(
      try ServersPages.page("caddy-json/plain").subdirectories.map(\.request.fields), [accept])
  }

  func testAPageOfCaddysThatMayHaveBeenLimitedIsWholeOnlyByAPersonsWord() throws {
    func array(_ count: Int) -> String {
      let rows = (0..<count).map { number in
        #"{"name":"\#(number)","size":1,"url":"./\#(number)","mod_time":"2026-11-20T21:47:24Z","#
          + #""mode":420,"is_dir":false,"is_symlink":false}"#
      }
      return "[" + rows.joined(separator: ",") + "]"
    }
    XCTAssertEqual(try Golden.page(array(100)).claim, .whole)
    XCTAssertEqual(try Golden.page(array(10_000)).claim, .unvouchable)
  }

  func testAPageOfCaddysWhoseNumbersAreOthersThanItsRowsIsRefused() throws {
    let text = try ServersPages.text("caddy-html/plain")
    XCTAssertThrowsError(
      try Golden.page(text.replacing("<b>13</b> files", with: "<b>14</b> files")))
  }

  func testFancyIndexTellsExactSizesOrRoundedOnes() throws {
    let exact = try XCTUnwrap(try ServersPages.page("nginx-fancyindex/plain").usable["mid"])
    XCTAssertEqual(exact.version, .dateAndSize(date: "2031-Feb-03 04:05", size: 1_234_567))
    let rounded = try XCTUnwrap(try ServersPages.page("nginx-fancyindex/rounded").usable["mid"])
    XCTAssertNil(rounded.size)
    XCTAssertEqual(rounded.estimatedSize, 1_258_291)
    XCTAssertEqual(rounded.version, .dateAndSize(date: "2031-Feb-03 04:05", size: nil))
  }

  func testDirectoriesWithoutFilesAreEmptyLists() throws {
    for path in ["lighttpd/below", "nginx-fancyindex/below"] {
      XCTAssertEqual(try ServersPages.page(path).entries, [], path)
    }
  }

  func testNginxsXMLGivesExactSizesAndNamesOfAnyBytes() throws {
    let page = try ServersPages.page("nginx-xml/plain")
    let mid = try XCTUnwrap(page.usable["mid"])
    XCTAssertEqual(mid.version, .dateAndSize(date: "2031-02-03T04:05:06Z", size: 1_234_567))
    XCTAssertEqual(mid.modified, 1_927_857_906)
    XCTAssertEqual(page.unusable.map(\.key), [CatalogKey("dangling")])
    XCTAssertEqual(page.unusable.map(\.problem), [.notAFile])
    let bytes = try ServersPages.bytes("nginx-xml/plain").map { $0 == 0x6D ? 0xFF : $0 }
    XCTAssertThrowsError(try CatalogFormats.standard.decode(Golden.body(bytes)), "no mtime is left")
    let latin = Array(try ServersPages.text("nginx-xml/plain").replacing("mid", with: "m@d").utf8)
      .map { $0 == UInt8(ascii: "@") ? 0xFF : $0 }
    let other = try CatalogFormats.standard.decode(Golden.body(latin))
    XCTAssertTrue(other.entries.contains { $0.key == CatalogKey(bytes: [0x6D, 0xFF, 0x64]) })
  }
}
