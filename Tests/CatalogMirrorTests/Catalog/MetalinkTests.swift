import CatalogMirror
import XCTest
@testable import SyncText

final class MetalinkTests: XCTestCase {
  func testAFileHasItsPlacesByPriorityItsSizeAndItsDigests() throws {
    let page = try Golden.page(Golden.metalink)
    XCTAssertEqual(page.format, .metalink)
    XCTAssertEqual(page.entries.compactMap(\.key), [CatalogKey("a/example.iso"), CatalogKey("b")])
    let entry = try XCTUnwrap(page.usable["a/example.iso"])
    XCTAssertEqual(
      entry.locators,
      ["https://two.example/example.iso", "http://one.example/example.iso", "https://h/data/x"])
    XCTAssertEqual(entry.size, 14_471_447)
    XCTAssertEqual(entry.sha256?.description, Golden.digest)
    XCTAssertEqual(entry.checks.map(\.algorithm), [.md5])
    XCTAssertEqual(entry.version, entry.sha256.map(ItemVersion.digest))
    XCTAssertEqual(page.usable["b"]?.version, .dateAndSize(date: nil, size: 7))
  }

  func testItIsPartialUnlessAPersonVouchesForIt() throws {
    let body = try Golden.body(Golden.metalink)
    let listing = try Golden.listing(body)
    XCTAssertEqual(listing.completeness, .partial([.unvouchable]))
    XCTAssertEqual(listing.unsettled, [CatalogKey("b")], "a size alone proves nothing")
    XCTAssertEqual(try Golden.listing(body, { $0.isVouchedFor = true }).completeness, .complete)
  }

  func testAnEntryThatCantBeUsedFailsAlone() throws {
    let good = "<file name='good'><url>https://h/g</url></file>"
    for (bad, isProblem) in [
      ("<file name='x'><url>ftp://h/x</url></file>", EntryProblem.locator(.scheme("ftp"))),
      (
        "<file name='x'><metaurl mediatype='torrent'>https://h/x</metaurl></file>",
        .locator(.notAURL)
      ),
      (
        "<file name='x'><size>much</size><url>https://h/x</url></file>",
        .field(name: "size", expected: "a whole number of bytes")
      ),
      (
        "<file name='x'><hash type='md5'>12</hash><url>https://h/x</url></file>",
        .field(name: "hash", expected: "32 hexadecimal digits")
      ),
      ("<file name='../x'><url>https://h/x</url></file>", .key(.dotComponent)),
    ] {
      let text = "<metalink xmlns='urn:ietf:params:xml:ns:metalink'>\(bad)\(good)</metalink>"
      let listing = try Golden.listing(Golden.body(text))
      XCTAssertEqual(listing.entries.map(\.key), [CatalogKey("good")], bad)
      XCTAssertEqual(listing.unusable.map(\.problem), [isProblem], bad)
    }
  }

  func testWhatIsNoMetalinkIsRefused() throws {
    let open = "<metalink xmlns='urn:ietf:params:xml:ns:metalink'>"
    let file = "<file name='a'><url>https://h/a</url></file>"
    for text in [
      open + "</metalink>", open + file, "<metalink>\(file)</metalink>",
      "<!DOCTYPE metalink [<!ENTITY a 'b'>]>\(open)\(file)</metalink>",
      open + String(repeating: "<x>", count: 300) + String(repeating: "</x>", count: 300) + file
        + "</metalink>",
    ] {
      XCTAssertThrowsError(try Golden.page(text, as: .metalink), text)
    }
  }
}
