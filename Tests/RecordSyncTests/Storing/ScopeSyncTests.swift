@testable import RecordSync
import TestSupport
import XCTest

/// Which rows a payload speaks of.
final class ScopeSyncTests: XCTestCase {
  private let notes = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, day TEXT, user_id INTEGER REFERENCES users,
      reader_id INTEGER REFERENCES users);
    INSERT INTO users VALUES (1, 'Ann'), (2, 'Ben');
    INSERT INTO notes VALUES (1, 'mon', 1, NULL), (2, 'tue', 1, NULL), (3, 'mon', 2, NULL)
    """

  func testAConditionLimitsWhatMayBeDeletedAndNoKeyIsInsertedTwice() async throws {
    let database = try TestDatabase(notes)
    try await database.sync(#"[{"id": 1}, {"id": 2, "day": "wed"}]"#, "notes") {
      $0.scope = RecordScope(condition: "day = ?", values: ["mon"])
    }
    XCTAssertEqual(try database.table("notes"), ["1|mon|1|NULL", "2|wed|1|NULL"])
  }

  func testAParentsChildrenAreItsAndOthersAreLeftAlone() async throws {
    let database = try TestDatabase(notes)
    try await database.sync(#"[{"id": 1}, {"id": 3, "user_id": 1}, {"id": 7}]"#, "notes") {
      $0.scope = RecordScope(parent: .init(table: "users", key: 2, column: "user_id"))
    }
    XCTAssertEqual(
      try database.table("notes"),
      ["1|mon|2|NULL", "2|tue|1|NULL", "3|mon|2|NULL", "7|NULL|2|NULL"]
    )
  }

  func testAParentThatIsNotThereOrNotClearIsAnError() async throws {
    let database = try TestDatabase(notes)
    let parents: [(RecordScope.Parent, RecordError)] = [
      (
        .init(table: "users", key: 9, column: "user_id"),
        .noParent(table: "users", key: RecordKey([.integer(9)]))
      ),
      (
        .init(table: "users", key: 1),
        .table("notes", .severalForeignKeys(to: "users", columns: ["user_id", "reader_id"]))
      ),
      (.init(table: "notes", key: 1), .table("notes", .noForeignKey(to: "notes"))),
    ]
    for (parent, wanted) in parents {
      await assertThrows(
        wanted, try await database.sync("[]", "notes") { $0.scope = RecordScope(parent: parent) })
    }
    XCTAssertEqual(try database.table("notes").count, 3)
  }

  func testAConditionThatIsNoSQLIsAnErrorAndNothingIsWritten() async throws {
    let database = try TestDatabase(notes)
    await assertThrows(
      try await database.sync("[]", "notes") { $0.scope = RecordScope(condition: "day = = 1") }
    ) { error in
      guard case .condition(let words)? = error as? RecordError else { return XCTFail("\(error)") }
      XCTAssertTrue(words.contains("syntax error"), words)
    }
    XCTAssertEqual(try database.table("notes").count, 3)
  }

  func testWithEditsThatWaitColumnsAndRowsStay() async throws {
    let database = try TestDatabase(
      """
      notes: title TEXT, body TEXT, dirty TEXT;
      notes = (1, 'mine', 'old', '["title"]'), (2, 'gone', 'x', 'body'), (3, 'c', 'd', NULL)
      """)
    let overrides = SchemaOverrides.of("notes") { $0.edits = "dirty" }
    let report = try await database.sync(
      #"[{"id": 1, "title": "theirs", "body": "new"}]"#, "notes", overrides: overrides)
    XCTAssertEqual(try database.table("notes"), [#"1|mine|new|["title"]"#, "2|gone|x|body"])
    XCTAssertEqual(report.tables["notes"]?.keptEdits.map(\.key.integer), [1, 2])
  }

  func testAMarkOfTheWholeRowKeepsAllOfItAndTheRow() async throws {
    let database = try TestDatabase(
      "users:; notes: title TEXT, dirty INTEGER NOT NULL DEFAULT 0, user_id -> users; users = (1)",
      "notes = (1, 'mine', 1, 1), (2, 'gone', 1, 1), (3, 'c', 0, 1), (4, 'd', 0, 1)")
    let overrides = SchemaOverrides.of("notes") { $0.edits = "dirty" }
    let wanted = ["1|mine|1|1", "2|gone|1|1", "3|C|0|1"]
    let notes = #"[{"id": 1, "title": "theirs", "user_id": null}, {"id": 3, "title": "C"}]"#
    let report = try await database.sync(
      #"[{"id": 1, "notes": \#(notes)}]"#, "users", overrides: overrides)
    XCTAssertEqual(try database.table("notes"), wanted)
    XCTAssertEqual(
      report.tables["notes"]?.keptEdits.map { "\($0.key): \($0.columns)" },
      [#"1: ["title"]"#, "2: []"])
    XCTAssertEqual(report.tables["notes"]?.deleted.map(\.integer), [4])
    let top = try await database.sync(notes, "notes", overrides: overrides)
    XCTAssertEqual(try database.table("notes"), wanted)
    XCTAssertEqual(top.tables["notes"]?.keptEdits.map(\.key.integer), [1, 2])
  }

  func testAnEditStaysInARowThatWaitsForAnothersValue() async throws {
    let database = try TestDatabase(
      "users: mail TEXT UNIQUE, place INTEGER UNIQUE, dirty TEXT",
      "users = (1, 'mine', 1, 'mail'), (2, 'b', 2, NULL)")
    let overrides = SchemaOverrides.of("users") { $0.edits = "dirty" }
    let report = try await database.sync(
      #"[{"id": 1, "mail": "theirs", "place": 2}, {"id": 2, "place": 1}]"#, "users",
      overrides: overrides)
    XCTAssertEqual(try database.table("users"), ["1|mine|2|mail", "2|b|1|NULL"])
    XCTAssertEqual(report.tables["users"]?.keptEdits.map(\.columns), [["mail"]])
  }

  func testAnEmptyPayloadEmptiesAParentUnlessNothingMayGo() async throws {
    for (operations, rows) in [
      (Operations.keep, ["1|mon|1|NULL", "2|tue|1|NULL", "3|mon|2|NULL"]),
      (.all, ["3|mon|2|NULL"]),
    ] {
      let database = try TestDatabase(notes)
      try await database.sync("[]", "notes") {
        $0.scope = RecordScope(parent: .init(table: "users", key: 1, column: "user_id"))
        $0.operations = operations
      }
      XCTAssertEqual(try database.table("notes"), rows)
    }
  }
}
