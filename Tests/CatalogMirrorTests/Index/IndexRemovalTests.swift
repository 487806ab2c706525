import CatalogMirror
import SyncDatabase
import TestSupport
import XCTest
@testable import SyncText

final class IndexRemovalTests: XCTestCase {
  private let key = CatalogKey("a")
  private let mark = RemovalMark(key: CatalogKey("a"), quarantineName: "q1")
  private let file = QuarantinedFile(
    name: "q1", key: CatalogKey("a"), size: 100, removedNanoseconds: 1_000)

  func testARemovalCutShortIsFoundAgainWithItsNameInQuarantine() async throws {
    let path = try temporaryIndexPath()
    let index = try await indexWithItem(at: path)
    try await index.write { [mark] in try $0.markRemoving([mark]) }
    let copy = try await MirrorIndex.open(path: try copyAsAfterAKill(of: path))
    let unfinished = try await copy.read { try $0.unfinishedRemovals() }
    XCTAssertEqual(unfinished.map(\.key), [key])
    XCTAssertEqual(unfinished.map(\.state), [.removing(to: "q1")])
    XCTAssertEqual(unfinished.map(\.content), [.plain()])
    await index.close()
  }

  func testAFinishedRemovalLeavesAFileInQuarantineAndNoItem() async throws {
    let index = try await indexWithItem(at: try temporaryIndexPath())
    try await index.write { [mark] in try $0.markRemoving([mark]) }
    try await index.write { [key, file] in
      try $0.finishRemoval(of: [key, CatalogKey("never seen")], quarantined: [file])
    }
    let item = try await index.read { [key] in try $0.item(key) }
    let unfinished = try await index.read { try $0.unfinishedRemovals() }
    let quarantined = try await index.read { try $0.quarantined() }
    XCTAssertNil(item)
    XCTAssertEqual(unfinished, [])
    XCTAssertEqual(quarantined, [file])
  }

  func testAnUndoneRemovalIsAnItemAsBefore() async throws {
    let index = try await indexWithItem(at: try temporaryIndexPath())
    let before = try await index.read { [key] in try $0.item(key) }
    try await index.write { [mark] in try $0.markRemoving([mark]) }
    try await index.write { [key] in try $0.undoRemoval(of: [key]) }
    let after = try await index.read { [key] in try $0.item(key) }
    XCTAssertEqual(after, before)
    XCTAssertEqual(after?.state, .present)
  }

  func testNewContentEndsARemovalAndANewPreviewDoesNot() async throws {
    let index = try await indexWithItem(at: try temporaryIndexPath())
    try await index.write { [mark] in
      try $0.markRemoving([mark])
      try $0.record([.preview(.plain("a"), .plain()), .entry(.plain("a"))])
    }
    try await assertEqual(index.read { try $0.unfinishedRemovals() }.count, 1)
    try await index.write { try $0.record([.content(.plain("a"), .plain(revision: "2"))]) }
    try await assertEqual(index.read { try $0.unfinishedRemovals() }, [])
  }

  func testAMarkOnAnUnknownItemIsRefusedAndNoneIsSet() async throws {
    let index = try await indexWithItem(at: try temporaryIndexPath())
    let marks = [mark, RemovalMark(key: CatalogKey("unknown"), quarantineName: "q2")]
    await assertFails(.damaged) { try await index.write { try $0.markRemoving(marks) } }
    try await assertEqual(index.read { try $0.unfinishedRemovals() }, [])
  }

  func testTheQuarantineIsListedByAgeAndEmptied() async throws {
    let index = try await emptyIndex()
    let files = [3_000, 1_000, 2_000].map {
      QuarantinedFile(name: "q\($0)", key: key, size: 1, removedNanoseconds: $0)
    }
    try await index.write { try $0.finishRemoval(of: [], quarantined: files) }
    let old = try await index.read { try $0.quarantined(before: 3_000).map(\.name) }
    XCTAssertEqual(old, ["q1000", "q2000"])
    try await index.write { try $0.forgetQuarantined(old) }
    try await assertEqual(index.read { try $0.quarantined() }, [files[0]])
  }

  private func indexWithItem(at path: String) async throws -> MirrorIndex {
    let index = try await MirrorIndex.open(path: path)
    try await index.write { try $0.record([.content(.plain("a"), .plain())]) }
    return index
  }
}
