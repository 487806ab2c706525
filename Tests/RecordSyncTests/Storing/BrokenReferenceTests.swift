@testable import RecordSync
import XCTest

/// Databases in which references lead nowhere before the sync: somebody wrote with foreign keys
/// switched off.
final class BrokenReferenceTests: XCTestCase {
  func testTheyFailNothing() async throws {
    let database = try TestDatabase(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE companies (id INTEGER PRIMARY KEY);
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT,
        company_id INTEGER REFERENCES companies);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, user_id INTEGER REFERENCES users);
      INSERT INTO users VALUES (1, 'Ann', NULL), (3, 'Cid', 99), (4, 'Dan', 98);
      INSERT INTO notes VALUES (1, 'one', 1), (4, 'four', 77)
      """)
    let report = try await database.sync(
      """
      [{"id": 1, "name": "A", "notes": [{"id": 1, "text": "uno"}]},
       {"id": 3, "name": "C", "company_id": 99}]
      """, "users")
    XCTAssertFalse(report.isPartial, "\(report)")
    XCTAssertEqual(try database.table("users"), ["1|A|NULL", "3|C|99"])
    XCTAssertEqual(try database.table("notes"), ["1|uno|1", "4|four|77"])
  }

  /// SQLite counts what is broken, and would take the deletion of 3 for the mending of 2's reference.
  func testADeletionStaysForbiddenBesideThatOfARowThatReferredToNothing() async throws {
    let database = try TestDatabase(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES nodes);
      INSERT INTO nodes VALUES (1, NULL), (2, 1), (3, 99)
      """)
    let report = try await database.sync("[]", "nodes") {
      $0.scope = RecordScope(condition: "id <> 2")
    }
    XCTAssertEqual(try database.table("nodes"), ["1|NULL", "2|1"])
    XCTAssertEqual(report.tables["nodes"]?.refused.map(\.key?.integer), [1])
  }

  func testRowsThatReferToEachOtherGoTogether() async throws {
    let database = try TestDatabase(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, friend_id INTEGER REFERENCES nodes);
      INSERT INTO nodes VALUES (1, 2), (2, 1), (3, NULL)
      """)
    let report = try await database.sync("[]", "nodes") {
      $0.scope = RecordScope(condition: "id < 3")
    }
    XCTAssertEqual(try database.table("nodes"), ["3|NULL"])
    XCTAssertFalse(report.isPartial)
  }
}
