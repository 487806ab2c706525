import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

/// One sync of a store at a time, over all who have it open.
final class StoreLockTests: XCTestCase {
  func testASecondSyncOfAStoreIsRefusedAtOnceAndEditingIsNot() async throws {
    let path = try temporaryStorePath()
    let replica = try await ReplicaRig().replica(.file(path))
    let turn = try StoreLock(storeAt: path)
    try await replica.save(DocumentID("milk"), ["n": 1], in: "notes")
    await assertThrows(DocumentError.isSyncedElsewhere, try await replica.sync())
    turn.end()
    replica.cancel()
    let report = try await replica.sync()
    XCTAssertLessThanOrEqual(report.sent.count, 1)
    try await assertFalse(replica.isPending(DocumentID("milk")))
    await replica.close()
  }
}
