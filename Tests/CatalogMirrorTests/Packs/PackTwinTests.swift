import Foundation
import SyncTransport
import TestSupport
import XCTest

@testable import CatalogMirror

/// Several entries that are said to lie at one place in a pack: each gets its own bytes, and its
/// own date.
final class PackTwinTests: RunTestCase {
  /// Of one size.
  private let things = (10..<40).map { Thing("\($0)", "text \($0)") }

  private func serve(_ things: [Thing], from shelf: PackShelf) throws {
    try serve(things, header: shelf.header)
    site.respond(shelf.responder())
    site.forgetLog()
  }

  private func texts(_ things: [Thing]) -> [String: String] {
    Dictionary(things.map { ($0.key, $0.text) }, uniquingKeysWith: { $1 })
  }

  func testOfManyFilesAtOnePlaceEachHasItsOwnBytes() async throws {
    let (shelf, packed) = PackShelf.packing(things)
    let misplaced = packed.map { thing in Thing(thing.key, thing.text) { $0.pack = [1, 0] } }
    try serve(misplaced, from: shelf)
    let report = try await mirror().sync()
    assertEnds(report)
    XCTAssertEqual(try tree(), texts(things))
    XCTAssertEqual(report.packed, 1, "one has the bytes that lie there")
    XCTAssertEqual(askedByThemselves.count, 29)
    let alone = site.log.filter { $0.address.text == Self.root + "39" }
    XCTAssertEqual(alone.first?.headers["Cache-Control"], "no-cache")
    XCTAssertEqual(try inside("staging"), [:])
    try await assertIndexIsTrue()
  }

  func testOfManyPreviewsAtOnePlaceEachHasItsOwnBytes() async throws {
    var shown = things
    for place in shown.indices {
      shown[place].preview = .init(url: "p/\(place).webp", text: "preview \(shown[place].key)")
    }
    var (shelf, packed) = PackShelf.packing(shown)
    let first = packed[0].preview?.pack
    for place in packed.indices { packed[place].preview?.pack = first }
    try serve(packed, from: shelf)
    let report = try await mirror { $0.previews = .also }.sync()
    assertEnds(report)
    XCTAssertEqual([report.previews, report.packed], [30, 31])
    XCTAssertEqual(Set(try inside("previews").values), Set(shown.map { $0.preview?.text ?? "" }))
    try await assertIndexIsTrue()
  }

  /// It has no digest, by which it could be checked.
  func testWhatMayNotComeInAPackTakesNoCopyOfWhatDoes() async throws {
    var (shelf, packed) = PackShelf.packing([Thing("a", "1234"), Thing("b", "5")])
    packed.append(
      Thing("c", "9999") {
        $0.hasDigest = false
        $0.pack = packed[0].pack
      })
    try serve(packed, from: shelf)
    let report = try await mirror().sync()
    assertEnds(report)
    XCTAssertEqual(try tree(), ["a": "1234", "b": "5", "c": "9999"])
    XCTAssertEqual(report.packed, 2)
    XCTAssertEqual(askedByThemselves, ["c"])
  }

  func testFilesOfEqualBytesHaveTheirOwnDates() async throws {
    let (shelf, packed) = PackShelf.packing([Thing("a", "same"), Thing("b", "other")])
    var things = packed
    for (place, key) in ["z", "c", "y", "d"].enumerated() {
      things.append(
        Thing(key, "same") {
          $0.pack = packed[0].pack
          $0.modified = "201\(place)-01-01T00:00:00Z"
        })
    }
    try serve(things, from: shelf)
    let report = try await mirror().sync()
    assertEnds(report)
    XCTAssertEqual(report.packed, 6)
    let dates = try ["z", "c", "y", "d"].map { key in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(key)")
      return (attributes[.modificationDate] as? Date)?.timeIntervalSince1970
    }
    XCTAssertEqual(dates, [1_262_304_000, 1_293_840_000, 1_325_376_000, 1_356_998_400])
  }

  func testWhatStoodThereTakesNoCopyAway() async throws {
    let (shelf, packed) = PackShelf.packing([Thing("a", "same"), Thing("x", "other")])
    let twins = ["b", "c"].map { key in Thing(key, "same") { $0.pack = packed[0].pack } }
    try place("same", at: "b")
    try serve(packed + twins, from: shelf)
    let mirror = mirror()
    let report = try await mirror.sync()
    assertEnds(report)
    XCTAssertEqual([report.adopted, report.added, report.packed], [1, 3, 3])
    XCTAssertEqual(askedByThemselves, [])
    XCTAssertEqual(try tree(), ["a": "same", "b": "same", "c": "same", "x": "other"])
    XCTAssertEqual(mirror.progress.bytesDone, mirror.progress.bytesTotal)
  }

  /// Of files of very many equal bytes, as many come in a pack as there is room for.
  func testTwinsThatTakeMuchRoomComeAllTheSame() async throws {
    let text = String(repeating: "x", count: 1 << 20)
    let (shelf, packed) = PackShelf.packing([Thing("0", text)])
    let things = (0..<40).map { number in
      Thing("\(number)", text) { $0.pack = packed[0].pack }
    }
    try serve(things, from: shelf)
    let report = try await mirror().sync()
    assertEnds(report)
    XCTAssertEqual(report.added, 40)
    XCTAssertEqual(report.packed, 32)
    XCTAssertEqual(Set(try tree().values), [text])
    XCTAssertEqual(askedOfPacks, ["all"])
  }
}
