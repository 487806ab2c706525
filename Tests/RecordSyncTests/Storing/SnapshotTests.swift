import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// Readers that a writer doesn't disturb, and sessions whose writes are thrown away.
final class SnapshotTests: XCTestCase {
  private let users = RecordMigration("users", "CREATE TABLE users (id INTEGER PRIMARY KEY, name)")

  private func stores(_ folder: TestFolder) async throws -> [RecordStore] {
    var options = StoreOptions(migrations: [users])
    let memory = try await RecordStore(.memory, options: options)
    options.journal = .writeAheadLog
    return [
      memory,
      try await RecordStore(.file(folder.path + "/a.sqlite", ifMissing: .make), options: options),
    ]
  }

  private func names(_ text: [UInt8]) -> String { String(decoding: text, as: UTF8.self) }

  func testAReaderSeesTheStateInWhichItBegan() async throws {
    let folder = try TestFolder()
    for store in try await stores(folder) {
      _ = try await store.sync(.text(#"[{"id": 1, "name": "Ann"}]"#), into: "users")
      let snapshot = try await store.snapshot()
      _ = try await store.sync(.text(#"[{"id": 2, "name": "Ben"}]"#), into: "users")
      let later = try await store.snapshot()
      _ = try await store.sync(.text("[]"), into: "users")
      for (reader, text) in [
        (snapshot, "[{\"id\":1,\"name\":\"Ann\"}]\n"), (later, "[{\"id\":2,\"name\":\"Ben\"}]\n"),
      ] {
        try await assertEqual(names(reader.exported("users")), text)
      }
      try await assertEqual(snapshot.row(1, of: "users")?["name"], "Ann")
      try await assertNil(snapshot.row(2, of: "users"))
      try await assertEqual(snapshot.schema().tables.map(\.name), ["users"])
      try await assertEqual(names(store.exported("users")), "[]\n")
      await snapshot.close()
      await assertThrows((any Error).self, try await snapshot.row(1, of: "users"))
    }
  }

  /// All the while a writer writes, each reader sees a whole state.
  func testReadersBesideAWriterSeeWholeStates() async throws {
    let folder = try TestFolder()
    let store = try await stores(folder)[1]
    _ = try await store.sync(Self.payload(0), into: "users")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in Int64(1)...40 {
          _ = try await store.sync(Self.payload(number), into: "users")
        }
      }
      for _ in 1...2 {
        group.addTask {
          for _ in 1...40 {
            let text = try await store.snapshot().exported("users")
            let objects = try JSONDecoder().decode([[String: Int]].self, from: Data(text))
            XCTAssertEqual(objects.count, 50)
            XCTAssertEqual(Set(objects.map { $0["name"] }).count, 1)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func payload(_ name: Int64) -> RecordPayload {
    .value(.array((1...50).map { ["id": .integer($0), "name": .integer(name)] }))
  }

  func testWithAJournalAReaderHoldsUpAWriterAndStillSeesItsState() async throws {
    let folder = try TestFolder()
    var options = StoreOptions(migrations: [users])
    options.lockTimeout = .milliseconds(10)
    let store = try await RecordStore(
      .file(folder.path + "/a.sqlite", ifMissing: .make), options: options)
    try await store.put(.text(#"{"id": 1, "name": "Ann"}"#), into: "users")
    let snapshot = try await store.snapshot()
    await assertThrows(
      saying: "is held by another program", try await store.sync(.text("[]"), into: "users"))
    try await assertEqual(snapshot.row(1, of: "users")?["name"], "Ann")
    await snapshot.close()
    try await assertEqual(store.sync(.text("[]"), into: "users").status, .written)
  }

  func testWhatASessionWritesIsThrownAway() async throws {
    let folder = try TestFolder()
    for store in try await stores(folder) {
      _ = try await store.sync(.text(#"[{"id": 1, "name": "Ann"}]"#), into: "users")
      let session = try await store.disposableSession()
      let report = try await session.sync(.text(#"[{"id": 2, "name": "Ben"}]"#), into: "users")
      XCTAssertEqual(report.tables["users"]?.deleted.map(\.integer), [1])
      try await store.put(.text(#"{"id": 3, "name": "Cid"}"#), into: "users")
      try await assertEqual(names(session.exported("users")), "[{\"id\":2,\"name\":\"Ben\"}]\n")
      try await session.drop()
      let kept = try await store.exported("users")
      XCTAssertEqual(names(kept), "[{\"id\":1,\"name\":\"Ann\"},\n{\"id\":3,\"name\":\"Cid\"}]\n")
    }
  }

  func testADatabaseBeyondTheLimitIsNotCopied() async throws {
    var options = StoreOptions(migrations: [users])
    options.copyLimit = 4_096
    let store = try await RecordStore(.memory, options: options)
    await assertThrows(try await store.disposableSession()) { error in
      guard case RecordError.opening(.tooLargeToCopy(let bytes, 4_096)) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertGreaterThan(bytes, 4_096)
    }
  }
}
