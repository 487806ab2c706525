import CatalogMirror
import Foundation
import SyncDatabase
import TestSupport
import XCTest
@testable import SyncText

final class IndexDurabilityTests: XCTestCase {
  private struct Refused: Error {}

  func testWhatAWriteReturnedFromIsThereAfterAKill() async throws {
    let path = try temporaryIndexPath()
    let index = try await MirrorIndex.open(path: path)
    try await index.write { try $0.record([.content(.plain("a"), .plain())]) }
    let copy = try await MirrorIndex.open(path: try copyAsAfterAKill(of: path))
    try await assertEqual(copy.read { try $0.item(CatalogKey("a"))?.content }, .plain())
    await index.close()
  }

  func testAKillWithinAWriteLeavesTheStateBefore() async throws {
    let path = try temporaryIndexPath()
    let index = try await MirrorIndex.open(path: path)
    try await index.write { try $0.record([.content(.plain("a"), .plain())]) }
    let changes = (0..<2_000).map { IndexChange.content(.plain("b\($0)"), .plain()) }
    let copied = try temporaryIndexPath()
    try await index.write { writer in
      try writer.record(changes + [.contentLost(CatalogKey("a"))])
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copied + suffix)
      }
    }
    let copy = try await MirrorIndex.open(path: copied)
    let counts = try await copy.read { try $0.counts() }
    XCTAssertEqual([counts.items, counts.contents], [1, 1])
    try await copy.read { try $0.connection.checkIntegrity() }
  }

  func testAWriteThatThrowsLeavesNothing() async throws {
    let path = try temporaryIndexPath()
    let index = try await MirrorIndex.open(path: path)
    await assertThrows(
      Refused.self,
      try await index.write { writer in
        try writer.record([.content(.plain("a"), .plain())])
        try writer.setValue("id", for: .folderID)
        throw Refused()
      })
    await index.close()
    let again = try await MirrorIndex.open(path: path)
    let counts = try await again.read { try $0.counts() }
    let id = try await again.read { try $0.value(.folderID) }
    XCTAssertEqual(counts.items, 0)
    XCTAssertNil(id)
  }

  func testTheIndexIsOneConnectionsAlone() async throws {
    let path = try temporaryIndexPath()
    let index = try await MirrorIndex.open(path: path)
    var options = ConnectionOptions()
    options.access = .readOnly
    options.busyTimeout = .zero
    XCTAssertThrowsError(try Connection(path: path, options: options)) { error in
      XCTAssertEqual((error as? DatabaseError)?.code, .busy)
    }
    let modes = try await index.read { reader in
      try reader.connection.row("SELECT * FROM pragma_journal_mode, pragma_synchronous") { row in
        (try row.text(0), try row.integer(1))
      }
    }
    XCTAssertEqual(modes?.0, "wal")
    XCTAssertEqual(modes?.1, 2)
    await index.close()
    XCTAssertNoThrow(try Connection(path: path, options: options))
  }

  func testARecordedIndexIsReadOnlyReadable() async throws {
    let path = try temporaryIndexPath()
    let index = try await MirrorIndex.open(path: path)
    try await index.write { try $0.setValue("id", for: .folderID) }
    await index.close()
    let reader = try await MirrorIndex.open(path: path, access: .readOnly)
    let id = try await reader.read { try $0.value(.folderID) }
    XCTAssertEqual(id, "id")
    await assertFails(.readOnly) { try await reader.write { try $0.clearValidators() } }
  }

  func testAnIndexLeftByAKillIsReadOnlyReadableAndLeftAsItIs() async throws {
    let path = try temporaryIndexPath()
    let index = try await MirrorIndex.open(path: path)
    try await index.write { try $0.setValue("id", for: .folderID) }
    let copy = try copyAsAfterAKill(of: path)
    let before = try [copy, copy + "-wal"].map { try Data(contentsOf: URL(filePath: $0)) }
    let reader = try await MirrorIndex.open(path: copy, access: .readOnly)
    let id = try await reader.read { try $0.value(.folderID) }
    await reader.close()
    XCTAssertEqual(id, "id")
    let after = try [copy, copy + "-wal"].map { try Data(contentsOf: URL(filePath: $0)) }
    XCTAssertEqual(after, before)
    // What SQLite left beside the file for shared readers must not disturb the next run.
    let next = try await MirrorIndex.open(path: copy)
    try await assertEqual(next.read { try $0.value(.folderID) }, "id")
    await index.close()
  }
}
