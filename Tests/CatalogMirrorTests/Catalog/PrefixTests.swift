import CatalogMirror
import XCTest

/// Fault matrix F7: what was cut is never taken for the whole.
final class PrefixTests: XCTestCase {
  private func assertNoPrefixIsComplete(
    _ golden: String, as format: CatalogFormatName? = nil, line: UInt = #line
  ) throws {
    let bytes = Array(golden.utf8)
    let whole = bytes.count - bytes.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
    for length in 0..<whole {
      let body = try Golden.body(Array(bytes[..<length]))
      guard let listing = try? Golden.listing(body, as: format) else { continue }
      XCTAssertNotEqual(listing.completeness, .complete, "prefix of \(length) bytes", line: line)
      XCTAssertFalse(listing.isUnchanged, line: line)
    }
  }

  func testEveryPrefixOfAGoldenCatalogIsAnErrorOrPartial() throws {
    try assertNoPrefixIsComplete(Golden.ndjson)
    try assertNoPrefixIsComplete(Golden.object)
    try assertNoPrefixIsComplete(Golden.array)
    try assertNoPrefixIsComplete(Golden.sums)
    try assertNoPrefixIsComplete(Golden.mixedSums)
    try assertNoPrefixIsComplete(Golden.signedSums)
    try assertNoPrefixIsComplete(Golden.metalink)
    try assertNoPrefixIsComplete(Golden.ndjson, as: .catalog)
  }

  func testEveryPrefixOfAnAnswerInXMLIsAnError() throws {
    for (golden, url, format) in [
      (S3FormatTests.golden, S3FormatTests.url, CatalogFormatName.s3),
      (WebDAVFormatTests.wsgidav, WebDAVFormatTests.url, .webdav),
      (WebDAVFormatTests.radicale, "https://h/u/book/", .webdav),
    ] {
      let bytes = Array(golden.utf8)
      XCTAssertNoThrow(try CatalogFormats.standard.decode(Golden.body(bytes, url), as: format))
      for length in 0..<bytes.count {
        let body = try Golden.body(Array(bytes[..<length]), url)
        XCTAssertThrowsError(
          try CatalogFormats.standard.decode(body, as: format), "\(length) bytes")
      }
    }
  }

  func testLinesWithoutACountAreTheWholeOnlyWithTheServersWordForTheirEnd() throws {
    let lines = Golden.ndjson.replacing("\"count\":3,", with: "")
    XCTAssertEqual(try Golden.listing(Golden.body(lines)).completeness, .complete)
    XCTAssertEqual(
      try Golden.listing(Golden.body(lines), isFramed: false).completeness,
      .partial([.unframed(url: "https://h/data/")]))
    XCTAssertEqual(
      try Golden.listing(Golden.body(String(lines.dropLast()))).completeness,
      .partial([.unvouched]))
  }

  func testNoPrefixOfWhatAServiceAnswersIsRead() throws {
    for (name, text) in ServiceGolden.all {
      let bytes = Array(text.utf8)
      let whole = bytes.count - bytes.reversed().prefix { $0 == 0x0A }.count
      for length in 0..<whole {
        let body = try Golden.body(Array(bytes[..<length]), "https://h/api/models/o/n/tree/main")
        XCTAssertThrowsError(
          try CatalogFormats.standard.decode(body, as: CatalogFormatName(name)), "\(length) bytes")
      }
    }
  }

  func testNoPrefixOfAPublishedDocumentIsRead() throws {
    let documents: [(CatalogFormatName, [String])] = [
      (.simpleIndex, IndexGolden.all), (.rss, FeedGolden.rss), (.atom, FeedGolden.atom),
      (.opds, OPDSGolden.all), (.resourceSync, SitemapGolden.resourceSync),
      (.sitemap, SitemapGolden.sitemaps),
    ]
    for (format, texts) in documents {
      for text in texts {
        let bytes = Array(text.utf8)
        let whole = bytes.count - bytes.reversed().prefix { $0 == 0x0A }.count
        XCTAssertNoThrow(try CatalogFormats.standard.decode(try Golden.body(text), as: format))
        for length in 0..<whole {
          let body = try Golden.body(Array(bytes[..<length]))
          XCTAssertThrowsError(
            try CatalogFormats.standard.decode(body, as: format), "\(format): \(length) bytes")
        }
      }
    }
  }

  func testEveryPrefixOfADirectoryListingIsAnError() throws {
    for golden in [Golden.nginxHTML, Golden.nginxJSON] {
      let bytes = Array(golden.utf8)
      let whole = bytes.count - bytes.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
      for length in 0..<whole {
        let body = try Golden.body(Array(bytes[..<length]))
        XCTAssertThrowsError(try CatalogFormats.standard.decode(body), "\(length) bytes")
      }
    }
  }
}
