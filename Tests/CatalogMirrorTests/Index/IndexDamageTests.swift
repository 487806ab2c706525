import CatalogMirror
import Foundation
import SyncDatabase
import TestSupport
import XCTest
@testable import SyncText

final class IndexDamageTests: XCTestCase {
  func testAFileThatIsNoIndexIsDamage() async throws {
    let path = try temporaryIndexPath()
    try Data(repeating: 7, count: 3_000).write(to: URL(filePath: path))
    await assertFails(.damaged) { _ = try await MirrorIndex.open(path: path) }
  }

  func testAnEmptiedIndexIsAnEmptyIndex() async throws {
    let path = try temporaryIndexPath()
    try Data().write(to: URL(filePath: path))
    let index = try await MirrorIndex.open(path: path)
    try await assertEqual(index.read { try $0.counts() }, IndexCounts())
  }

  func testAnIndexOfANewerVersionIsRefused() async throws {
    let path = try temporaryIndexPath()
    await (try await MirrorIndex.open(path: path)).close()
    try Connection(path: path).run("INSERT INTO migrations (name) VALUES ('future')")
    await assertFails(.newerVersion(["future"])) { _ = try await MirrorIndex.open(path: path) }
  }

  func testContentThatMakesNoSenseIsDamage() async throws {
    let path = try temporaryIndexPath()
    let nonsense: [StaticString] = [
      "UPDATE items SET version = x'00'", "UPDATE items SET version = x''",
      "UPDATE items SET version = CAST('tx:y' AS BLOB)", "UPDATE items SET sha256 = x'0011'",
      "UPDATE items SET other_locators = '{'", "UPDATE items SET title = CAST(x'ff' AS TEXT)",
      "UPDATE items SET content_version = x'75'", "ALTER TABLE items RENAME TO itemz",
    ]
    for statement in nonsense {
      try? FileManager.default.removeItem(atPath: path)
      let index = try await MirrorIndex.open(path: path)
      try await index.write { try $0.record([.entry(.plain("a"))]) }
      await index.close()
      try Connection(path: path).execute(statement)
      await assertFails(.damaged) {
        let index = try await MirrorIndex.open(path: path)
        try await index.read { try $0.forEachItem { _ in } }
      }
    }
  }

  // A seeded walk over single faults: whatever the bytes, the answer is a value or an error.
  func testFlippedBytesNeverCrash() async throws {
    let original = try await filledIndex()
    let whole = try Data(contentsOf: URL(filePath: original))
    let path = try temporaryIndexPath()
    var seed: UInt64 = 42
    var refused = 0
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0..<4 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % bytes.count] ^= UInt8(1 << (seed >> 24 & 7))
      }
      try bytes.write(to: URL(filePath: path))
      do {
        let index = try await MirrorIndex.open(path: path, synchronous: .off)
        try await index.read { try $0.forEachItem { _ in } }
        try await index.write { try $0.record([.content(.plain("key 7"), .plain())]) }
        await index.close()
      } catch let error as DatabaseError {
        refused += 1
        XCTAssertTrue([.damaged, .cannotOpen].contains(error.code), "\(error)")
      }
      try? FileManager.default.removeItem(atPath: path + "-wal")
    }
    XCTAssertGreaterThan(refused, 10)
  }

  /// A row about a file that was being placed makes the file ours: with another key or another
  /// digest it would make somebody else's file ours.
  func testABitThatFlippedInTheRowOfAFileThatIsBeingPlacedIsDamage() async throws {
    let path = try temporaryIndexPath()
    let index = try await MirrorIndex.open(path: path)
    var content = IndexedContent.plain()
    content.etag = "the tag of it"
    content.lastModified = "the date of it"
    let mark = PlacementMark(
      key: CatalogKey("the key of it"), locator: "the place of it", content: content)
    try await index.write { try $0.markPlacing([mark]) }
    await index.close()
    let whole = try Data(contentsOf: URL(filePath: path))
    for text in ["the key of it", "the place of it", "the tag of it", "the date of it"] {
      let found = try XCTUnwrap(whole.range(of: Data(text.utf8)), text)
      var damaged = whole
      damaged[found.upperBound - 1] ^= 1
      try damaged.write(to: URL(filePath: path))
      await assertFails(.damaged) {
        let index = try await MirrorIndex.open(path: path)
        _ = try await index.read { try $0.unfinishedPlacements() }
      }
    }
    try whole.write(to: URL(filePath: path))
    let mended = try await MirrorIndex.open(path: path)
    try await assertEqual(mended.read { try $0.unfinishedPlacements() }, [mark])
    await mended.close()
  }

  private func filledIndex() async throws -> String {
    let path = try temporaryIndexPath()
    let index = try await MirrorIndex.open(path: path)
    let changes = (0..<40).map { IndexChange.content(.plain("key \($0)"), .plain()) }
    try await index.write { writer in
      try writer.record(changes)
      try writer.setValue("id", for: .folderID)
    }
    await index.close()
    return path
  }
}
