import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// `sha256sum *.gz special.gz` names a file twice; so do sitemaps, indexes of packages, lists of
/// buckets whose pages overlap. A list was refused for it, though it said the same both times.
final class RepeatedEntryTests: XCTestCase {
  private struct Sample {
    let format: CatalogFormatName
    /// A list with a gap.
    let list: String
    /// What stands in the gap, and with something else said of the same key.
    let entry: String
    let other: String
    var url = "https://h/data/"
    var key = "a"
    var mapping: String?

    func listing(_ entries: String...) throws -> Listing {
      let text = list.replacing("GAP", with: entries.joined(separator: separator))
      guard let mapping else { return try Golden.listing(Golden.body(text, url), as: format) }
      let body = try Golden.body(text, url)
      let formats = CatalogFormats([MappedFormat(try JSONMapping(mapping))])
      var assembly = ListingAssembly(root: body.url)
      _ = assembly.begin()
      let action = assembly.fetched(
        url, page: try formats.decode(body, as: format), digest: Golden.hash(text),
        isFramed: true)
      guard case .finish(let listing) = action else { throw Failure(action: action) }
      return listing
    }

    private var separator: String { entry.hasPrefix("{") ? "," : entry.hasPrefix("P") ? "\n" : "" }
  }

  private struct Failure: Error { let action: ListingAssembly.Action }

  private static let digest = Golden.digest

  private static func webDAVFile(size: Int) -> String {
    """
    <D:response><D:href>/data/a</D:href><D:propstat><D:prop><D:resourcetype/>\
    <D:getcontentlength>\(size)</D:getcontentlength><D:getlastmodified>\
    Wed, 18 Nov 2026 20:06:56 GMT</D:getlastmodified></D:prop><D:status>HTTP/1.1 200 OK</D:status>\
    </D:propstat></D:response>
    """
  }

