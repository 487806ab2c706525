@testable import RecordSync
import XCTest

/// A user's own database works as it is, with all that it does by itself.
final class SearchIndexTests: SchemaTestCase {
  func testTriggersThatFillAnIndexForSearchingRun() async throws {
    let connection = try database(
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
      CREATE VIRTUAL TABLE found USING fts5(text);
      CREATE TRIGGER filled AFTER INSERT ON notes BEGIN
        INSERT INTO found (rowid, text) VALUES (new.id, new.text);
      END
      """)
    let store = try await RecordStore(path: connection.path)
    let report = try await store.sync(.text(#"[{"id": 7, "text": "blue whale"}]"#), into: "notes")
    XCTAssertEqual(report.status, .written)
    XCTAssertEqual(report.tables["notes"]?.refused.count, 0)
    let found = try connection.rows("SELECT rowid FROM found WHERE found MATCH 'whale'") {
      try $0.integer(0)
    }
    XCTAssertEqual(found, [7])
  }
}
