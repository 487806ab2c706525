import Foundation
import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// What a folder has lost of a catalog that it knows comes in packs again.
final class LostInPacksTests: RunTestCase {
  private let things = (0..<90).map { Thing("d\($0 / 10)/\($0)", "text \($0)") }

  private var texts: [String: String] {
    Dictionary(things.map { ($0.key, $0.text) }, uniquingKeysWith: { $1 })
  }

  private func copy(etag: String? = "\"1\"") async throws {
    try servePacked(things, each: 30, etag: etag)
    try await syncWell()
    XCTAssertEqual(askedOfPacks.count, 3)
  }

  private func lose(_ count: Int) throws {
    for thing in things.prefix(count) { try remove(thing.key) }
  }

  /// How often the catalog was asked for, and how often as if nothing were known of it.
  private var askedForCatalog: [Int] {
    let asked = site.log.filter { $0.address.text == Self.catalogURL }
    return [asked.count, asked.count { $0.headers["If-None-Match"] == nil }]
  }

  func testManyFilesOfAnUnchangedCatalogComeInPacksForOneMoreLookAtIt() async throws {
    try await copy()
    try lose(80)
    site.forgetLog()
    let plan = try await mirror().plan()
    XCTAssertEqual([plan.packed, plan.packRequests, plan.packParts], [80, 3, 0])
    XCTAssertTrue(plan.wasUnchanged)
    let report = try await syncWell()
    XCTAssertEqual(askedForCatalog, [2, 1])
    XCTAssertEqual([report.repaired, report.packed, report.packRequests], [80, 80, 3])
    XCTAssertEqual(askedByThemselves, [])
    XCTAssertEqual(try tree(), texts)
    try await assertIndexIsTrue()
    let later = try await syncWell()
    XCTAssertEqual(later.repaired, 0)
    XCTAssertEqual(askedForCatalog, [1, 0])
  }

  func testAFewComeByThemselves() async throws {
    try await copy()
    try lose(63)
    try await syncWell()
    XCTAssertEqual(askedForCatalog, [1, 0])
    XCTAssertEqual(askedOfPacks, [])
    XCTAssertEqual(askedByThemselves.count, 63)
  }

  func testACatalogWithoutPacksIsNotReadAgain() async throws {
    try await syncWell(to: things, etag: "\"1\"")
    try lose(80)
    try await syncWell()
    XCTAssertEqual(askedForCatalog, [1, 0])
    XCTAssertEqual(askedByThemselves.count, 80)
  }

  func testWhoWantsNoPacksReadsNothingForThem() async throws {
    try await copy()
    try lose(80)
    try await syncWell { $0.usesPacks = false }
    XCTAssertEqual(askedForCatalog, [1, 0])
    XCTAssertEqual(askedOfPacks, [])
  }

  /// Of lines that are known no place is known either.
  func testOfACatalogThatChangedElsewhereTheyComeInPacksToo() async throws {
    try await copy()
    try lose(80)
    try servePacked(things + [Thing("new/1", "one"), Thing("new/2", "two")], each: 30, etag: "2")
    let report = try await syncWell()
    XCTAssertEqual([report.added, report.repaired, report.packed], [2, 80, 82])
    XCTAssertEqual(askedByThemselves, [])
    try await assertIndexIsTrue()
  }

  /// It was published once more between the two looks.
  func testWhatChangedMeanwhileComesByItself() async throws {
    try await copy()
    try lose(80)
    let (shelf, packed) = PackShelf.packing(
      things.map { Thing($0.key, $0.key == "d0/3" ? "other" : $0.text) }, each: 30)
    let newer = try catalog(packed, header: shelf.header)
    let honest = shelf.responder()
    site.respond { request in
      guard request.address.text == Self.catalogURL else { return honest(request) }
      return request.headers["If-None-Match"] == nil ? .text(newer) : .status(304)
    }
    let report = try await syncWell()
    XCTAssertEqual(report.packed, 79)
    XCTAssertEqual(askedByThemselves, ["d0/3"])
    XCTAssertEqual(try tree(), texts)
  }

  func testACatalogThatCannotBeReadAgainCostsNoFile() async throws {
    try await copy()
    try lose(80)
    site.respond { request in
      guard request.address.text == Self.catalogURL else { return nil }
      return request.headers["If-None-Match"] == nil ? .text("<p>log in") : .status(304)
    }
    try await syncWell()
    XCTAssertEqual(askedByThemselves.count, 80)
    XCTAssertEqual(try tree(), texts)
  }
}
