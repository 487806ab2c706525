import SyncDatabase
import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncText

/// What a run reads of the index when it needn't read all of it.
final class ExpectedFilesTests: XCTestCase {
  private let versions: [ItemVersion] = [
    .unknown, .revision("1"), .revision("2"), .strongETag("\"1\""),
    .dateAndSize(date: "1", size: nil),
    .revision("url https://h/p"),
  ]

  /// Every pair of a listed version and a held one, of contents and of previews.
  private func everyPair() -> [IndexedItem] {
    var items: [IndexedItem] = []
    for (first, listed) in versions.enumerated() {
      for (second, held) in (versions.map(Optional.some) + [nil]).enumerated() {
        var entry = CatalogEntry(
          key: CatalogKey("\(first)/\(second)"), locators: ["https://h/a"], version: listed)
        var bare = IndexedItem(entry: entry)
        bare.content = held.map { version in
          var content = IndexedContent.plain()
          content.version = version
          return content
        }
        entry.key = CatalogKey("\(first)/\(second)/p")
        entry.preview = .init(locator: "https://h/p", version: listed)
        var pictured = IndexedItem(entry: entry)
        pictured.preview = held.map { version in
          var preview = IndexedPreview.plain()
          preview.version = version
          return preview
        }
        items += [bare, pictured]
      }
    }
    return items
  }

  private func record(_ items: [IndexedItem], in index: MirrorIndex) async throws {
    try await index.write { writer in
      for item in items {
        try writer.record([.entry(item.entry)])
        if let content = item.content { try writer.record([.content(item.entry, content)]) }
        if let preview = item.preview { try writer.record([.preview(item.entry, preview)]) }
      }
    }
  }

  private func assertLacks(_ items: [IndexedItem], in index: MirrorIndex) async throws {
    let wants = ItemNeed.Wants(contents: true, previews: true)
    var needs: [CatalogKey: ItemNeed] = [:]
    for item in items {
      let listed = MirrorItem(item.entry, isSettled: true)
      needs[item.key] = ItemNeed(listed, held: item, damage: nil, wants: wants)
    }
    for held in try await index.read({ try $0.expectedFiles(after: nil, atMost: 1_000) }) {
      let need = needs.removeValue(forKey: held.key)
      XCTAssertEqual(held.lacksContent, need?.content != nil, "\(held.key)")
      XCTAssertEqual(held.lacksPreview, need?.preview != nil, "\(held.key)")
    }
    XCTAssertEqual(needs.count, 0)
  }

  func testWhatIsLackingIsWhatHasToBeFetched() async throws {
    let index = try await emptyIndex()
    let items = everyPair()
    try await record(items, in: index)
    try await assertLacks(items, in: index)
    let held = try await index.read { try $0.expectedFiles(after: nil, atMost: 1_000) }
    let found = try await index.read {
      (try $0.itemsLackingContent().map(\.key), try $0.itemsLackingPreview().map(\.key))
    }
    XCTAssertEqual(found.0, held.filter(\.lacksContent).map(\.key))
    XCTAssertEqual(found.1, held.filter(\.lacksPreview).map(\.key))
    XCTAssertGreaterThan(found.0.count, 10)
    XCTAssertGreaterThan(found.1.count, 10)
  }

  func testAnIndexOfTheMigrationBeforeTellsTheSame() async throws {
    let path = try temporaryIndexPath()
    let items = everyPair()
    let old = try await Database.open(
      path: path, options: ConnectionOptions(), migrations: Array(MirrorIndex.migrations.prefix(2)),
      executor: QueueExecutor(label: "old"))
    try await old.transaction { connection in
      for item in items {
        try connection.run(
          """
          INSERT INTO items (key, version, download_order, locator, preview_locator,
            preview_version, content_version, content_size, content_modified, content_inode,
            held_preview_version, held_preview_name, held_preview_size, held_preview_modified,
            held_preview_sha256)
          VALUES (?1, ?2, 0, 'https://h/a', ?3, ?4, ?5, 1, 1, 1, ?6, 'n', 1, 1, ?7)
          """,
          item.key, item.entry.version, item.entry.preview?.locator, item.entry.preview?.version,
          item.content?.version, item.preview?.version, item.preview?.sha256)
      }
    }
    await old.close()
    let index = try await MirrorIndex.open(path: path)
    try await assertLacks(items, in: index)
    try await index.read { try $0.connection.checkIntegrity() }
  }

  func testEveryItemIsInOnePieceWhateverTheSizeOfThePieces() async throws {
    let index = try await emptyIndex()
    let keys = ["a", "a\u{0}", "a\u{0}\u{0}", "a/", "b", "ÿ", "ÿÿ"].map { CatalogKey($0) }
    try await index.write { try $0.record(keys.map { .entry(.plain($0.description)) }) }
    let all = try await index.read { reader in
      var all: [CatalogKey] = []
      try reader.forEachItem { all.append($0.key) }
      return all
    }
    XCTAssertEqual(all.count, keys.count)
    for size in 1...8 {
      var found: [CatalogKey] = []
      while true {
        let last = found.last
        let piece = try await index.read { try $0.expectedFiles(after: last, atMost: size) }
        XCTAssertLessThanOrEqual(piece.count, size)
        found += piece.map(\.key)
        if piece.isEmpty { break }
      }
      XCTAssertEqual(found, all, "pieces of \(size)")
    }
  }

  func testAPieceThatDoesntGoOnWhereTheLastOneEndedIsDamage() async throws {
    let index = try await emptyIndex()
    try await index.write { try $0.record([.entry(.plain("a")), .entry(.plain("c"))]) }
    await assertFails(.damaged) {
      _ = try await index.read { try $0.expectedFiles(after: CatalogKey("b"), atMost: 4) }
    }
  }

  func testAnotherDateIsRecordedAndNothingElseOfTheItem() async throws {
    let index = try await emptyIndex()
    var item = IndexedItem(entry: .plain("a"))
    item.content = .plain()
    item.content?.etag = "\"1\""
    item.content?.lastModified = "then"
    item.preview = .plain()
    try await record([item, IndexedItem(entry: .plain("b"))], in: index)
    let stamp = FileStamp(size: 100, modifiedNanoseconds: 7, inode: 8)
    try await index.write {
      try $0.record([.touched(CatalogKey("a"), stamp), .touched(CatalogKey("b"), stamp)])
    }
    item.content?.stamp = stamp
    let found = try await index.read { try $0.items([CatalogKey("a"), CatalogKey("b")]) }
    XCTAssertEqual(found[CatalogKey("a")], item)
    XCTAssertEqual(found[CatalogKey("b")], IndexedItem(entry: .plain("b")), "nothing is held")
  }

  func testContentOfAKnownItemLeavesItsPreviewAndEndsItsRemoval() async throws {
    let index = try await emptyIndex()
    var item = IndexedItem(entry: .plain("a"))
    item.content = .plain()
    item.preview = .plain()
    try await record([item], in: index)
    item.entry = .plain("a", revision: "2")
    item.content = .plain(revision: "2", size: 7)
    try await index.write { [item] writer in
      try writer.markRemoving([RemovalMark(key: item.key, quarantineName: "q/a")])
      try writer.record([.content(item.entry, .plain(revision: "2", size: 7))])
    }
    let found = try await index.read { [item] in try $0.item(item.key) }
    XCTAssertEqual(found, item)
    XCTAssertEqual(found?.state, .present)
  }
}
