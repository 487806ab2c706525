import OneWaySynchronizer
@testable import RecordSync
import SyncDatabase
import TestSupport
import XCTest

/// One flat table.
final class RowSyncTests: XCTestCase {
  private let users = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
    INSERT INTO users VALUES (1, 'Ann', 30), (2, 'Ben', 40), (3, 'Cid', 50)
    """

  func testRowsAreInsertedChangedAndDeleted() async throws {
    let database = try TestDatabase(users)
    let report = try await database.sync(
      """
      [{"id": 4, "name": "Dan", "age": 20}, {"id": 2, "name": "Bea"}, {"id": 1, "name": "Ann"}]
      """, "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann|30", "2|Bea|40", "4|Dan|20"])
    XCTAssertEqual(report.status, .written)
    let table = try XCTUnwrap(report.tables["users"])
    XCTAssertEqual(table.inserted, [RecordKey([.integer(4)])])
    XCTAssertEqual(table.updated, [UpdatedRow(key: RecordKey([.integer(2)]), columns: ["name"])])
    XCTAssertEqual(table.deleted, [RecordKey([.integer(3)])])
  }

  func testWhatIsEqualWritesNothing() async throws {
    let database = try TestDatabase(users)
    let payload = """
      [{"id": 1, "name": "Ann", "age": 30}, {"id": 2, "name": "Ben", "age": 40},
       {"id": 3, "name": "Cid", "age": 50}]
      """
    let report = try await database.sync(payload, "users")
    XCTAssertEqual(report.status, .unchanged)
    XCTAssertEqual(report.tables, [:])
  }

  func testAnEmptyArrayEmptiesTheTableAndOnlyThat() async throws {
    let database = try TestDatabase(users)
    for payload in ["[1, 2]", "[null]", #"{"error": "unauthorized"}"#, #"[{"name": "x"}]"#] {
      await assertThrows(PayloadProblem.self, try await database.sync(payload, "users")) {
        if case .withoutKeys(table: "users", ["id"], _, _) = $0 { true } else { false }
      }
    }
    XCTAssertEqual(try database.table("users").count, 3)
    try await database.sync("[]", "users")
    XCTAssertEqual(try database.table("users"), [])
  }

  func testObjectsWithoutKeyAreSkippedAndReported() async throws {
    let database = try TestDatabase(users)
    let report = try await database.sync(
      #"[{"id": 1}, {"id": 2}, {"id": null, "name": "x"}, 7, {"id": 3}]"#, "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann|30", "2|Ben|40", "3|Cid|50"])
    XCTAssertEqual(report.tables["users"]?.skipped, 2)
    XCTAssertEqual(report.status, .unchanged)
  }

  func testTheLastOccurrenceHasTheLastWordForEachValue() async throws {
    let database = try TestDatabase(users)
    let report = try await database.sync(
      #"[{"id": 1, "name": "A", "age": 31}, {"id": 2}, {"id": 3}, {"id": "1", "name": "Ann"}]"#,
      "users")
    XCTAssertEqual(try database.table("users").first, "1|Ann|31")
    XCTAssertEqual(report.tables["users"]?.updated.map(\.columns), [["age"]])
    XCTAssertEqual(report.tables["users"]?.duplicates, 1)
    XCTAssertEqual(report.tables["users"]?.coerced, 1)
  }

  func testOperationsSayWhatMayBeDone() async throws {
    let payload = #"[{"id": 1, "name": "A"}, {"id": 9, "name": "N"}]"#
    for (operations, rows) in [
      (Operations.insert, ["1|Ann|30", "2|Ben|40", "3|Cid|50", "9|N|NULL"]),
      (.update, ["1|A|30", "2|Ben|40", "3|Cid|50"]), (.delete, ["1|Ann|30"]),
      (.keep, ["1|A|30", "2|Ben|40", "3|Cid|50", "9|N|NULL"]), (.all, ["1|A|30", "9|N|NULL"]),
    ] {
      let database = try TestDatabase(users)
      try await database.sync(payload, "users") { $0.operations = operations }
      XCTAssertEqual(try database.table("users"), rows, "\(operations)")
    }
  }

  func testUniqueValuesMayBeSwappedMovedAndTakenOver() async throws {
    let database = try TestDatabase(
      "users: mail TEXT NOT NULL UNIQUE, place INTEGER UNIQUE",
      "users = (1, 'a', 1), (2, 'b', 2), (3, 'c', 3), (4, 'd', 4)")
    let report = try await database.sync(
      """
      [{"id": 5, "mail": "a", "place": 9}, {"id": 1, "mail": "b", "place": 2},
       {"id": 2, "mail": "c", "place": 1}, {"id": 3, "mail": "d", "place": 3}]
      """, "users")
    XCTAssertEqual(report.tables["users"]?.refused, [])
    XCTAssertEqual(try database.table("users"), ["1|b|2", "2|c|1", "3|d|3", "5|a|9"])
  }

  func testARefusedRowFailsAloneWithItsReason() async throws {
    let database = try TestDatabase(
      "users: name TEXT NOT NULL, age INTEGER CHECK (age > 0)",
      "users = (1, 'Ann', 30), (2, 'Ben', 40)")
    let report = try await database.sync(
      #"[{"id": 1, "age": -1}, {"id": 2, "age": 41}, {"id": 3}, {"id": 4, "name": "Dan"}]"#,
      "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann|30", "2|Ben|41", "4|Dan|NULL"])
    XCTAssertEqual(report.tables["users"]?.refused.map(\.key?.integer), [1, 3])
    XCTAssertEqual(
      report.tables["users"]?.refused.map(\.reason),
      ["CHECK constraint failed: age > 0", "NOT NULL constraint failed: users.name"])
  }

  func testTheRemovalLimitRefusesBeforeAnythingIsWritten() async throws {
    let database = try TestDatabase(users)
    await assertThrows(
      try await database.sync(#"[{"id": 1, "name": "A"}]"#, "users") {
        $0.removalLimit = .count(1)
      }
    ) { error in
      XCTAssertEqual(error as? RecordError, .removalRefused(table: "users", count: 2, of: 3))
    }
    XCTAssertEqual(try database.table("users"), ["1|Ann|30", "2|Ben|40", "3|Cid|50"])
  }

  func testAPlanTellsAllAndWritesNothing() async throws {
    let database = try TestDatabase(users)
    let payload = #"[{"id": 1, "name": "A"}, {"id": 9, "name": "N"}]"#
    let plan = try await database.sync(payload, "users") { $0.isPlan = true }
    XCTAssertEqual(plan.status, .planned)
    XCTAssertEqual(try database.table("users").count, 3)
    try await assertEqual(plan.tables, database.sync(payload, "users").tables)
  }

  func testWhatIsAbsentGetsItsDefaultAndWhatIsNullOrMismatchedDoesNotOrDoes() async throws {
    let database = try TestDatabase("users: age INTEGER DEFAULT 18, name TEXT")
    let report = try await database.sync(
      #"[{"id": 1}, {"id": 2, "age": null}, {"id": 3, "age": "old"}, {"id": 4, "age": "7"}]"#,
      "users")
    XCTAssertEqual(
      try database.table("users"), ["1|18|NULL", "2|NULL|NULL", "3|18|NULL", "4|7|NULL"])
    XCTAssertEqual(report.tables["users"]?.mismatched.map(\.key?.integer), [3])
    XCTAssertEqual(report.tables["users"]?.mismatched.first?.came, #""old""#)
  }

  func testAMismatchWhereAValueIsNeededAndNoneIsGivenRefusesANewRow() async throws {
    let database = try TestDatabase("users: age INTEGER NOT NULL; users = (1, 30)")
    let report = try await database.sync(
      #"[{"id": 1, "age": "old"}, {"id": 2, "age": "old"}, {"id": 3, "age": 7}]"#, "users")
    XCTAssertEqual(try database.table("users"), ["1|30", "3|7"])
    XCTAssertEqual(report.tables["users"]?.mismatched.map(\.key?.integer), [1, 2])
    XCTAssertEqual(
      report.tables["users"]?.refused,
      [RefusedRow(key: RecordKey([.integer(2)]), reason: "NOT NULL constraint failed: users.age")])
  }

  func testNamesThatNothingTakesAreCounted() async throws {
    let database = try TestDatabase(users)
    let report = try await database.sync(
      #"[{"id": 1, "x": 1}, {"id": 2, "x": 2, "y": {}}, {"id": 3}]"#, "users")
    XCTAssertEqual(report.tables["users"]?.unknown, ["x": 2, "y": 1])
    XCTAssertEqual(report.status, .unchanged)
  }

  func testSyncsOfOneStoreRunOneAfterTheOther() async throws {
    let database = try TestDatabase(users)
    let store = try await RecordStore(path: database.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in 0..<20 {
        group.addTask {
          _ = try await store.sync(
            .text(#"[{"id": 1, "name": "n\#(name)"}, {"id": \#(name + 10)}]"#), into: "users")
        }
      }
      try await group.waitForAll()
    }
    let rows = try database.table("users")
    XCTAssertEqual(rows.count, 2)
    let name = try XCTUnwrap(rows.first?.split(separator: "|")[1].dropFirst())
    XCTAssertEqual(rows[1], "\((Int(name) ?? 0) + 10)|NULL|NULL")
  }
}
