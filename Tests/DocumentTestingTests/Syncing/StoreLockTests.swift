import DocumentTesting
import Foundation
import XCTest

@testable import DocumentSync

/// One sync of a store at a time, over all who have it open.
final class StoreLockTests: XCTestCase {
  func testASecondSyncOfAStoreIsRefusedAtOnceAndEditingIsNot() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "store.sqlite").path
    let replica = try await DocumentReplica(
      .file(path), endpoint: ReferenceServer().endpoint(named: "mine"),
      options: ReplicaOptions(
        server: "https://reference.example", collections: [SyncedCollection("notes")]))
    let turn = try StoreLock(storeAt: path)
    try await replica.save(DocumentID("milk"), ["n": 1], in: "notes")
    do {
      try await replica.sync()
      XCTFail("two sync at once")
    } catch {
      XCTAssertEqual(error as? DocumentError, .isSyncedElsewhere, "\(error)")
    }
    turn.end()
    replica.cancel()
    let report = try await replica.sync()
    XCTAssertLessThanOrEqual(report.sent.count, 1)
    let left = try await replica.isPending(DocumentID("milk"))
    XCTAssertFalse(left)
    await replica.close()
  }
}
