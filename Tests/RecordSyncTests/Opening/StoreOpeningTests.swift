import Foundation
@testable import RecordSync
import XCTest

/// Where a store is, and how it comes to be.
final class StoreOpeningTests: XCTestCase {
  private let users = RecordMigration("users", "CREATE TABLE users (id INTEGER PRIMARY KEY, name)")
  private let payload = RecordPayload.text(#"[{"id": 1, "name": "Ann"}]"#)

  func testADatabaseInMemoryIsSyncedReadAndGone() async throws {
    let store = try await RecordStore(.memory, options: StoreOptions(migrations: [users]))
    let report = try await store.sync(payload, into: "users")
    XCTAssertEqual(report.status, .written)
    let again = try await store.sync(payload, into: "users")
    XCTAssertEqual(again.status, .unchanged)
    let row = try await store.row(1, of: "users")
    XCTAssertEqual(row?.values, ["id": 1, "name": "Ann"])
    let other = try await RecordStore(.memory)
    let schema = try await other.schema()
    XCTAssertEqual(schema.tables, [])
    try await store.drop()
    await XCTAssertThrowsAsync(try await store.schema()) {
      XCTAssertTrue("\($0)".contains("has been closed"), "\($0)")
    }
  }

  func testAFileIsMadeOnlyWhereThatIsAskedFor() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    await XCTAssertThrowsAsync(try await RecordStore(.file(path))) { _ in }
    XCTAssertEqual(try folder.names(), [])
    let options = StoreOptions(migrations: [users])
    for status in [RecordReport.Status.written, .unchanged] {
      let store = try await RecordStore(.file(path, ifMissing: .make), options: options)
      let report = try await store.sync(payload, into: "users")
      XCTAssertEqual(report.status, status)
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
      await XCTAssertThrowsAsync(try await store.row(1, of: "users")) { _ in }
      let anew = try await RecordStore(.file(path, ifMissing: .make), options: options)
      let row = try await anew.row(1, of: "users")
      XCTAssertNil(row)
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
      await XCTAssertThrowsAsync(try await store.drop()) { _ in }
      let kept = try await store.row(1, of: "users")
      XCTAssertNotNil(kept, "\(journal)")
      await snapshot.close()
      try await store.drop()
      XCTAssertEqual(try folder.names(), [])
    }
  }
}
