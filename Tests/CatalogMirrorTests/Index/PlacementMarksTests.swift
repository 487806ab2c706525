import OneWaySynchronizer
import SyncDatabase
import SyncFiles
import SyncText
import TestSupport
import XCTest

@testable import CatalogMirror

/// What is about to be placed is marked, one row a batch; no mark is lost and none outlives its
/// file's record.
final class PlacementMarksTests: XCTestCase {
  private let marks = [
    PlacementMark(key: CatalogKey("a"), locator: nil, content: .plain()),
    PlacementMark(key: CatalogKey("a/\u{E9}"), locator: "https://c/x", content: .tagged),
    PlacementMark(key: CatalogKey(bytes: [0xFF, 0]), locator: "", content: .adopted),
  ]

  func testMarksAreReadAsTheyWereWritten() async throws {
    let index = try await MirrorIndex.open(path: try temporaryIndexPath())
    try await index.write { [marks] writer in
      try writer.markPlacing([])
      try writer.markPlacing(Array(marks.prefix(2)))
      try writer.markPlacing(Array(marks.suffix(1)))
    }
    let (found, keys) = try await index.read { reader in
      (try reader.unfinishedPlacements(), try reader.placingKeys())
    }
    XCTAssertEqual(found, marks)
    XCTAssertEqual(keys, Set(marks.map(\.key)))
    await index.close()
  }

  func testOnlyTheMarksOfWhatIsRecordedAreForgotten() async throws {
    let index = try await MirrorIndex.open(path: try temporaryIndexPath())
    try await index.write { [marks] in try $0.markPlacing(marks) }
    var left = marks
    for (forgotten, isEmpty) in [(1, false), (0, false), (0, true)] {
      let key = left.remove(at: forgotten).key
      let (found, rows) = try await index.write { writer in
        try writer.forgetPlacing(of: [key, CatalogKey("never marked")])
        return (
          try writer.unfinishedPlacements(),
          try writer.connection.rows("SELECT number FROM placing") { try $0.integer("number") }
        )
      }
      XCTAssertEqual(found, left)
      XCTAssertEqual(rows.isEmpty, isEmpty)
    }
    await index.close()
  }

  /// A file that was placed and not recorded, and is to be placed anew: which of both stands there,
  /// only the disk knows.
  func testASecondMarkOfAFileDoesNotReplaceTheFirst() async throws {
    let index = try await MirrorIndex.open(path: try temporaryIndexPath())
    let second = PlacementMark(key: marks[0].key, locator: nil, content: .tagged)
    let found = try await index.write { [marks] writer in
      try writer.markPlacing(marks)
      try writer.markPlacing([second])
      defer { try? writer.forgetPlacing(of: [second.key]) }
      return try writer.unfinishedPlacements()
    }
    XCTAssertEqual(found, marks + [second])
    try await assertEqual(index.read { try $0.unfinishedPlacements() }, Array(marks.dropFirst()))
    await index.close()
  }

  func testMarksOfAnEarlierReleaseAreCarriedOver() async throws {
    let path = try temporaryIndexPath()
    try makeEarlierIndex(path)
    let index = try await MirrorIndex.open(path: path)
    try await assertEqual(index.read { try $0.unfinishedPlacements() }, marks)
    try await index.write { [marks] in try $0.forgetPlacing(of: marks.map(\.key)) }
    await index.close()
    let again = try await MirrorIndex.open(path: path)
    try await assertEqual(again.read { try $0.unfinishedPlacements() }, [])
    await again.close()
  }

  func testADamagedMarkOfAnEarlierReleaseIsDamage() async throws {
    let path = try temporaryIndexPath()
    try makeEarlierIndex(path)
    var bytes = try Data(contentsOf: URL(filePath: path))
    let place = try XCTUnwrap(bytes.range(of: Data("https://c/x".utf8)))
    bytes[place.upperBound - 1] ^= 1
    try bytes.write(to: URL(filePath: path))
    await assertFails(.damaged) { _ = try await MirrorIndex.open(path: path) }
  }

  func testWhatIsNoListOfMarksIsDamage() {
    let whole = stored(PlacementBatch(marks))
    XCTAssertEqual(PlacementBatch.marks(in: whole), marks)
    XCTAssertEqual(PlacementBatch.keys(in: whole), marks.map(\.key))
    for count in 1..<whole.count {
      let part = Array(whole.prefix(count))
      let read = PlacementBatch.marks(in: part)
      // The end of a mark is the end of a list.
      XCTAssertEqual(read.map { stored(PlacementBatch($0)) }, read.map { _ in part })
      XCTAssertEqual(PlacementBatch.keys(in: part), read?.map(\.key), "\(count)")
    }
    for place in whole.indices {
      var other = whole
      other[place] = 0xFF
      // Whatever is read, it is read to its end and not beyond.
      _ = PlacementBatch.marks(in: other)
      _ = PlacementBatch.keys(in: other)
    }
    XCTAssertNil(PlacementBatch.marks(in: Array("x".utf8)))
    XCTAssertNil(PlacementBatch.keys(in: Array("x".utf8)))
  }

  private func stored(_ batch: PlacementBatch) -> [UInt8] {
    guard case .blob(let bytes) = batch.storedValue else { return [] }
    return bytes
  }

  /// As the release with four migrations left it amid a batch.
  private func makeEarlierIndex(_ path: String) throws {
    let connection = try Connection(
      path: path, migrations: Array(MirrorIndex.migrations.prefix(4)))
    for mark in marks {
      try connection.run(
        """
        INSERT INTO placing (
          key, locator, version, size, modified, inode, sha256, etag, last_modified)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """,
        values: [mark.key.storedValue, mark.locator?.storedValue] + mark.content.storedValues)
    }
  }
}

extension IndexedContent {
  fileprivate static let tagged: IndexedContent = {
    var content = IndexedContent.plain(revision: "2", size: .max)
    content.etag = "\"e\""
    content.lastModified = "Thu, 26 Nov 2026 02:41:46 GMT"
    return content
  }()

  fileprivate static let adopted = IndexedContent(
    version: .unknown, size: 0, modifiedNanoseconds: -1, inode: 0, sha256: nil)
}
