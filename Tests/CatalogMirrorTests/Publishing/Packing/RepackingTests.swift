import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// What is published again stays in its pack, and packs stay few and full.
final class RepackingTests: PackingTestCase {
  func testWhatIsUnchangedStaysWhereItIs() throws {
    try writeFiles(0..<200)
    _ = try pack()
    let (before, packs) = (try places(), try filesOfPacks())
    try writeFiles(0..<10, round: 1)
    let report = try pack()
    XCTAssertEqual(report.packs?.written, 0)
    XCTAssertEqual(report.packs?.waiting, 10)
    XCTAssertEqual(report.hashed, 10)
    try assertPacksAreTrue()
    let changed = Set((0..<10).map { "f\($0)" })
    XCTAssertEqual(try places(), before.filter { !changed.contains($0.key) })
    XCTAssertEqual(try filesOfPacks(), packs)
  }

  func testChangedFilesWaitUntilEnoughHaveGathered() throws {
    try writeFiles(0..<300)
    _ = try pack()
    let before = try places()
    try writeFiles(0..<63, round: 1)
    XCTAssertEqual(try pack().packs?.waiting, 63)
    XCTAssertFalse(try pack().wasReplaced)
    try writeFiles(63..<64, round: 1)
    let report = try pack()
    XCTAssertEqual(report.packs?.waiting, 0)
    XCTAssertEqual(report.packs?.written, 1)
    // Those that had waited are read for it; only one was hashed, as its bytes weren't known.
    XCTAssertEqual(report.hashed, 1)
    try assertPacksAreTrue()
    let after = try places()
    for number in 64..<300 { XCTAssertEqual(after["f\(number)"], before["f\(number)"]) }
    XCTAssertEqual(Set(after.values.map(\.pack)), [1, 2])
  }

  func testAMovedFileKeepsItsPlaceAndIsNotWrittenAgain() throws {
    try writeFiles(0..<100)
    _ = try pack()
    let before = try places()
    try makeFolder(at: folder.appending(path: "moved"))
    for number in 0..<100 {
      try FileManager.default.moveItem(
        at: folder.appending(path: "f\(number)"), to: folder.appending(path: "moved/f\(number)"))
    }
    let report = try pack()
    XCTAssertEqual(report.packs?.written, 0)
    XCTAssertEqual(report.packs?.files, 100)
    try assertPacksAreTrue()
    XCTAssertEqual(try places()["moved/f7"], before["f7"])
  }

  func testAPackWithLessThanHalfOfLiveBytesIsWrittenAnew() throws {
    try writeFiles(0..<200)
    _ = try pack()
    let first = try filesOfPacks()
    try writeFiles(0..<101, round: 1)
    let report = try pack { $0.keepPacks = .zero }
    XCTAssertEqual(report.packs?.named, 1)
    XCTAssertEqual(report.packs?.files, 200)
    XCTAssertEqual(report.packs?.removed, 1)
    try assertPacksAreTrue()
    XCTAssertTrue(try filesOfPacks().isDisjoint(with: first))
    XCTAssertEqual(try named().keys.sorted(), [2])
  }

  func testEightSmallPacksBecomeOne() throws {
    for round in 0..<8 {
      try writeFiles(round * 64..<(round + 1) * 64)
      let report = try pack { $0.keepPacks = .zero }
      XCTAssertEqual(report.packs?.named, round < 7 ? round + 1 : 1)
      try assertPacksAreTrue()
    }
    XCTAssertEqual(try named().keys.sorted(), [8])
    XCTAssertEqual(try filesOfPacks().count, 1)
  }

