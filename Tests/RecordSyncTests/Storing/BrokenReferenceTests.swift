@testable import RecordSync
import TestSupport
import XCTest

/// Databases in which references lead nowhere before the sync: somebody wrote with foreign keys
/// switched off.
final class BrokenReferenceTests: XCTestCase {
  func testTheyFailNothing() async throws {
    let database = try TestDatabase(
      "PRAGMA foreign_keys = OFF; companies:; users: name TEXT, company_id -> companies",
      "notes: text TEXT, user_id -> users",
      "users = (1, 'Ann', NULL), (3, 'Cid', 99), (4, 'Dan', 98)",
      "notes = (1, 'one', 1), (4, 'four', 77)")
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
      "PRAGMA foreign_keys = OFF; nodes: parent_id -> nodes; nodes = (1, NULL), (2, 1), (3, 99)")
    let report = try await database.sync("[]", "nodes") {
      $0.scope = RecordScope(condition: "id <> 2")
    }
    XCTAssertEqual(try database.table("nodes"), ["1|NULL", "2|1"])
    XCTAssertEqual(report.tables["nodes"]?.refused.map(\.key?.integer), [1])
  }

  func testRowsThatReferToEachOtherGoTogether() async throws {
    let database = try TestDatabase(
      "PRAGMA foreign_keys = OFF; nodes: friend_id -> nodes; nodes = (1, 2), (2, 1), (3, NULL)")
    try await assertFalse(
      database.sync("[]", "nodes") { $0.scope = RecordScope(condition: "id < 3") }.isPartial)
    XCTAssertEqual(try database.table("nodes"), ["3|NULL"])
  }
}
