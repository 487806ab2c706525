import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// Where a store is, and how it comes to be.
final class StoreOpeningTests: XCTestCase {
  private let users = RecordMigration("users", "CREATE TABLE users (id INTEGER PRIMARY KEY, name)")
  private let payload = RecordPayload.text(#"[{"id": 1, "name": "Ann"}]"#)

  func testADatabaseInMemoryIsSyncedReadAndGone() async throws {
    let store = try await RecordStore(.memory, options: StoreOptions(migrations: [users]))
    try await assertEqual(store.sync(payload, into: "users").status, .written)
    try await assertEqual(store.sync(payload, into: "users").status, .unchanged)
    try await assertEqual(store.row(1, of: "users")?.values, ["id": 1, "name": "Ann"])
    let other = try await RecordStore(.memory)
    try await assertEqual(other.schema().tables, [])
    try await store.drop()
    await assertThrows(saying: "has been closed", try await store.schema())
  }

  func testAFileIsMadeOnlyWhereThatIsAskedFor() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    await assertThrows((any Error).self, try await RecordStore(.file(path)))
    XCTAssertEqual(try folder.names(), [])
    let options = StoreOptions(migrations: [users])
    for status in [RecordReport.Status.written, .unchanged] {
      let store = try await RecordStore(.file(path, ifMissing: .make), options: options)
      try await assertEqual(store.sync(payload, into: "users").status, status)
    }
    XCTAssertEqual(try folder.names(), ["app.sqlite"])
  }

  func testTheJournalIsAsItWasUnlessAnotherIsAskedFor() async throws {
    let database = try TestDatabase("CREATE TABLE users (id INTEGER PRIMARY KEY, name)")
    for (journal, mode) in [
      (StoreOptions.Journal.asItIs, "delete"), (.writeAheadLog, "wal"), (.asItIs, "wal"),
      (.rollback, "delete"),
    ] {
      var options = StoreOptions()
      options.journal = journal
      let store = try await RecordStore(.file(database.path), options: options)
      _ = try await store.sync(payload, into: "users")
      XCTAssertEqual(try database.rows("PRAGMA journal_mode"), [mode])
    }
  }

  func testADroppedDatabaseLeavesNothing() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    var options = StoreOptions(migrations: [users])
    for journal in [StoreOptions.Journal.rollback, .writeAheadLog] {
      options.journal = journal
      let store = try await RecordStore(.file(path, ifMissing: .make), options: options)
      _ = try await store.sync(payload, into: "users")
      try await store.drop()
      XCTAssertEqual(try folder.names(), [])
      await assertThrows((any Error).self, try await store.row(1, of: "users"))
      let anew = try await RecordStore(.file(path, ifMissing: .make), options: options)
      try await assertNil(anew.row(1, of: "users"))
    }
  }

  func testADatabaseThatIsReadIsNotDropped() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    var options = StoreOptions(migrations: [users])
    options.lockTimeout = .milliseconds(10)
    for journal in [StoreOptions.Journal.rollback, .writeAheadLog] {
      options.journal = journal
      let store = try await RecordStore(.file(path, ifMissing: .make), options: options)
      _ = try await store.sync(payload, into: "users")
      let snapshot = try await store.snapshot()
      await assertThrows((any Error).self, try await store.drop())
      try await assertNotNil(store.row(1, of: "users"), "\(journal)")
      await snapshot.close()
      try await store.drop()
      XCTAssertEqual(try folder.names(), [])
    }
  }
}
