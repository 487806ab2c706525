import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// The bytes of small files lie in packs beside the catalog, one after the other.
final class PackWritingTests: PackingTestCase {
  func testSmallFilesLieInAPackInTheOrderOfTheCatalogAfterThePreviews() throws {
    try writeFiles(0..<70)
    for number in 10..<20 { try write("thumbs/f\(number).png", "preview \(number)") }
    try write("thumbs/of-nothing.png", "nothing")
    let report = try pack { $0.previews = "thumbs" }
    XCTAssertEqual(report.packs?.named, 1)
    XCTAssertEqual(report.packs?.written, 1)
    XCTAssertEqual(report.packs?.files, 80)
    XCTAssertEqual(report.packs?.waiting, 0)
    try assertPacksAreTrue()
    let places = try places()
    XCTAssertEqual(places.count, 80)
    let order = places.sorted { $0.value.offset < $1.value.offset }.map(\.key)
    XCTAssertEqual(
      order,
      (10..<20).map { "preview of f\($0)" } + (0..<70).map { "f\($0)" }.sorted())
    XCTAssertEqual(try header()["packsAt"]?.string, "catalog.ndjson.packs/")
    XCTAssertEqual(try named().keys.sorted(), [1])
    XCTAssertEqual(report.packs?.writtenBytes, try named()[1]?.size)
  }

  func testEachPackHasAboutEightMebibytesAndLargerFilesAreInNone() throws {
    try writeFiles(0..<80, size: 256 << 10)
    try writeFiles(0..<2, size: (256 << 10) + 1, "large")
    try write("empty", "")
    let report = try pack()
    XCTAssertEqual(report.packs?.files, 80)
    try assertPacksAreTrue()
    XCTAssertEqual(try named().values.map(\.size).sorted(), [4 << 20, 8 << 20, 8 << 20])
    XCTAssertFalse(try places().keys.contains { $0.hasPrefix("large") || $0 == "empty" })
  }

  func testFilesOfTheSameBytesShareAPlace() throws {
    try writeFiles(0..<64)
    for number in 0..<64 { try write("copy\(number)", "the same") }
    XCTAssertEqual(try pack().packs?.files, 128)
    try assertPacksAreTrue()
    let copies = try places().filter { $0.key.hasPrefix("copy") }
    XCTAssertEqual(Set(copies.values.map(\.offset)).count, 1)
    XCTAssertEqual(copies.count, 64)
  }

  func testTooFewFilesAreNotPackedAndLeaveNothing() throws {
    try writeFiles(0..<63)
    let report = try pack()
    XCTAssertEqual(report.packs?.waiting, 63)
    XCTAssertEqual(report.packs?.named, 0)
    XCTAssertFalse(FileManager.default.fileExists(atPath: packs.path))
    XCTAssertNil(try header()["packs"])
    XCTAssertNil(try header()["packsAt"])
    try writeFiles(63..<64)
    XCTAssertEqual(try pack().packs?.files, 64)
    try assertPacksAreTrue()
  }

  func testFewFilesOfManyBytesArePacked() throws {
    try writeFiles(0..<2, size: 128 << 10)
    XCTAssertEqual(try pack().packs?.files, 2)
    try assertPacksAreTrue()
  }

  /// Whoever turns it on later has everything packed that is known by then.
  func testAFolderThatWasPublishedWithoutPacksGetsThem() throws {
    try writeFiles(0..<100)
    _ = try writer().write()
    let report = try pack()
    XCTAssertEqual(report.packs?.files, 100)
    XCTAssertEqual(report.hashed, 0)
    try assertPacksAreTrue()
    let again = try pack()
    XCTAssertFalse(again.wasReplaced)
    XCTAssertEqual(again.packs?.written, 0)
  }

  func testASignedCatalogHasItsLastMembersLastAndIsBelieved() throws {
    try writeFiles(0..<64)
    let keys = try SigningKeys("good", in: try temporaryFolder())
    _ = try pack { $0.signKeys = [keys.privateFile.path] }
    try assertPacksAreTrue()
    let names = try header().members?.map { String(decoding: $0.name, as: UTF8.self) } ?? []
    XCTAssertEqual(Array(names.suffix(2)), ["body", "signature"])
    XCTAssertTrue(names.contains("packs"))
    XCTAssertFalse(try pack { $0.signKeys = [keys.privateFile.path] }.wasReplaced)
  }

  func testReadersThatKnowNothingOfPacksReadTheCatalog() throws {
    try writeFiles(0..<64)
    _ = try pack()
    let listing = try Golden.listing(Golden.body(Array(try text().utf8)))
    XCTAssertEqual(listing.entries.count, 64)
  }

  func testTheCatalogElsewhereHasItsPacksBesideIt() throws {
    try writeFiles(0..<64, "in/f")
    let report = try CatalogWriter(
      folder: folder.appending(path: "in").path,
      options: {
        var options = CatalogWriter.Options()
        (options.packs, options.directory) = (true, folder.path)
        return options
      }()
    ).write()
    XCTAssertEqual(report.packs?.files, 64)
    try assertPacksAreTrue()
  }
}
