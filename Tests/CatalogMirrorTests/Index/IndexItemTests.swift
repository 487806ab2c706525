@testable import CatalogMirror
import SyncDatabase
import SyncFiles
import TestSupport
import XCTest
@testable import SyncText

final class IndexItemTests: XCTestCase {
  func testContentAndPreviewAreRecordedIndependently() async throws {
    let index = try await emptyIndex()
    let entry = CatalogEntry.plain("a")
    var expected = IndexedItem(entry: entry)
    expected.preview = .plain()
    try await record(index, .preview(entry, .plain()))
    try await assertItem(index, expected)
    expected.content = .plain()
    try await record(index, .content(entry, .plain()))
    try await assertItem(index, expected)
    expected.preview = nil
    try await record(index, .previewLost(entry.key))
    try await assertItem(index, expected)
  }

  // With only its preview fetched anew, an item's old bytes must not pass for the new version.
  func testANewEntryDoesNotChangeTheVersionOfTheBytesThatAreHeld() async throws {
    let index = try await emptyIndex()
    try await record(index, .content(.plain("a"), .plain(revision: "1")))
    let newer = CatalogEntry.plain("a", revision: "2")
    try await record(index, .preview(newer, .plain()))
    let item = try await index.read { try $0.item(CatalogKey("a")) }
    XCTAssertEqual(item?.entry, newer)
    XCTAssertEqual(item?.content?.version, .revision("1"))
  }

  func testTheEntryIsKeptWhenTheContentIsLost() async throws {
    let index = try await emptyIndex()
    let entry = CatalogEntry.plain("a")
    try await record(index, .content(entry, .plain()))
    try await record(index, .contentLost(entry.key))
    try await assertItem(index, IndexedItem(entry: entry))
  }

  func testLossesOfUnknownKeysChangeNothing() async throws {
    let index = try await emptyIndex()
    try await record(index, .contentLost(CatalogKey("b")))
    try await record(index, .previewLost(CatalogKey("b")))
    try await assertEqual(index.read { try $0.counts() }, IndexCounts())
  }

  func testAContentWithoutADigestStaysWithout() async throws {
    let index = try await emptyIndex()
    var content = IndexedContent.plain()
    content.sha256 = nil
    try await record(index, .content(.plain("a"), content))
    try await assertEqual(index.read { try $0.item(CatalogKey("a")) }?.content, content)
  }

  func testADigestIsRecordedOnlyWhereNoneIsKnownOfTheVeryFileThatWasRead() async throws {
    let index = try await emptyIndex()
    var content = IndexedContent.plain()
    let digest = try XCTUnwrap(content.sha256)
    content.sha256 = nil
    try await record(index, .content(.plain("a"), content))
    let (key, size, time) = (CatalogKey("a"), content.size, content.modifiedNanoseconds)
    let rows: [(CatalogKey, FileStamp, isRecorded: Bool)] = [
      (CatalogKey("b"), FileStamp(size: size, modifiedNanoseconds: time, inode: nil), false),
      (key, FileStamp(size: size + 1, modifiedNanoseconds: time, inode: nil), false),
      (key, FileStamp(size: size, modifiedNanoseconds: time + 1, inode: nil), false),
      (key, FileStamp(size: size, modifiedNanoseconds: time, inode: nil), true),
      (key, FileStamp(size: size, modifiedNanoseconds: time, inode: nil), false),
    ]
    for (key, stamp, isRecorded) in rows {
      let wasRecorded = try await index.write { try $0.record(digest, of: key, readAs: stamp) }
      XCTAssertEqual(wasRecorded, isRecorded, "\(key) \(stamp)")
    }
    try await assertEqual(
      index.read { try $0.item(CatalogKey("a")) }?.content?.sha256, digest)
  }

  func testAllItemsAreStreamedInTheOrderOfTheirKeys() async throws {
    let index = try await emptyIndex()
    let numbers = Array(0..<5_000)
    try await index.write { writer in
      try writer.record(
        numbers.reversed().map { .content(.plain("\($0 + 10_000)"), .plain(size: Int64($0))) })
    }
    let sizes = try await index.read { reader in
      var sizes: [Int64] = []
      try reader.forEachItem { sizes.append($0.content?.size ?? -1) }
      return sizes
    }
    XCTAssertEqual(sizes, numbers.map { Int64($0) })
  }

  func testItemsOfUnknownKeysAreLeftOut() async throws {
    let index = try await emptyIndex()
    try await record(index, .entry(.plain("b")))
    let keys = ["c", "b", "a"].map { CatalogKey($0) }
    let found = try await index.read { try $0.items(keys) }
    XCTAssertEqual(found, [CatalogKey("b"): IndexedItem(entry: .plain("b"))])
  }

  func testCountsTellWhatIsHeld() async throws {
    let index = try await emptyIndex()
    try await index.write { writer in
      try writer.record([
        .content(.plain("a"), .plain(size: 100)), .content(.plain("b"), .plain(size: 200)),
        .preview(.plain("b"), .plain(size: 10)), .entry(.plain("c")),
      ])
      try writer.markRemoving([RemovalMark(key: CatalogKey("a"), quarantineName: "q")])
      try writer.finishRemoval(
        of: [],
        quarantined: [
          QuarantinedFile(name: "x", key: CatalogKey("x"), size: 7, removedNanoseconds: 1)
        ])
      try writer.replaceFailures([FailedItem(key: CatalogKey("c"), sentence: "no")])
    }
    var expected = IndexCounts()
    expected.items = 3
    expected.contents = 2
    expected.contentBytes = 300
    expected.previews = 1
    expected.previewBytes = 10
    expected.removing = 1
    expected.quarantined = 1
    expected.quarantinedBytes = 7
    expected.failures = 1
    try await assertEqual(index.read { try $0.counts() }, expected)
  }

  private func record(_ index: MirrorIndex, _ change: IndexChange) async throws {
    try await index.write { try $0.record([change]) }
  }

  private func assertItem(
    _ index: MirrorIndex, _ expected: IndexedItem, line: UInt = #line
  ) async throws {
    let found = try await index.read { try $0.item(expected.key) }
    XCTAssertEqual(found, expected, line: line)
  }
}
