import DocumentTesting
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// A replica whose server has addresses for files.
class AddressedFileTestCase: XCTestCase {
  let time = SyncedReplica.Time()
  let picture = Array("a picture".utf8)
  let other = Array("another picture".utf8)

  func replica(_ shelf: AddressShelf) async throws -> SyncedReplica {
    let replica = try await SyncedReplica(shelf.endpoint(), time)
    try await replica.save(milk, ["n": 1, "picture": ""])
    return replica
  }

  @discardableResult
  func attach(
    _ replica: SyncedReplica, _ bytes: [UInt8]? = nil, to member: String = "picture"
  ) async throws -> FileFacts {
    let facts = try await replica.store.files.keep(bytes ?? picture, named: "a.png")
    try await replica.store.edit { try $0.attach(facts, atAddressIn: member, of: milk) }
    return facts
  }

  func counts(_ replica: SyncedReplica) async throws -> FileCounts {
    try await replica.store.read { try $0.fileCounts() }
  }

  func troubles(_ replica: SyncedReplica) async throws -> [String] {
    try await replica.store.read { try $0.fileTroubles() }.map(\.words)
  }

  func assertInOrder(_ shelf: AddressShelf) {
    shelf.look()
    XCTAssertEqual(shelf.state.withLock { $0.faults }, [])
  }
}
