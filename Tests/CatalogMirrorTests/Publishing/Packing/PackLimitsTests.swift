import Foundation
import SyncFiles
import SyncFolder
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// What a catalog has no room for, or what may not be touched now.
final class PackLimitsTests: PackingTestCase {
  private func renumber(_ old: Int64, _ new: String) throws {
    var text = try text()
    for start in ["\"packs\":[[", "\"pack\":["] {
      text = text.replacingOccurrences(of: "\(start)\(old),", with: "\(start)\(new),")
    }
    try Data(text.utf8).write(to: folder.appending(path: "catalog.ndjson"))
  }

  func testWhenIdsHaveRunOutNoPackIsAddedAndThatIsTold() throws {
    try writeFiles(0..<80)
    XCTAssertEqual(try pack().packs?.hasNoID, false)
    try renumber(1, "4294967295")
    let before = try places()
    try writeFiles(80..<160)
    let report = try pack()
    XCTAssertEqual(report.packs?.hasNoID, true)
    XCTAssertEqual(report.packs?.waiting, 80)
    XCTAssertEqual(report.packs?.files, 80)
    XCTAssertEqual(try places(), before)
    XCTAssertEqual(try named().keys.sorted(), [.max])
    try assertPacksAreTrue()
    // It is remembered, though no such pack is named any more.
    try writeFiles(0..<80, round: 1)
    XCTAssertEqual(try pack().packs?.hasNoID, true)
    XCTAssertFalse(try pack().wasReplaced)
  }

  /// Readers take none of them: they are packed anew, under numbers that readers take.
  func testIdsBeyondThoseThatReadersTakeAreNone() throws {
    for id in ["4294967296", "17000000000000", "9223372036854775807"] {
      try writeFiles(0..<80)
      _ = try pack()
      try renumber(Int64(try XCTUnwrap(named().keys.first)), id)
      let report = try pack()
      XCTAssertEqual(report.packs?.files, 80, id)
      XCTAssertEqual(report.packs?.hasNoID, false, id)
      let listing = try Golden.listing(Golden.body(Array(try text().utf8)))
      XCTAssertEqual(listing.packs.packs.count, 1, id)
      try assertPacksAreTrue()
    }
  }

  func testAHeaderThatHasRoomForFewPacksNamesTheLargest() throws {
    try writeFiles(0..<70, size: 256 << 10)
    _ = try pack()
    let sizes = try named().values.map(\.size).sorted()
    XCTAssertEqual(sizes, [3 << 19, 8 << 20, 8 << 20])
    let report = try pack { $0.title = String(repeating: "a", count: 166_290) }
    XCTAssertEqual(report.packs?.named, 2)
    XCTAssertEqual(report.packs?.waiting, 6)
    XCTAssertEqual(try named().values.map(\.size), [8 << 20, 8 << 20])
    try assertPacksAreTrue()
  }

  /// Somebody else may be placing packs that no catalog names yet.
  func testWithoutTheLockNoPackIsRemoved() throws {
    try writeFiles(0..<80)
    _ = try pack()
    let (fileSystem, digits) = (SystemFileSystem(), String(repeating: "0a", count: 32))
    try write("catalog.ndjson.packs/\(digits)", "another one's, in a moment")
    let root = try Descriptor.open(
      userPath: folder.path, [.reading, .directory], in: fileSystem)
    let place = try CatalogPlace("catalog.ndjson", in: root, at: folder.path)
    var options = CatalogWriter.Options()
    options.packs = true
    for right in [CatalogPlace.Right.write(nil), .look(because: .noRights)] {
      var packs = try PublishedPacks(
        options, at: place, by: right, remembering: PackMemory(), now: 1, until: StopFlag(),
        told: { _ in })
      packs.sweep(keeping: .zero, now: 1)
      XCTAssertTrue(try filesOfPacks().contains(digits))
    }
    _ = try pack { $0.keepPacks = .zero }
    XCTAssertFalse(try filesOfPacks().contains(digits))
  }

  func testReadingPacksEndsWhenItIsToStop() throws {
    try writeFiles(0..<80)
    _ = try pack()
    let root = try Descriptor.open(
      userPath: folder.path, [.reading, .directory], in: SystemFileSystem())
    guard case .own(let directory) = try PackDirectory.find(beside: "catalog.ndjson", in: root)
    else { return XCTFail("somebody else's") }
    let (pack, stop) = (try XCTUnwrap(named().values.first), StopFlag())
    XCTAssertTrue(try directory.isWhole(pack, until: stop))
    stop.raise()
    XCTAssertThrowsError(try directory.isWhole(pack, until: stop)) { error in
      XCTAssertTrue(error is CancellationError, "\(error)")
    }
  }
}
