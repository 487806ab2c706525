import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// How a database is written belongs to whoever made it; that what was committed stays, to us.
final class DurabilityTests: XCTestCase {
  func testACommitWaitsForTheDiskAndTheJournalStaysWhatItWas() async throws {
    for (statement, journal) in [
      ("PRAGMA journal_mode = WAL", "wal"), ("PRAGMA journal_mode = DELETE", "delete"),
    ] {
      let database = try TestDatabase("CREATE TABLE users (id INTEGER PRIMARY KEY)")
      try database.run(statement)
      let store = try await RecordStore(path: database.path)
      try await assertEqual(store.sync(.text(#"[{"id": 1}]"#), into: "users").status, .written)
      let (kept, full) = try await store.database.withConnection { connection in
        (
          try connection.row("PRAGMA journal_mode") { try $0.text(0) },
          try connection.row("PRAGMA synchronous") { try $0.integer(0) }
        )
      }
      XCTAssertEqual(kept, journal)
      XCTAssertEqual(full, 2)
    }
  }
}