  /// A number that a reader may have met means one pack for ever.
  func testAnIdIsNeverGivenAgain() throws {
    try writeFiles(0..<64)
    _ = try pack()
    try writeFiles(0..<64, round: 1)
    _ = try pack { $0.keepPacks = .zero }
    XCTAssertEqual(try named().keys.sorted(), [2])
    for number in 0..<64 {
      try FileManager.default.removeItem(at: folder.appending(path: "f\(number)"))
    }
    XCTAssertEqual(try pack { $0.keepPacks = .zero }.packs?.named, 0)
    XCTAssertNil(try header()["packs"])
    try writeFiles(0..<64, round: 2)
    _ = try pack()
    XCTAssertEqual(try named().keys.sorted(), [3])
    // Without a memory, the number is one that no pack can have had.
    try FileManager.default.removeItem(
      at: folder.appending(path: ".catalog.ndjson.mirror-state"))
    try writeFiles(0..<64, round: 3)
    _ = try pack()
    XCTAssertGreaterThan(try XCTUnwrap(named().keys.max()), 1_700_000_000)
  }

  func testWithoutAMemoryEveryFileIsReadAndKeepsItsPlace() throws {
    try writeFiles(0..<200)
    _ = try pack()
    let before = try text()
    try FileManager.default.removeItem(at: folder.appending(path: ".catalog.ndjson.mirror-state"))
    let report = try pack()
    XCTAssertEqual(report.hashed, 200)
    XCTAssertEqual(report.packs?.written, 0)
    XCTAssertFalse(report.wasReplaced)
    XCTAssertEqual(try text(), before)
  }

  func testAPackThatIsGoneOrCutIsMadeAgain() throws {
    try writeFiles(0..<100)
    _ = try pack()
    let file = packs.appending(path: try XCTUnwrap(filesOfPacks().first))
    try FileManager.default.removeItem(at: file)
    XCTAssertEqual(try pack().packs?.written, 1)
    try assertPacksAreTrue()
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 17)
    try handle.close()
    XCTAssertEqual(try pack().packs?.written, 1)
    try assertPacksAreTrue()
  }

  func testAPackWithAnotherByteIsMadeAgainByRehash() throws {
    try writeFiles(0..<100)
    _ = try pack()
    let file = packs.appending(path: try XCTUnwrap(filesOfPacks().first))
    var bytes = try Data(contentsOf: file)
    bytes[7] ^= 1
    try bytes.write(to: file)
    XCTAssertEqual(try pack().packs?.written, 0)
    XCTAssertEqual(try pack { $0.rehashes = true }.packs?.written, 1)
    try assertPacksAreTrue()
    XCTAssertEqual(try pack { $0.rehashes = true }.packs?.written, 0)
  }

  func testWithoutPacksTheCatalogNamesNoneAndTheirDirectoryIsNoEntry() throws {
    try writeFiles(0..<100)
    _ = try pack()
    let report = try writer { $0.packs = false }.write()
    XCTAssertTrue(report.wasReplaced)
    XCTAssertEqual(report.entries, 100)
    XCTAssertNil(try header()["packs"])
    XCTAssertFalse(try text().contains("\"pack\""))
    let other = try writer { $0.fileName = "other.ndjson" }.write()
    XCTAssertEqual(other.entries, 101)  // the first catalog, and nothing of its packs
  }

  /// Small changes of files that are told apart by nothing but their bytes.
  func testAfterAnyChangesPacksAreTrue() throws {
    var random = SeededGenerator(seed: 11)
    var sizes: [Int: Int] = [:]
    for round in 0..<12 {
      for _ in 0..<Int.random(in: 1...120, using: &random) {
        let number = Int.random(in: 0..<200, using: &random)
        let file = folder.appending(path: "f\(number)")
        if random.oneIn(5), sizes[number] != nil {
          try FileManager.default.removeItem(at: file)
          sizes[number] = nil
        } else {
          sizes[number] = Int.random(in: 20...4_000, using: &random)
          try writeFiles(number...number, size: sizes[number] ?? 20, round: round)
        }
      }
      // What was only just written isn't remembered, and read again.
      let report = try pack(ahead: random.oneIn(2) ? 60 : 0) {
        $0.keepPacks = random.oneIn(2) ? .zero : .seconds(60)
      }
      try assertPacksAreTrue()
      XCTAssertEqual(report.entries, sizes.count)
      XCTAssertLessThan(report.packs?.waiting ?? 0, 64)
    }
  }
}
