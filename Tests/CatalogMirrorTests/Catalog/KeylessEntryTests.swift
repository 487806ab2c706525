import XCTest

@testable import CatalogMirror
@testable import SyncText

/// Entries without a key are counted, the first ones named by their positions, and none is kept.
final class KeylessEntryTests: XCTestCase {
  private static let header = #"{"catalog":1,"complete":true}"# + "\n"

  func testWhatHasAKeyKeepsItsPositionAmongWhatHasNone() throws {
    let bodies = [
      Self.header + "{}\n{\"key\":\"a\"}\n5\n{\"key\":\"../b\"}\n{\"key\":\"c\"}\n",
      #"{"catalog":1,"complete":true,"items":[{},{"key":"a"},5,{"key":"../b"},{"key":"c"}]}"#,
      #"[{},{"key":"a"},5,{"key":"../b"},{"key":"c"}]"#,
    ]
    for body in bodies {
      let page = try Golden.page(body)
      XCTAssertEqual(page.count, 5, body)
      XCTAssertEqual(page.keyless.positions, [1, 3], body)
      let listing = try Golden.listing(Golden.body(body))
      XCTAssertEqual(listing.positions, [2, 5], body)
      XCTAssertEqual(listing.unusable.map(\.position), [4], body)
      XCTAssertEqual(listing.keyless.positions, [1, 3], body)
    }
  }

  func testAnEmptyKeyIsNone() throws {
    let bodies = [
      Self.header + "{\"key\":\"\"}\n{\"key\":\"a\"}\n{\"key\":\"\",\"url\":\"b\"}\n",
      #"{"catalog":1,"complete":true,"items":[{"key":""},{"key":"a"},{"key":""}]}"#,
      #"{"catalog":1,"complete":true,"items":{"":"x","a":"y"}}"#,
    ]
    for body in bodies {
      let listing = try Golden.listing(Golden.body(body))
      XCTAssertEqual(listing.entries.map(\.key), [CatalogKey("a")], body)
      XCTAssertEqual(listing.positions, [2], body)
      XCTAssertEqual(listing.keyless.positions.first, 1, body)
      XCTAssertEqual(listing.unusable, [], body)
    }
  }

  func testOnlyTheFirstTwentyOfAllPagesAreNamed() throws {
    var all = KeylessEntries()
    for (page, count) in [5, 0, 30, 7].enumerated() {
      var found = KeylessEntries()
      for position in 0..<count { found.add(at: position + 1) }
      all.add(found, after: page * 100)
    }
    XCTAssertEqual(all.count, 42)
    XCTAssertEqual(all.positions, Array(1...5) + Array(201...215))
    XCTAssertEqual(all.named.count, 20)
    XCTAssertEqual(all.unnamed, 22)
  }

  func testTheLimitOfEntriesCountsThemToo() throws {
    var limits = CatalogLimits()
    limits.entries = 2
    for body in [Self.header + "{}\n{}\n{}\n", "[{},{},{}]"] {
      XCTAssertThrowsError(
        try CatalogFormats.standard.decode(Golden.body(body), limits: limits), body)
    }
  }

  func testAPageOfThemProvesNothing() throws {
    let listing = try Golden.listing(Golden.body(Self.header + "{\"key\":\"a\"}\n{}\n"))
    XCTAssertEqual(listing.completeness, .partial([.unreadableKeys(count: 1, first: 2)]))
    XCTAssertEqual(listing.pages.map(\.isSettled), [false])
  }
}