  private static let samples: [Sample] = [
    Sample(
      format: .metalink,
      list: #"<metalink xmlns="urn:ietf:params:xml:ns:metalink">GAP</metalink>"#,
      entry: #"<file name="a"><size>7</size><url>https://h/a</url></file>"#,
      other: #"<file name="a"><size>8</size><url>https://h/a</url></file>"#),
    Sample(
      format: .sitemap,
      list: #"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">GAP</urlset>"#,
      entry: "<url><loc>https://h/a</loc><lastmod>2026-01-01</lastmod></url>",
      other: "<url><loc>https://h/a</loc><lastmod>2026-01-02</lastmod></url>"),
    Sample(
      format: .resourceSync,
      list: SitemapGolden.document("resourcelist", #"at="2026-01-03T09:00:00Z""#, ["GAP"]),
      entry: SitemapGolden.place("https://h/a", #"length="1""#),
      other: SitemapGolden.place("https://h/a", #"length="2""#)),
    Sample(
      format: .simpleIndex,
      list: #"{"meta": {"api-version": "1.1"}, "name": "x", "files": [GAP]}"#,
      entry: #"{"filename": "a", "url": "f/a", "hashes": {"sha256": "\#(digest)"}}"#,
      other: #"{"filename": "a", "url": "f/a", "hashes": {"sha256": "\#(IndexGolden.digest)"}}"#),
    Sample(
      format: .simpleIndex,
      list: """
        <!DOCTYPE html><html><head><title>Links for x</title>
        <meta name="pypi:repository-version" content="1.0"></head><body>GAP</body></html>
        """,
      entry: "<a href=\"f/a#sha256=\(digest)\">a</a><br>",
      other: "<a href=\"f/a#sha256=\(IndexGolden.digest)\">a</a><br>"),
    Sample(
      format: .s3,
      list: """
        <?xml version="1.0"?><ListBucketResult><Name>b</Name><Prefix></Prefix>\
        <EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>GAP</ListBucketResult>
        """,
      entry: "<Contents><Key>a</Key><ETag>&quot;1&quot;</ETag><Size>1</Size></Contents>",
      other: "<Contents><Key>a</Key><ETag>&quot;2&quot;</ETag><Size>1</Size></Contents>",
      url: "https://h/b/?encoding-type=url&list-type=2&prefix="),
    Sample(
      format: .webdav,
      list: """
        <D:multistatus xmlns:D="DAV:"><D:response><D:href>/data/</D:href><D:propstat><D:prop>\
        <D:resourcetype><D:collection/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK\
        </D:status></D:propstat></D:response>GAP</D:multistatus>
        """,
      entry: webDAVFile(size: 3), other: webDAVFile(size: 4)),
    Sample(
      format: .mapped, list: "[GAP]", entry: #"{"k": "a", "s": 1}"#,
      other: #"{"k": "a", "s": 2}"#, mapping: "items=.,key=k,size=s"),
    Sample(
      format: .nginxJSON, list: "[GAP]", entry: nginx(size: 1), other: nginx(size: 2)),
  ]

  private static func nginx(size: Int) -> String {
    """
    { "name":"a", "type":"file", "mtime":"Sat, 14 Nov 2026 10:00:00 GMT", "size":\(size) }
    """
  }

  func testWhatIsListedTwiceAlikeIsOneEntry() throws {
    for sample in Self.samples {
      let name = "\(sample.format)"
      let once = try sample.listing(sample.entry)
      let twice = try sample.listing(sample.entry, sample.entry, sample.entry)
      XCTAssertEqual(once.entries.map(\.key), [CatalogKey(sample.key)], name)
      XCTAssertEqual(twice.entries, once.entries, name)
      XCTAssertEqual(twice.unsettled, once.unsettled, name)
      XCTAssertEqual(twice.completeness, once.completeness, name)
    }
  }

  func testWhatIsListedTwiceAndContradictsIsAnError() {
    for sample in Self.samples {
      for entries in [(sample.entry, sample.other), (sample.other, sample.entry)] {
        XCTAssertThrowsError(
          try sample.listing(entries.0, entries.1, entries.0), "\(sample.format)"
        ) { error in
          if case .fail(let cause)? = (error as? Failure)?.action {
            XCTAssertEqual(cause, .duplicateKey(CatalogKey(sample.key)))
          } else {
            XCTAssertEqual(
              error as? CatalogError, .duplicateKey(CatalogKey(sample.key)), "\(sample.format)")
          }
        }
      }
    }
  }

  /// Two sitemaps name a page, and one of them doesn't say when it was changed.
  func testWhatOnlyOneOfTwoSaysCounts() throws {
    let sitemap = Self.samples[1]
    let undated = "<url><loc>https://h/a</loc></url>"
    for entries in [(sitemap.entry, undated), (undated, sitemap.entry)] {
      let listing = try sitemap.listing(entries.0, entries.1)
      XCTAssertEqual(listing.entries, try sitemap.listing(sitemap.entry).entries)
    }
    assertThrows(
      CatalogError.duplicateKey(CatalogKey("a")),
      try sitemap.listing(sitemap.entry, undated, sitemap.other))
  }

  /// One digest says that the bytes are the same wherever they are; without one, nothing does.
  func testOtherAddressesAreFurtherOnesWhereTheDigestIsTheSame() throws {
    let metalink = Self.samples[0]
    func file(_ hash: String, at url: String) -> String {
      "<file name=\"a\">\(hash)<url>\(url)</url></file>"
    }
    let hash = "<hash type=\"sha-256\">\(Self.digest)</hash>"
    let listing = try metalink.listing(
      file(hash, at: "https://one/a"), file(hash, at: "https://two/a"))
    XCTAssertEqual(listing.entries.map(\.locators), [["https://one/a", "https://two/a"]])
    assertThrows(
      CatalogError.duplicateKey(CatalogKey("a")),
      try metalink.listing(file("", at: "https://one/a"), file("", at: "https://two/a")))
  }

  /// Two that can't be used for one reason are one failed item; for two reasons, nobody knows.
  func testWhatCantBeUsedTwiceIsOneFailedItem() throws {
    let bucket = Self.samples[5]
    let broken = bucket.entry.replacing("<Size>1<", with: "<Size>much<")
    let listing = try bucket.listing(broken, broken)
    XCTAssertEqual(listing.unusable.map(\.key), [CatalogKey("a")])
    assertThrows(
      CatalogError.duplicateKey(CatalogKey("a")), try bucket.listing(broken, bucket.entry))
  }

  /// Positions are those of the lines, and a filter sees what all of them say together.
  func testPositionsAndFiltersGoByAllThatIsListed() throws {
    let mapping = try JSONMapping("items=.,key=k,size=s")
    let text = #"[{"k":"a"},{"k":"b"},{"k":"a","s":9},{"k":"../x"}]"#
    let page = try CatalogFormats([MappedFormat(mapping)]).decode(Golden.body(text), as: .mapped)
    var (options, scope) = (ListingAssembly.Options(), Scope())
    scope.maximumSize = 5
    options.scope = ScopeBoundary(scope, at: 0)
    var assembly = ListingAssembly(root: try Golden.url("https://h/data/"), options: options)
    _ = assembly.begin()
    let action = assembly.fetched(
      "https://h/data/", page: page, digest: Golden.hash("1"), isFramed: true)
    guard case .finish(let listing) = action else { return XCTFail("\(action)") }
    XCTAssertEqual(listing.entries.map(\.key), [CatalogKey("b")])
    XCTAssertEqual(listing.positions, [2])
    XCTAssertEqual(listing.unusable.map(\.position), [4])
    XCTAssertEqual(listing.leftOut.map(\.key), [CatalogKey("a")])
  }

  /// Our own catalogs are written by a program that names nothing twice: one that does was put
  /// together wrongly.
  func testACatalogOfOurOwnIsRefusedThoughBothSayTheSame() throws {
    let lines = "{\"catalog\":1}\n{\"key\":\"a\"}\n{\"key\":\"a\"}\n"
    for text in [lines, #"[{"key":"a"},{"key":"a"}]"#] {
      assertThrows(
        CatalogError.duplicateKey(CatalogKey("a")), try Golden.listing(Golden.body(text)))
    }
  }
}
