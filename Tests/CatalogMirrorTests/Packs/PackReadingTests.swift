import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What a catalog says of packs.
final class PackReadingTests: XCTestCase {
  private static let digest = String(repeating: "ab", count: 32)

  private func page(_ text: String) throws -> CatalogPage {
    let body = CatalogBody(
      url: try Golden.url("https://h/pub/catalog.ndjson?token=1"),
      mediaType: "application/x-ndjson", bytes: Array(text.utf8))
    return try CatalogFormats.standard.decode(body)
  }

  private func header(_ packs: String, at place: String = #","packsAt":"catalog.ndjson.packs/""#)
    -> String
  {
    #"{"catalog":1,"complete":true,"packs":\#(packs)\#(place)}"# + "\n"
  }

  func testAPackLiesUnderItsDigestBesideTheCatalog() throws {
    let page = try page(header(#"[[7,1000,"\#(Self.digest)"],[8,1,"\#(Self.digest)"]]"#))
    XCTAssertEqual(
      page.packs[7]?.url, "https://h/pub/catalog.ndjson.packs/" + Self.digest)
    XCTAssertEqual(page.packs[7]?.size, 1_000)
    XCTAssertEqual(page.packs[8]?.size, 1)
    XCTAssertNil(page.packs[9])
  }

  /// A hint that can't be read is none, and the catalog is read all the same.
  func testWhatCannotBeReadIsPassedOver() throws {
    let good = #"[7,1000,"\#(Self.digest)"]"#
    for list in [
      "7", "{}", "[]", "[7]", "[[7]]", #"[[7,1000,"x"]]"#, #"[[-1,1000,"\#(Self.digest)"]]"#,
      #"[[7,0,"\#(Self.digest)"]]"#, #"[[7.5,1,"\#(Self.digest)"]]"#,
      #"[[7,1000,"\#(Self.digest)",1]]"#, #"[[4294967296,1000,"\#(Self.digest)"]]"#,
    ] {
      XCTAssertTrue(try page(header(list)).packs.isEmpty, list)
    }
    for place in [
      "", #","packsAt":7"#, #","packsAt":"ftp://h/""#, #","packsAt":"http://h/""#,
      #","packsAt":"file:///etc/""#, #","packsAt":"https://u:p@h/""#, #","packsAt":"p/?a=b""#,
    ] {
      XCTAssertTrue(try page(header("[\(good)]", at: place)).packs.isEmpty, place)
    }
    XCTAssertEqual(try page(header("[[1],\(good),7,\(good)]")).packs.packs.count, 1)
  }

  func testAHeaderWithAMillionPacksHasNone() throws {
    let list = String(repeating: "[],", count: 999_999) + "[]"
    let page = try page(header("[\(list)]") + #"{"key":"a","pack":[1,0]}"# + "\n")
    XCTAssertTrue(page.packs.isEmpty)
    XCTAssertEqual(page.entries.count, 1)
  }

  func testAListingOfManyPagesHasNoMorePacksThanOneHeader() {
    let pack = ListedPacks.Pack(
      size: 1, sha256: SHA256Digest(of: [UInt8]()), directory: "https://h/")
    let some = { (numbers: Range<Int>) in
      ListedPacks(Dictionary(uniqueKeysWithValues: numbers.map { (UInt32($0), pack) }))
    }
    var packs = some(0..<10_000)
    packs.add(some(5_000..<ListedPacks.most))
    XCTAssertEqual(packs.packs.count, ListedPacks.most)
    packs.add(some(0..<100))
    packs.add(some(100..<ListedPacks.most + 1))
    XCTAssertEqual(packs.packs.count, ListedPacks.most)
  }

  func testAPlaceIsReadOfAnEntryAndOfItsPreviewAndKeptInNeitherExtra() throws {
    let page = try page(
      header("[]") + """
        {"key":"a","size":3,"pack":[7,12],"tag":1,"preview":{"url":"p","pack":[8,0]}}
        {"key":"b","size":3,"pack":[7,4294967295]}

        """)
    let entries = page.entries.compactMap { entry -> CatalogEntry? in
      if case .entry(let entry, _) = entry { entry } else { nil }
    }
    XCTAssertEqual(entries.first?.pack, PackPlace(pack: 7, offset: 12))
    XCTAssertEqual(entries.first?.preview?.hint.place, PackPlace(pack: 8, offset: 0))
    XCTAssertEqual(entries.first?.extra, #"{"tag":1}"#)
    XCTAssertEqual(entries.last?.pack, PackPlace(pack: 7, offset: .max))
    XCTAssertNil(entries.last?.extra)
  }

  func testAPlaceThatCannotBeReadIsNoneAndNoError() throws {
    for place in [
      "7", "[]", "[7]", "[7,-1]", "[7,1,1]", #"["7",1]"#, "[7,4294967296]", "[1.5,1]", "null",
      #"{"a":1}"#, "[[7,1]]", "true",
    ] {
      let page = try page(
        header("[]") + #"{"key":"a","pack":\#(place),"preview":{"url":"p","pack":\#(place)}}"#
          + "\n")
      guard case .entry(let entry, _)? = page.entries.first else { return XCTFail(place) }
      XCTAssertNil(entry.pack, place)
      XCTAssertNil(entry.preview?.hint.place, place)
      XCTAssertNil(entry.extra, place)
    }
  }

  func testAPlaceIsNoPartOfWhatAnEntryIsAndIsKeptWhereEntriesArePacked() throws {
    var entry = CatalogEntry(
      key: CatalogKey("d/a"), locators: ["https://h/d/a"],
      version: .digest(SHA256Digest(of: "a".utf8)))
    entry.size = 5
    var other = entry
    other.pack = PackPlace(pack: 3, offset: 9)
    XCTAssertEqual(entry, other)
    XCTAssertEqual(Set([entry, other]).count, 1)
    var list: [ListedEntry] = [
      .entry(other, settled: true), .entry(entry, settled: true), .entry(other, settled: true),
    ]
    list.pack(list.indices)
    let places = list.map { listed in
      if case .entry(let entry, _) = listed { entry.pack } else { PackPlace(pack: 0, offset: 0) }
    }
    XCTAssertEqual(places, [other.pack, nil, other.pack])
    guard case .entry(let packed, _) = list[0] else { return XCTFail("it is an entry") }
    XCTAssertNotNil(packed.packedKey)
    XCTAssertEqual(packed.size, 5)
  }
}
