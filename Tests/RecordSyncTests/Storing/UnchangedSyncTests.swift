import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// A payload that says what is there already.
final class UnchangedSyncTests: XCTestCase {
  private let tables = """
    companies: name TEXT; users: name TEXT, company_id -> companies;
    notes: text TEXT, position INTEGER, user_id -> users; tags: name TEXT;
    user_tags (user_id -> users, tag_id -> tags, PRIMARY KEY (user_id, tag_id));
    users = (9, 'old', NULL)
    """
  private let nested = """
    [{"id": 1, "name": "Ann", "company": {"id": 5, "name": "X"},
      "notes": [{"id": 8, "text": "n"}, {"id": 7, "text": "m"}], "tags": [{"id": 2, "name": "t"}]},
     {"id": 3, "company_id": 5, "note_ids": [], "tag_ids": [2]}, {"id": 4, "notes": []}]
    """

  func testItChangesNoRowAndAddsNoByteToTheFileOrItsLog() async throws {
    for (table, payload) in [
      ("users", nested), ("tags", #"[{"id": 2, "name": "t"}, {"id": 6, "name": "u"}]"#),
    ] {
      for journal in [StoreOptions.Journal.writeAheadLog, .rollback] {
        let database = try TestDatabase(tables)
        var options = StoreOptions()
        options.journal = journal
        let store = try await RecordStore(.file(database.path), options: options)
        func changes() async throws -> Int64 {
          try await store.database.withConnection { $0.totalChanges }
        }
        func bytes() -> [Data?] {
          ["", "-wal", "-journal"].map { try? Data(contentsOf: URL(filePath: database.path + $0)) }
        }
        let unchanged = try await changes()
        _ = try await store.sync(.text(payload), into: table)
        let (rows, before) = (try await changes(), bytes())
        XCTAssertGreaterThan(rows, unchanged)
        if journal == .writeAheadLog { XCTAssertGreaterThan(before[1]?.count ?? 0, 0) }
        try await assertEqual(store.sync(.text(payload), into: table).status, .unchanged)
        try await assertEqual(changes(), rows, table)
        XCTAssertEqual(bytes(), before, table)
      }
    }
  }
}
