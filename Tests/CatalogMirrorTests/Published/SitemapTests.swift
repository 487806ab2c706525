import CatalogMirror
import XCTest
@testable import SyncText

/// Sitemaps, and the lists of ResourceSync.
final class SitemapTests: XCTestCase {
  private func page(
    _ text: String, as format: CatalogFormatName? = nil, step: String? = nil
  ) throws -> CatalogPage {
    var body = try Golden.body(text, "https://h/map.xml")
    body.request.step = step
    return try CatalogFormats.standard.decode(body, as: format)
  }

  func testASitemapGivesThePathsOfItsAddresses() throws {
    let page = try page(SitemapGolden.sitemap)
    XCTAssertEqual(page.format, .sitemap)
    XCTAssertEqual(page.claim, .unvouchable)
    XCTAssertEqual(Set(page.usable.keys), ["index.html", "a b.html", "list?id=1&x=2"])
    let entry = try XCTUnwrap(page.usable["a b.html"])
    XCTAssertEqual(entry.locators, ["https://h/a%20b.html"])
    XCTAssertEqual(entry.version, .dateAndSize(date: "2026-01-01T18:23:17+00:00", size: nil))
    XCTAssertEqual(page.usable["list?id=1&x=2"]?.version, .unknown)
  }

  /// A page that changed twice on a day showed the same day both times, and its second state was
  /// never fetched.
  func testADateThatIsAsYoungAsTheListSettlesNothing() throws {
    let today = Timestamp(milliseconds: Int64(Golden.listedAt) * 1_000)?.text ?? ""
    let table: [(some: String, isSettled: Bool)] = [
      ("2026-01-01", true), ("2026-01", true), ("2025", true), ("2026-01-01T18:23Z", true),
      ("2026-01-01T18:23:17+00:00", true), (String(today.prefix(10)), false),
      (String(today.prefix(7)), false), (String(today.prefix(4)), false),
      (today.prefix(16) + "Z", false), (today.prefix(19) + "Z", false), ("once", false),
    ]
    for (date, isSettled) in table {
      let text = SitemapGolden.sitemap.replacing("2026-01-01T18:23:17+00:00", with: date)
      let listed = try page(text).entries.first { $0.key == CatalogKey("a b.html") }
      guard case .entry(_, let settled)? = listed else { return XCTFail(date) }
      XCTAssertEqual(settled, isSettled, date)
    }
  }

  func testAnIndexLeadsToItsSitemaps() throws {
    let page = try page(SitemapGolden.index)
    XCTAssertEqual(page.parts.map(\.url), ["https://h/one.xml.gz", "https://h/two.xml"])
    XCTAssertEqual(page.parts.map(\.packing), [.gzip, nil])
  }

  func testAListOfResourcesGivesDigestsSizesAndCopies() throws {
    let page = try page(SitemapGolden.resources)
    XCTAssertEqual(page.format, .resourceSync)
    XCTAssertEqual(page.claim, .whole)
    let first = try XCTUnwrap(page.usable["res1"])
    XCTAssertEqual(first.sha256?.description, SitemapGolden.digest)
    XCTAssertEqual(first.size, 8_876)
    XCTAssertEqual(first.locators, ["https://h/res1", "https://copy.h/res1"])
    XCTAssertEqual(page.usable["d/res2"]?.version, .revision("md5:15"))
    XCTAssertNil(page.checkpoint, "nobody said where changes are listed")
  }

  func testACapabilityListLeadsToTheResourcesAndTellsWhereChangesAre() throws {
    let page = try page(SitemapGolden.capabilities)
    XCTAssertEqual(page.parts.map(\.url), ["https://h/resourcelist.xml"])
    let step = try XCTUnwrap(page.parts.first?.step)
    let list = try self.page(SitemapGolden.resources, as: .resourceSync, step: step)
    XCTAssertEqual(list.checkpoint, "since 2026-01-03T09:00:00Z https://h/changelist.xml")
  }

  func testKeysOfAnotherHostBearItsName() throws {
    let text = SitemapGolden.sitemap.replacing("https://h/a", with: "https://other/a")
    XCTAssertNotNil(try page(text).usable["other/a b.html"])
  }

