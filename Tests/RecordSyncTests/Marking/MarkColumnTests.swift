@testable import RecordSync
import SyncText
import XCTest

/// Which columns rows can be marked by, and what stands there then.
final class MarkColumnTests: XCTestCase {
  private func marking(_ column: String = "gone") -> SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.deletedAt = column
    return overrides
  }

  func testTheMomentHasTheFormOfTheColumnsDates() async throws {
    let forms: [(declared: String, date: ColumnType.DateStorage?, pattern: String)] = [
      ("TEXT", nil, "____-__-__T__:__:__.___Z"), ("DATETIME", nil, "____-__-__T__:__:__.___Z"),
      ("", nil, "____-__-__T__:__:__.___Z"), ("INTEGER", nil, "_____________"),
      ("INTEGER", .seconds, "__________"), ("REAL", nil, "__________.%"),
      ("TIMESTAMP", .milliseconds, "_____________"),
    ]
    for (declared, date, pattern) in forms {
      let database = try TestDatabase("users: gone \(declared); users = (1, NULL)")
      var overrides = marking()
      if let date { overrides.table("users") { $0.column("gone") { $0.date = date } } }
      let report = try await database.sync("[]", "users", overrides: overrides)
      XCTAssertEqual(report.tables["users"]?.marked, 1, declared)
      let rows = try database.table("users")
      XCTAssertEqual(
        try database.rows("SELECT id FROM users WHERE gone LIKE '\(pattern)'"), ["1"],
        "\(declared) \(rows)")
    }
  }

  func testAColumnThatCannotTellIsAnError() async throws {
    for declared in [
      "TEXT NOT NULL", "TEXT DEFAULT 'x'", "BOOLEAN", "JSON", "UUID", "BLOB",
      "TEXT AS ('x')", "INTEGER REFERENCES users",
    ] {
      let database = try TestDatabase("users: name TEXT, gone \(declared)")
      do {
        try await database.sync("[]", "users", overrides: marking())
        XCTFail(declared)
      } catch RecordError.schema(.noMark(let column, let table)) {
        XCTAssertEqual([table, column], ["users", "gone"], declared)
      }
    }
  }

  func testAColumnThatCannotTellIsAnErrorOnlyOfTablesThatAreReached() async throws {
    let database = try TestDatabase(
      """
      users: gone TEXT; users = (1, NULL); others: gone INTEGER NOT NULL; others = (1, 0);
      notes: user_id -> users ON DELETE CASCADE, gone INTEGER
      """)
    let report = try await database.sync("[]", "users", overrides: marking())
    XCTAssertEqual(report.tables["users"]?.marked, 1)
    try database.run("DROP TABLE notes")
    try database.run(
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, gone INTEGER NOT NULL,
      user_id INTEGER REFERENCES users ON DELETE CASCADE)
      """)
    do {
      try await database.sync(#"[{"id": 1}]"#, "users", overrides: marking())
      XCTFail("rows of notes would be deleted")
    } catch RecordError.schema(.noMark(let column, let table)) {
      XCTAssertEqual([table, column], ["notes", "gone"])
    }
  }

  func testATableWithoutTheColumnIsNotSynced() async throws {
    let database = try TestDatabase("users: name TEXT; users = (1, 'Ann'), (2, 'Bob')")
    let before = try database.table("users")
    let store = try await RecordStore(path: database.path, overrides: marking())
    for change in [
      { try await store.sync(.text("[]"), into: "users") },
      { try await store.delete(1, from: "users") },
    ] as [@Sendable () async throws -> RecordReport] {
      do {
        _ = try await change()
        XCTFail("rows were deleted that were to be marked")
      } catch RecordError.table(_, .noMark(let column)) {
        XCTAssertEqual(column, "gone")
      }
    }
    XCTAssertEqual(try database.table("users"), before)
    do {
      try await database.sync(
        "[]", "users", overrides: .of("users") { $0.deletedAt = "none" })
      XCTFail("an override of a column that isn't there")
    } catch SchemaProblem.noColumn(let column, _) {
      XCTAssertEqual(column, "none")
    }
  }

  func testWhatATableSaysGoesBeforeWhatIsSaidOfAll() async throws {
    let database = try TestDatabase(
      "users: gone TEXT, left TEXT; users = (1, NULL, NULL), (2, NULL, 'x')")
    var overrides = marking()
    overrides.table("users") { $0.deletedAt = "left" }
    try await database.sync("[]", "users", overrides: overrides)
    XCTAssertEqual(
      try database.rows("SELECT id, gone, left IS NULL, left = 'x' FROM users"),
      ["1|NULL|0|0", "2|NULL|0|1"])
  }

  func testTheSchemaFileSaysIt() throws {
    let file = """
      {"deletedAt": "gone", "history": true,
       "tables": {"users": {"deletedAt": "left", "history": false}}}
      """
    let overrides = try SchemaOverrides(json: Array(file.utf8))
    XCTAssertEqual(overrides.deletedAt, "gone")
    XCTAssertTrue(overrides.keepsHistory)
    XCTAssertEqual(overrides.tables["users"]?.deletedAt, "left")
    XCTAssertEqual(overrides.tables["users"]?.keepsHistory, false)
  }

  func testItIsMadeInTheTablesOfRowsThatAreMade() async throws {
    let database = try TestDatabase("")
    let payload = """
      [{"id": 1, "name": "a", "posts": [{"id": 1, "tags": [{"id": 7, "n": "x"}]}, {"id": 2,
        "tags": [{"id": 7, "n": "x"}]}]}, {"id": 2, "name": "b", "posts": []}]
      """
    let create: (inout RecordOptions) -> Void = { $0.creates = true }
    let report = try await database.sync(payload, "users", overrides: marking(), create)
    XCTAssertEqual(
      try database.rows(
        """
        SELECT t.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
        WHERE c.name = 'gone' AND c.type = 'TIMESTAMP' ORDER BY 1
        """), ["posts", "tags", "users"], "\(report.made)")
    try await database.sync(
      #"[{"id": 1, "posts": [{"id": 1}]}]"#, "users", overrides: marking(), create)
    XCTAssertEqual(try database.rows("SELECT id FROM users WHERE gone IS NULL"), ["1"])
    XCTAssertEqual(try database.rows("SELECT id FROM posts WHERE gone IS NULL"), ["1"])
    let again = try await database.sync(
      #"[{"id": 1, "posts": [{"id": 1}]}]"#, "users", overrides: marking(), create)
    XCTAssertEqual(again.status, .unchanged)
    XCTAssertEqual(again.made, [])
  }

  func testATableThatIsThereGetsItWhereTablesMayGrow() async throws {
    let database = try TestDatabase("users: name TEXT; users = (1, 'Ann'), (2, 'Bob')")
    let report = try await database.sync(#"[{"id": 1}]"#, "users", overrides: marking()) {
      $0.creates = true
    }
    XCTAssertEqual(report.made.map(\.column), ["gone"])
    XCTAssertEqual(try database.rows("SELECT name FROM users WHERE gone IS NOT NULL"), ["Bob"])
  }

  func testAPayloadThatHasTheColumnItselfMakesIt() async throws {
    let database = try TestDatabase("")
    try await database.sync(
      #"[{"id": 1, "gone": null}, {"id": 2, "gone": "2026-01-02T03:04:05Z"}]"#, "users",
      overrides: marking()
    ) { $0.creates = true }
    XCTAssertEqual(
      try database.rows("SELECT id FROM users WHERE gone IS NOT NULL"), ["2"])
    XCTAssertEqual(
      try database.rows("SELECT count(*) FROM pragma_table_info('users')"), ["2"])
  }
}
