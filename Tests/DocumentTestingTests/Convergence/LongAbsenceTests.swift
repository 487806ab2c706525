import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Two replicas edit the same documents for a week without a network, a thousand times each.
final class LongAbsenceTests: XCTestCase {
  func testOneSyncOfEachAndOneMoreMakeThemEqual() async throws {
    let server = ReferenceServer()
    let time = SyncedReplica.Time()
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", policies: [.merge])]
    let one = try await SyncedReplica(server.endpoint(named: "one"), time, setting)
    let two = try await SyncedReplica(server.endpoint(named: "two"), time, setting)
    try await edit(one, seed: 1)
    try await one.sync()
    try await two.sync()
    try await edit(one, seed: 2)
    time.advance(by: .seconds(7 * 86_400))
    server.advance(by: .seconds(7 * 86_400))
    try await edit(two, seed: 3)
    try await one.sync()
    let second = try await two.sync()
    XCTAssertGreaterThan(second.conflicts.count, 50)
    try await one.sync()
    let here = try await documents(one)
    try await assertEqual(here, documents(two))
    XCTAssertEqual(here, server.documents(in: "notes").mapValues(\.value))
    for replica in [one, two] { try await assertTrue(replica.sync().isQuiet) }
  }

  /// A thousand edits of two hundred documents, some of them deletions.
  private func edit(_ replica: SyncedReplica, seed: UInt64) async throws {
    let scope = replica.scope()
    try await replica.store.edit { door in
      var random = SeededGenerator(seed: seed)
      for n in 0..<1_000 {
        let id = DocumentID("\(Int.random(in: 0..<200, using: &random))")
        if random.oneIn(40) {
          try door.delete(id)
        } else {
          let old = try door.reader.document(id) ?? [:]
          let member = ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)]
          let content = try old.setting(member, to: DocumentValue("\(seed) \(n)"))
          try door.save(DocumentEdit(id, in: scope, content))
        }
      }
    }
  }

  private func documents(_ replica: SyncedReplica) async throws -> [DocumentID: DocumentValue] {
    try await replica.store.read { reader in
      var found: [DocumentID: DocumentValue] = [:]
      for n in 0..<200 {
        let id = DocumentID("\(n)")
        found[id] = try reader.document(id)
      }
      return found
    }
  }
}
