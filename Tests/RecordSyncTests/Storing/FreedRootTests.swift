import OneWaySynchronizer
@testable import RecordSync
import SyncDatabase
import XCTest

/// What a payload says of children by `null`, `[]`, keys or not at all, where their table is the one
/// that is synced and so has only its roots compared. A row that lost its parent was a root then:
/// it stayed, and the next sync of the same payload deleted it.
final class FreedRootTests: XCTestCase {
  private struct Case {
    var what: String
    var payload: String
    var onDelete = ""
    var nodes: [String]
    var deleted: [Int64] = []
  }

  /// 1 has 2 and 3, 2 has 4; 5 is another root.
  private static let rows = "nodes = (1, NULL), (5, NULL), (2, 1), (3, 1), (4, 2)"

  private let cases = [
    Case(
      what: "null", payload: #"[{"id": 1, "nodes": null}, {"id": 5}]"#, onDelete: "CASCADE",
      nodes: ["1|NULL", "5|NULL"], deleted: [2, 3, 4]),
    Case(
      what: "[]", payload: #"[{"id": 1, "nodes": []}, {"id": 5}]"#, onDelete: "CASCADE",
      nodes: ["1|NULL", "5|NULL"], deleted: [2, 3, 4]),
    Case(
      what: "an absent member", payload: #"[{"id": 1}, {"id": 5}]"#, onDelete: "CASCADE",
      nodes: ["1|NULL", "2|1", "3|1", "4|2", "5|NULL"]),
    Case(
      what: "keys", payload: #"[{"id": 1, "node_ids": [2]}, {"id": 5}]"#, onDelete: "CASCADE",
      nodes: ["1|NULL", "2|1", "4|2", "5|NULL"], deleted: [3]),
    Case(
      what: "null, and a child named elsewhere",
      payload: #"""
        [{"id": 1, "nodes": null}, {"id": 5, "nodes": [{"id": 2}]}, {"id": 3, "parent_id": null}]
        """#,
      nodes: ["1|NULL", "2|5", "3|NULL", "4|2", "5|NULL"]),
    Case(
      what: "[], where the database unlinks what hangs on rows that go",
      payload: #"[{"id": 1, "nodes": []}, {"id": 5}]"#, onDelete: "SET NULL",
      nodes: ["1|NULL", "5|NULL"], deleted: [2, 3, 4]),
    Case(
      what: "a root that isn't named, where the database unlinks what hung on it",
      payload: #"[{"id": 5}]"#, onDelete: "SET NULL", nodes: ["5|NULL"], deleted: [1, 2, 3, 4]),
  ]

  private func tables(_ onDelete: String) throws -> TestDatabase {
    let action = onDelete.isEmpty ? "" : " ON DELETE \(onDelete)"
    return try TestDatabase("nodes: parent_id -> nodes\(action); \(Self.rows)")
  }

  func testRootsThatThePayloadDoesNotNameGoInTheSyncThatMakesThem() async throws {
    for test in cases {
      let database = try tables(test.onDelete)
      let plan = try await database.sync(test.payload, "nodes") { $0.isPlan = true }
      let report = try await database.sync(test.payload, "nodes")
      XCTAssertEqual(try database.table("nodes"), test.nodes, test.what)
      let deleted = report.tables["nodes"]?.deleted.compactMap(\.integer) ?? []
      XCTAssertEqual(deleted.sorted(), test.deleted, test.what)
      XCTAssertEqual(plan.tables, report.tables, test.what)
      let again = try await database.sync(test.payload, "nodes")
      XCTAssertEqual(again.status, .unchanged, "\(test.what): \(again.tables)")
      XCTAssertEqual(again.tables, [:], test.what)
    }
  }

  func testTheyCountAmongTheRowsThatMayGo() async throws {
    for (payload, onDelete, count, cascaded) in [
      (#"[{"id": 1, "nodes": null}, {"id": 5}]"#, "CASCADE", 2, 1),
      (#"[{"id": 5}]"#, "SET NULL", 3, 0),
    ] {
      let database = try tables(onDelete)
      let before = try database.table("nodes")
      do {
        try await database.sync(payload, "nodes") { $0.removalLimit = .count(count - 1) }
        XCTFail("\(count) went")
      } catch let error as RecordError {
        XCTAssertEqual(
          error, .removalRefused(table: "nodes", count: count, of: 4, cascaded: cascaded), onDelete)
      }
      XCTAssertEqual(try database.table("nodes"), before)
    }
  }

  /// A list that ends with an error deletes no row of its table for not being named.
  func testNoneGoesForAPayloadThatIsInDoubt() async throws {
    let database = try tables("CASCADE")
    let before = try database.table("nodes")
    do {
      let payload = #"[{"id": 1, "nodes": null}, {"id": 5}, {"error": "aborted"}]"#
      try await database.sync(payload, "nodes")
      XCTFail("rows went")
    } catch let error as PayloadProblem {
      guard case .errorAtEnd("nodes", _) = error else { return XCTFail("\(error)") }
    }
    XCTAssertEqual(try database.table("nodes"), before)
  }

  func testTheyStayWhereNoRowOfTheTableMayGo() async throws {
    let database = try tables("CASCADE")
    let payload = #"[{"id": 1, "nodes": null}]"#
    for status in [RecordReport.Status.written, .unchanged] {
      let report = try await database.sync(payload, "nodes") {
        $0.operations = Operations.all.subtracting(.delete)
      }
      XCTAssertEqual(report.status, status)
      XCTAssertEqual(
        try database.table("nodes"), ["1|NULL", "2|NULL", "3|NULL", "4|2", "5|NULL"])
    }
  }

  func testTheyStayWhereTheirTableIsNotTheOneThatIsSynced() async throws {
    let database = try TestDatabase(
      "owners:; nodes: owner_id -> owners, parent_id -> nodes; owners = (1)",
      "nodes = (1, 1, NULL), (2, NULL, 1)")
    let payload = #"[{"id": 1, "nodes": [{"id": 1, "nodes": null}]}]"#
    for status in [RecordReport.Status.written, .unchanged] {
      let report = try await database.sync(payload, "owners")
      XCTAssertEqual(report.status, status)
      XCTAssertEqual(try database.table("nodes"), ["1|1|NULL", "2|NULL|NULL"])
    }
  }

  func testRowsThatComeIntoAScopeByLosingTheirParentGo() async throws {
    let database = try TestDatabase(
      "users:; notes: title TEXT, user_id -> users; users = (1)",
      "notes = (1, 'a', NULL), (2, 'b', 1), (3, 'b', NULL)")
    let payload = #"[{"id": 1, "user": {"id": 1, "notes": null}}]"#
    for status in [RecordReport.Status.written, .unchanged] {
      let report = try await database.sync(payload, "notes") {
        $0.scope = RecordScope(condition: "title = ? OR user_id IS NULL", values: ["a"])
      }
      XCTAssertEqual(report.status, status)
      XCTAssertEqual(try database.table("notes"), ["1|a|1"])
    }
  }
}
