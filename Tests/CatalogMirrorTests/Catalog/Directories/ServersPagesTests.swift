import CatalogMirror
import Foundation
import XCTest
@testable import SyncText

/// What all servers' pages have in common.
final class ServersPagesTests: XCTestCase {
  func testEachIsRecognisedAndGivesTheSameFilesAndDirectories() throws {
    for (format, path) in ServersPages.whole {
      let page = try ServersPages.page(path)
      XCTAssertEqual(page.format, format, path)
      XCTAssertEqual(page.claim, .whole, path)
      let keys = Set(page.entries.compactMap(\.key))
        .subtracting(ServersPages.links.map { CatalogKey($0) })
      XCTAssertEqual(keys, Set(ServersPages.names.map { CatalogKey($0) }), path)
      XCTAssertEqual(
        page.subdirectories.map(\.request.url), ["https://h/data/dir%20space/"], path)
      XCTAssertEqual(page.subdirectories.map(\.name), [Array("dir space".utf8)], path)
    }
  }

  func testNamesAreDecodedOnceAndURLsAreKept() throws {
    for (_, path) in ServersPages.whole {
      for entry in try ServersPages.page(path).usable.values {
        let url = try XCTUnwrap(entry.locators.first)
        XCTAssertTrue(url.hasPrefix("https://h/data/"), url)
        XCTAssertEqual(PercentEncoding.decode(url.dropFirst(15)), entry.key.bytes, path)
      }
    }
    XCTAssertEqual(
      try ServersPages.page("apache/fancy").usable["<lt>"]?.locators,
      ["https://h/data/%3clt%3e"], "the server's own spelling")
  }

  func testEveryPrefixIsAnErrorOrTheWhole() throws {
    for (_, path) in ServersPages.whole {
      let bytes = try ServersPages.bytes(path)
      let whole = try ServersPages.page(path)
      // A hundred places of each; the end is looked at byte by byte below.
      for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
        guard let page = try? CatalogFormats.standard.decode(Golden.body(Array(bytes[..<length])))
        else { continue }
        XCTAssertEqual(page, whole, "\(length) bytes of \(path)")
      }
    }
  }

  func testOnlyWhatMayStandAfterAListCanBeCutUnnoticed() throws {
    for (_, path) in ServersPages.whole where path != "nginx-html/between" {
      var bytes = try ServersPages.bytes(path)
      while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
      for length in bytes.count - 60..<bytes.count {
        XCTAssertThrowsError(
          try CatalogFormats.standard.decode(Golden.body(Array(bytes[..<length]))),
          "\(length) bytes of \(path)")
      }
    }
  }

  func testWhatALinkMeansInAnyServersList() throws {
    // Written as each server would, in place of a link that it wrote; whether it is understood.
    let hrefs = [
      ("?C=M;O=A", true), ("http://evil/x", true), ("//evil/x", true), ("..", true),
      ("%2e%2e", true), (".", true), ("mailto:x@h", true), ("javascript:void(0)", true),
      ("#x", true), ("x?y", false), ("/abs", false), ("a/b", false), ("a%2Fb", false),
      ("../x", false), ("x?download&y=1", false), ("http://h/data/x", false),
      ("https://h:8443/data/x", false), ("https://cdn.test/data/x", false),
      ("https://a:b@h/data/x", false), ("", false), ("/data//x", false), ("small?download", false),
    ]
    for (_, path) in ServersPages.whole where !path.hasSuffix("json/plain") {
      let text = try ServersPages.text(path)
      guard text.contains("href=\"huge\"") else { continue }
      for (href, isUnderstood) in hrefs {
        // Where a row tells that it is a file, what is no file's link isn't understood.
        let page = try Golden.page(text.replacing("href=\"huge\"", with: "href=\"\(href)\""))
        let keys = Set(page.usable.keys).subtracting(ServersPages.links)
        XCTAssertEqual(keys, ServersPages.names.subtracting(["huge"]), "\(href) in \(path)")
        XCTAssertEqual(page.notes.unreadLinks.count, isUnderstood ? 0 : 1, "\(href) in \(path)")
      }
    }
  }

  func testAPageOfNoDirectoryIsNone() throws {
    for (format, path) in ServersPages.whole {
      let text = try ServersPages.text(path)
      for other in [
        text.replacing("<ul", with: "<ol").replacing("<pre", with: "<p").replacing(
          "list", with: "l"
        )
        .replacing("<table", with: "<div").replacing("\"url\"", with: "\"u\""),
        "<!DOCTYPE html>\n<html><head><title>Login</title></head><body><form></form></body></html>",
      ] {
        XCTAssertThrowsError(try Golden.page(other), path)
        XCTAssertThrowsError(try Golden.page(other, as: format), path)
      }
    }
  }

  func testWhatStandsAroundAListMayCloseWhatItLikes() throws {
    let formats: [CatalogFormatName] = [.apache, .lighttpd, .caddyHTML, .nginxFancyIndex]
    for (format, path) in ServersPages.whole where formats.contains(format) {
      let text = try ServersPages.text(path)
      let body = try XCTUnwrap(text.firstRange(of: "<body"))
      let start = try XCTUnwrap(text[body.upperBound...].firstIndex(of: ">"))
      for stray in [
        "</table></div>", "<p>x</p></ul>", "</pre>", "<!-- see </ul></table></pre> -->",
        "<script>var s = \"<!-- x</table></ul>\";</script>", "<ol><li>x</li></ol></ul>",
      ] {
        var footed = text
        let end = try XCTUnwrap(text.range(of: "</body>", options: .backwards)?.lowerBound)
        footed.insert(contentsOf: stray, at: end)
        XCTAssertEqual(try Golden.page(footed), try Golden.page(text), "\(stray) in \(path)")
        var headed = text
        headed.insert(contentsOf: stray, at: text.index(after: start))
        XCTAssertEqual(
          try Golden.page(headed, as: format), try Golden.page(text), "\(stray) in \(path)")
      }
    }
  }
}
