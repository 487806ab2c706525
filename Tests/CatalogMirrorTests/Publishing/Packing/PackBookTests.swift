import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// What the last catalog says of packs is read, and whatever else it says does no harm.
final class PackBookTests: PackingTestCase {
  private let digest = String(repeating: "ab", count: 32)

  private func book(_ header: String, _ lines: String...) -> PackBook {
    PackBook(catalog: Array(([header] + lines).map { $0 + "\n" }.joined().utf8))
  }

  func testPlacesAreReadWhereverTheyStandInALine() throws {
    let header = #"{"catalog":1,"packs":[[7,100,"\#(digest)"]],"packsAt":"p/"}"#
    let sha = #""sha256":"\#(digest)""#
    let place = PackPlace(pack: 7, offset: 90)
    for line in [
      #"{"key":"a","size":10,\#(sha),"pack":[7,90]}"#,
      #"{"pack":[7,90],\#(sha),"size":10,"key":"\"\u0041"}"#,
      #"{ "key" : "a", "size" : 10, \#(sha), "pack" : [ 7 , 90 ], "x":{"pack":[1,1]} }"#,
      #"{"key":"a","size":5,"preview":{"url":"p","size":10,\#(sha),"pack":[7,90]}}"#,
    ] {
      let digest = try XCTUnwrap(SHA256Digest(hexadecimal: digest))
      XCTAssertEqual(book(header, line).place(of: digest), place, line)
    }
  }

  func testAPlaceCountsOnlyInsideOfAPackThatIsNamedAndBesideSizeAndDigest() throws {
    let header = #"{"catalog":1,"packs":[[7,100,"\#(digest)"]],"packsAt":"p/"}"#
    let sha = #""sha256":"\#(digest)""#
    for line in [
      #"{"key":"a","size":11,\#(sha),"pack":[7,90]}"#, #"{"key":"a",\#(sha),"pack":[7,90]}"#,
      #"{"key":"a","size":0,\#(sha),"pack":[7,90]}"#, #"{"key":"a","size":10,"pack":[7,90]}"#,
      #"{"key":"a","size":10,\#(sha),"pack":[8,90]}"#, #"{"key":"a","size":10,\#(sha)}"#,
      #"{"key":"a","size":10,\#(sha),"pack":[7,-1]}"#, #"{"key":"a","size":10,\#(sha),"pack":[7]}"#,
      #"{"key":"a","size":10,\#(sha),"pack":[7,9223372036854775807]}"#,
      #"{"key":"a","size":9223372036854775807,\#(sha),"pack":[7,1]}"#,
      #"{"key":"a","size":10,\#(sha),"pack":"7"}"#, "nonsense", "",
    ] {
      let digest = try XCTUnwrap(SHA256Digest(hexadecimal: digest))
      XCTAssertNil(book(header, line).place(of: digest), line)
    }
  }

  func testRowsThatAreNoPacksAreLeftOut() {
    let rows = [
      #"[1,5,"\#(digest)"]"#, #"[1,6,"\#(digest)"]"#, "[2,5]", "[3,0,\"\(digest)\"]", "4",
      #"[5,5,"ab"]"#, #"[-1,5,"\#(digest)"]"#, #"["6",5,"\#(digest)"]"#,
      #"[4294967296,5,"\#(digest)"]"#, #"[9223372036854775807,5,"\#(digest)"]"#,
    ].joined(separator: ",")
    XCTAssertEqual(book("{\"catalog\":1,\"packs\":[\(rows)]}").named.map(\.size), [5])
    XCTAssertEqual(book("{\"catalog\":1,\"packs\":7}").named, [])
    XCTAssertEqual(book("{\"catalog\":1").named, [])
  }

  /// Any byte may be another one: the next one publishes all the same.
  func testADamagedCatalogIsPublishedAnew() throws {
    try writeFiles(0..<64)
    _ = try pack()
    let whole = Array(try text().utf8)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      var bytes = whole
      bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      for (pack, size) in PackBook(catalog: bytes).shares.map({ ($0.id, $0.size) }) {
        XCTAssertGreaterThan(size, 0, "pack \(pack)")
      }
    }
    for _ in 0..<12 {
      var bytes = whole
      for _ in 0..<20 {
        let place = Int.random(in: 12..<bytes.count, using: &random)
        bytes[place] = .random(in: 48...57, using: &random)
      }
      try Data(bytes).write(to: folder.appending(path: "catalog.ndjson"))
      let report = try pack()
      XCTAssertEqual(report.entries, 64)
      XCTAssertEqual((report.packs?.files ?? 0) + (report.packs?.waiting ?? 0), 64)
    }
  }
}