  private static let since = "since 2026-01-03T00:00:00Z https://h/changelist.xml"

  private func changes(_ places: [String], times: String = #"from="2026-01-01T00:00:00Z""#)
    throws -> CatalogPage
  {
    try page(
      SitemapGolden.document("changelist", times, places), as: .resourceSync, step: Self.since)
  }

  private func change(_ name: String, _ kind: String, _ day: Int) -> String {
    SitemapGolden.place(
      "https://h/\(name)", #"change="\#(kind)" datetime="2026-01-0\#(day)T00:00:00Z""#)
  }

  func testOfEachResourceTheLastChangeCounts() throws {
    let page = try changes([
      change("old", "deleted", 2), change("a", "created", 4), change("b", "updated", 4),
      change("a", "deleted", 5), change("c", "deleted", 5), change("c", "created", 6),
    ])
    XCTAssertEqual(page.claim, .changes)
    XCTAssertEqual(Set(page.usable.keys), ["b", "c"])
    XCTAssertEqual(page.removed, [CatalogKey("a")])
    XCTAssertEqual(page.checkpoint, "since 2026-01-06T00:00:00Z https://h/changelist.xml")
  }

  /// With the newest change first, an item that was deleted and made anew was taken for deleted.
  func testTheLastChangeIsTheOneOfTheLatestTime() throws {
    let page = try changes([
      change("c", "created", 6), change("c", "deleted", 5), change("a", "deleted", 5),
      change("a", "created", 4), change("q?x=d/", "deleted", 5),
    ])
    XCTAssertEqual(Set(page.usable.keys), ["c"])
    XCTAssertEqual(page.removed, [CatalogKey("a")], "and no directory is")
  }

  func testAListThatIsClosedIsReadUpToItsEnd() throws {
    let page = try changes(
      [], times: #"from="2026-01-02T00:00:00Z" until="2026-01-08T00:00:00Z""#)
    XCTAssertEqual(page.checkpoint, "since 2026-01-08T00:00:00Z https://h/changelist.xml")
  }

  func testChangesThatDoNotReachBackAreNone() throws {
    for times in ["", #"from="2026-01-04T00:00:00Z""#, #"from="soon""#] {
      XCTAssertThrowsError(try changes([change("a", "created", 4)], times: times), times)
    }
    XCTAssertThrowsError(try changes([change("a", "moved", 4)]))
    XCTAssertThrowsError(try changes(["<url><loc>https://h/a</loc></url>"]))
    XCTAssertThrowsError(
      try page(SitemapGolden.document("changelist", #"from="2026-01-01T00:00:00Z""#, [])),
      "nobody asked for changes")
  }

  func testAnIndexOfChangesLeadsToThoseThatReachSoFar() throws {
    let text = SitemapGolden.document(
      "changelist", #"from="2026-01-01T00:00:00Z""#,
      [
        SitemapGolden.place(
          "https://h/c1.xml", #"from="2026-01-01T00:00:00Z" until="2026-01-02T00:00:00Z""#,
          isIndex: true),
        SitemapGolden.place(
          "https://h/c2.xml", #"from="2026-01-02T00:00:00Z" until="2026-01-04T00:00:00Z""#,
          isIndex: true),
        SitemapGolden.place("https://h/c3.xml", #"from="2026-01-04T00:00:00Z""#, isIndex: true),
      ], isIndex: true)
    let page = try page(text, as: .resourceSync, step: Self.since)
    XCTAssertEqual(page.parts.map(\.url), ["https://h/c2.xml", "https://h/c3.xml"])
    XCTAssertEqual(
      page.parts.map(\.step),
      [Self.since, "since 2026-01-04T00:00:00Z https://h/changelist.xml"])
    let turned = text.replacing("from=\"2026-01-04", with: "from=\"2025-01-04")
    XCTAssertThrowsError(
      try self.page(turned, as: .resourceSync, step: Self.since), "the newest isn't the last")
  }

  func testOtherDocumentsOfResourceSyncAreErrors() throws {
    for capability in ["resourcedump", "changedump", "", "capabilitylist", "description"] {
      XCTAssertThrowsError(
        try page(SitemapGolden.document(capability, "", []), as: .resourceSync), capability)
    }
  }
}
