@testable import RecordSync
import TestSupport
import XCTest

/// Which of several columns names a row, and keys that count only beside the parent's.
final class KeySyncTests: XCTestCase {
  func testTheRowNumberIsTheKeyOnlyWhereObjectsCarryItsNameAndNotTheOthers() async throws {
    let tables = """
      CREATE TABLE users (pk INTEGER PRIMARY KEY, remote_id TEXT, name TEXT,
        boss_pk INTEGER REFERENCES users);
      INSERT INTO users VALUES (1, 'a', 'Ann', NULL), (2, 'b', 'Ben', 1)
      """
    let byNumber = try TestDatabase(tables)
    try await byNumber.sync(
      #"[{"pk": 1, "name": "Anna", "users": [{"pk": 3, "name": "Cid"}]}, {"pk": 2}]"#, "users")
    XCTAssertEqual(try byNumber.table("users"), ["1|a|Anna|NULL", "2|b|Ben|1", "3|NULL|Cid|1"])
    let byColumn = try TestDatabase(tables)
    try await byColumn.sync(
      #"[{"pk": 1, "name": "Anna"}, {"id": "b", "name": "Bo"}, {"id": "a"}]"#, "users")
    XCTAssertEqual(try byColumn.table("users"), ["1|a|Ann|NULL", "2|b|Bo|1"])
  }

  func testWhatTheDatabaseNumbersIsFoundThroughTheObjectsOwnKey() async throws {
    let database = try TestDatabase(
      "teams: remote_id TEXT UNIQUE; users: remote_id TEXT UNIQUE, team_id -> teams")
    try await database.sync(#"[{"id": 4, "team": {"remote_id": "t"}}]"#, "users")
    XCTAssertEqual(try database.table("users"), ["4|NULL|1"])
    XCTAssertEqual(try database.table("teams"), ["1|t"])
  }

  func testAKeyOfTheParentAndANumberTakesItsFirstPartFromTheNesting() async throws {
    let database = try TestDatabase(
      "orders:",
      "lines (order_id -> orders, number INTEGER, text TEXT, PRIMARY KEY (order_id, number))")
    let payload = """
      [{"id": 1, "lines": [{"number": 1, "text": "a"}, {"number": 2, "text": "b"}]},
       {"id": 2, "lines": [{"number": 1, "text": "c", "order_id": 7}]}]
      """
    try await assertFalse(database.sync(payload, "orders").isPartial)
    XCTAssertEqual(try database.rows("SELECT * FROM lines"), ["1|1|a", "1|2|b", "2|1|c"])
    try await assertEqual(database.sync(payload, "orders").status, .unchanged)
    try await database.sync(#"[{"number": 2, "text": "B"}, {"number": 3}]"#, "lines") {
      $0.scope = RecordScope(parent: .init(table: "orders", key: 1))
    }
    XCTAssertEqual(
      try database.rows("SELECT * FROM lines ORDER BY 1, 2"), ["1|2|B", "1|3|NULL", "2|1|c"])
  }

  func testADeclaredRelationMakesTheKeyAPairAndNoChildMoves() async throws {
    let database = try TestDatabase("polls:; answers (letter TEXT, text TEXT, poll_id -> polls)")
    var overrides = SchemaOverrides.of("answers") { $0.key = ["letter"] }
    overrides.table("polls") { $0.relation("answers") { $0.perParent = true } }
    let payload = """
      [{"id":1,"answers":[{"letter":"a","text":"one"},{"letter":"b","text":"two"}]},\
      {"id":2,"answers":[{"letter":"a","text":"three"}]}]
      """
    try await database.sync(payload, "polls", overrides: overrides)
    XCTAssertEqual(
      try database.rows("SELECT * FROM answers ORDER BY 3, 1"),
      ["a|one|1", "b|two|1", "a|three|2"])
    let text = try await database.export("polls", overrides: overrides)
    XCTAssertEqual(text, payload)
    try await assertEqual(database.sync(text, "polls", overrides: overrides).status, .unchanged)
    try await database.sync(
      #"[{"id": 1, "answers": []}, {"id": 2}]"#, "polls", overrides: overrides)
    XCTAssertEqual(try database.rows("SELECT * FROM answers"), ["a|three|2"])
  }

  func testAPlainValueThatCannotNameAChildDeletesNone() async throws {
    let database = try TestDatabase(
      "orders:; lines (order_id -> orders, number INTEGER, PRIMARY KEY (order_id, number))",
      "orders = (1); lines = (1, 1), (1, 2)")
    let report = try await database.sync(#"[{"id": 1, "lines": [2]}]"#, "orders")
    XCTAssertEqual(report.tables["orders"]?.mismatched.count, 1)
    XCTAssertEqual(try database.rows("SELECT * FROM lines"), ["1|1", "1|2"])
  }

  func testRelationsOfATableTwoFloorsUpReachItsRow() async throws {
    let database = try TestDatabase(
      "people: name TEXT; staff (person_id INTEGER PRIMARY KEY REFERENCES people, badge TEXT)",
      "bosses (staff_id INTEGER PRIMARY KEY REFERENCES staff, car TEXT); pets: person_id -> people")
    try await database.sync(
      #"[{"id": 1, "name": "A", "badge": "b", "car": "c", "pets": [{"id": 8}]}]"#, "bosses")
    XCTAssertEqual(try database.table("people"), ["1|A"])
    XCTAssertEqual(try database.table("bosses"), ["1|c"])
    XCTAssertEqual(try database.table("pets"), ["8|1"])
  }
}
