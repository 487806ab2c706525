import SyncDatabase
import SyncFolder
import SyncText
import TestSupport
import XCTest

@testable import CatalogMirror

/// Where bytes of a digest lie, as the index knows.
final class HeldBytesTests: XCTestCase {
  func testTheTreeComesBeforePreviewsAndTheseBeforeTheQuarantine() async throws {
    let index = try await emptyIndex()
    try await index.write { writer in
      XCTAssertFalse(try writer.holdsBytes())
      try writer.record([
        .content(.plain("b"), content("both")), .content(.plain("a"), content("twice")),
        .content(.plain("c"), content("twice")), .preview(.plain("d"), preview("both")),
        .preview(.plain("e"), preview("shown")),
      ])
      try writer.finishRemoval(
        of: [],
        quarantined: [
          QuarantinedFile(
            name: "20250131T120000Z.2/x/y", key: CatalogKey("x/y"), size: 4,
            removedNanoseconds: 1, sha256: hash("gone")),
          QuarantinedFile(
            name: "20250131T120000Z/z", key: CatalogKey("z"), size: 5, removedNanoseconds: 1,
            sha256: hash("shown")),
          QuarantinedFile(name: "x/u", key: CatalogKey("u"), size: 5, removedNanoseconds: 1),
        ])
    }
    let wanted = ["both", "twice", "shown", "gone", "none"].map(hash)
    let found = try await index.read { reader in
      XCTAssertTrue(try reader.holdsBytes())
      return try reader.heldBytes(of: wanted) { _ in false }
    }
    XCTAssertEqual(found[hash("both")]?.place, .item(CatalogKey("b")))
    XCTAssertEqual(found[hash("twice")]?.place, .item(CatalogKey("a")))
    XCTAssertEqual(found[hash("twice")]?.size, 5)
    XCTAssertEqual(found[hash("shown")]?.place, .preview(name: "p.png"))
    XCTAssertEqual(
      found[hash("gone")]?.place,
      .quarantined(batch: "20250131T120000Z.2", CatalogKey("x/y")))
    XCTAssertNil(found[hash("none")])
    let others = try await index.read { reader in
      try reader.heldBytes(of: wanted) { [.item(CatalogKey("a"))].contains($0.place) }
    }
    XCTAssertEqual(others[hash("twice")]?.key, CatalogKey("c"), "the next one")
    await index.close()
  }

  func testWhatIsLostIsNotHeld() async throws {
    let index = try await emptyIndex()
    try await index.write { writer in
      try writer.record([
        .content(.plain("a"), content("a")), .preview(.plain("c"), preview("c")),
        .contentLost(CatalogKey("a")), .previewLost(CatalogKey("c")),
      ])
    }
    let found = try await index.read { reader in
      try reader.heldBytes(of: ["a", "c"].map(hash)) { _ in false }
    }
    XCTAssertEqual(found, [:])
    await index.close()
  }

  /// Of what an earlier release put into quarantine no digest is known.
  func testAnIndexThatKnewNoDigestsOfTheQuarantineIsReadOn() async throws {
    let path = try temporaryIndexPath()
    try makeIndexOfTheMigrationBefore(path)
    let error = await thrown(
      DatabaseError.self, by: await (try MirrorIndex.open(path: path, access: .readOnly)).close())
    let sentence = try XCTUnwrap(error.map { IndexProblem($0).sentence(of: path) })
    XCTAssert(sentence.contains("sync once"), sentence)
    let index = try await MirrorIndex.open(path: path)
    try await index.write { try $0.record([.content(.plain("a"), content("a"))]) }
    let (files, found) = try await index.read { reader in
      (try reader.quarantined(), try reader.heldBytes(of: ["a", "z"].map(hash)) { _ in false })
    }
    XCTAssertEqual(files.map(\.key), [CatalogKey("z")])
    XCTAssertEqual(files.map(\.sha256), [nil])
    XCTAssertEqual(found.mapValues(\.key), [hash("a"): CatalogKey("a")])
    await index.close()
  }

  private func makeIndexOfTheMigrationBefore(_ path: String) throws {
    let connection = try Connection(path: path, migrations: Array(MirrorIndex.migrations.prefix(5)))
    try connection.execute(
      """
      INSERT INTO quarantine (name, key, size, removed_at)
        VALUES ('20250131T120000Z/z', CAST('z' AS BLOB), 1, 5)
      """)
  }

  func testALookIsEndedWithItsTask() async throws {
    let index = try await emptyIndex()
    let look = Task {
      try await index.read { reader in
        withUnsafeCurrentTask { $0?.cancel() }
        return try reader.heldBytes(of: [hash("a")]) { _ in false }
      }
    }
    let error = await thrown(CancellationError.self, by: try await look.value)
    XCTAssertNotNil(error)
    await index.close()
  }

  /// A look for each of a million new items must not go through the others.
  func testNoLookGoesThroughATable() async throws {
    let index = try await emptyIndex()
    let plan = try await index.read { reader in
      try reader.connection.rows("EXPLAIN QUERY PLAN \(HeldBytes.places)", hash("a")) {
        try $0.text("detail")
      }
    }
    for name in ["items_content_digest", "items_preview_digest", "quarantine_digest"] {
      XCTAssertTrue(plan.contains { $0.contains("SEARCH") && $0.contains(name) }, "\(plan)")
    }
    XCTAssertFalse(plan.contains { $0.contains("SCAN items") || $0.contains("SCAN quarantine") })
    await index.close()
  }
}

private func hash(_ text: String) -> SHA256Digest { SHA256Digest(of: text.utf8) }

private func content(_ text: String) -> IndexedContent {
  var content = IndexedContent.plain(size: Int64(text.utf8.count))
  content.sha256 = hash(text)
  return content
}

private func preview(_ text: String) -> IndexedPreview {
  IndexedPreview(
    version: .revision("1"), name: "p.png", size: Int64(text.utf8.count), modifiedNanoseconds: 1,
    sha256: hash(text))
}
