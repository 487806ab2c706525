@testable import RecordSync
import XCTest

/// Versions of rows are kept beside their table, if that is asked for.
final class HistoryTests: XCTestCase {
  private var keeping: SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.keepsHistory = true
    return overrides
  }

  private func users() throws -> TestDatabase {
    try TestDatabase(
      """
      users: name TEXT UNIQUE, age INTEGER; notes: text TEXT, user_id -> users ON DELETE CASCADE;
      users = (1, 'Ann', 31), (2, 'Bob', 32); notes = (10, 'ten', 2)
      """)
  }

  /// The versions: their values, the run that wrote each and the one that ended it.
  private func versions(_ database: TestDatabase, _ table: String = "users") throws -> [String] {
    let columns = table == "users" ? "id, name, age" : "id, text, user_id"
    return try database.rows(
      """
      SELECT \(columns), history_run, history_end_run FROM \(table)_history
      ORDER BY id, coalesce(history_run, 0)
      """)
  }

  func testWhatIsReplacedAndWhatIsDeletedIsKeptWithTheRunsOfItsTime() async throws {
    let database = try users()
    try await database.sync(
      #"[{"id": 1, "name": "Amy"}, {"id": 3, "name": "Cid"}]"#, "users", overrides: keeping)
    XCTAssertEqual(
      try versions(database),
      ["1|Ann|31|NULL|1", "1|Amy|31|1|NULL", "2|Bob|32|NULL|1", "3|Cid|NULL|1|NULL"])
    // The database itself deleted it.
    XCTAssertEqual(try versions(database, "notes"), ["10|ten|2|NULL|1"])
    try await database.sync(#"[{"id": 1, "name": "Ada"}]"#, "users", overrides: keeping)
    XCTAssertEqual(
      try versions(database),
      [
        "1|Ann|31|NULL|1", "1|Amy|31|1|2", "1|Ada|31|2|NULL", "2|Bob|32|NULL|1",
        "3|Cid|NULL|1|2",
      ])
    XCTAssertEqual(
      try database.rows(
        "SELECT count(*) FROM users_history WHERE history_to LIKE '____-__-__T__:__:__.___Z'"),
      ["4"])
    XCTAssertEqual(
      try database.rows(
        """
        SELECT count(*) FROM users_history AS a JOIN users_history AS b
        ON a.history_end_run = b.history_run AND a.history_to <> b.history_from
        """), ["0"])
  }

  func testNothingIsMadeUntilThereIsAVersionAndOnlyIfAskedFor() async throws {
    let database = try users()
    let same = #"[{"id": 1, "name": "Ann"}, {"id": 2}]"#
    try await database.sync(same, "users", overrides: keeping)
    try await database.sync(#"[{"id": 1, "name": "Amy"}, {"id": 2}]"#, "users")
    XCTAssertEqual(
      try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1"),
      ["notes", "users"])
    let plan = try await database.sync("[]", "users", overrides: keeping) { $0.isPlan = true }
    XCTAssertEqual(plan.status, .planned)
    XCTAssertEqual(
      try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1"),
      ["notes", "users"])
    var only = SchemaOverrides.of("notes") { $0.keepsHistory = true }
    try await database.sync(#"[{"id": 1}]"#, "users", overrides: only)
    XCTAssertEqual(
      try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1"),
      ["notes", "notes_history", "recordsync_history", "users"])
    only = keeping
    only.table("users") { $0.keepsHistory = false }
    try await database.sync("[]", "users", overrides: only)
    XCTAssertEqual(
      try database.rows("SELECT name FROM sqlite_schema WHERE name = 'users_history'"), [])
  }

  func testWhatIsWrittenWithoutItIsKeptWhenItEnds() async throws {
    let database = try users()
    try await database.sync(
      #"[{"id": 1, "name": "Amy"}, {"id": 2}]"#, "users", overrides: keeping)
    try await database.sync(#"[{"id": 1, "name": "Between"}, {"id": 2}]"#, "users")
    try await database.sync(
      #"[{"id": 1, "name": "Ada"}, {"id": 2}]"#, "users", overrides: keeping)
    XCTAssertEqual(
      try database.rows(
        "SELECT name, history_run, history_end_run FROM users_history ORDER BY history_id"),
      ["Ann|NULL|1", "Amy|1|2", "Between|NULL|2", "Ada|2|NULL"])
  }

  func testEachWayToWriteARowKeepsItsVersion() async throws {
    let database = try users()
    let store = try await RecordStore(path: database.path, overrides: keeping)
    try await store.put(.text(#"{"id": 3, "name": "Cid"}"#), into: "users")
    try await store.update(3, of: "users", with: .text(#"{"age": 7}"#))
    try await store.update(3, of: "users", with: .text(#"{"id": 4}"#))
    try await store.delete(4, from: "users")
    XCTAssertEqual(
      try versions(database), ["3|Cid|NULL|1|2", "3|Cid|7|2|3", "4|Cid|7|3|4"])
  }

  /// Values are parked for a moment, rows inserted before what they refer to.
  func testWhatLiesWithinARunIsNoVersion() async throws {
    let database = try users()
    try await database.sync(
      #"[{"id": 1, "name": "Bob"}, {"id": 2, "name": "Ann"}]"#, "users", overrides: keeping)
    XCTAssertEqual(
      try versions(database),
      ["1|Ann|31|NULL|1", "1|Bob|31|1|NULL", "2|Bob|32|NULL|1", "2|Ann|32|1|NULL"])
    try await database.sync(
      #"[{"id": 11, "text": "a", "user_id": 1}, {"id": 11, "text": "b", "user_id": 2}]"#, "notes",
      overrides: keeping)
    XCTAssertEqual(
      try versions(database, "notes"), ["10|ten|2|NULL|2", "11|b|2|2|NULL"])
  }

  func testARefusedRowHasNoVersion() async throws {
    let database = try users()
    let report = try await database.sync(
      #"[{"id": 1, "name": "Bob"}, {"id": 2}, {"id": 3, "name": "Cid"}]"#, "users",
      overrides: keeping)
    XCTAssertEqual(report.tables["users"]?.refused.count, 1)
    XCTAssertEqual(try versions(database), ["3|Cid|NULL|1|NULL"])
  }

  func testWhatTriggersOfTheDatabaseWriteIsKept() async throws {
    let database = try users()
    try database.run(
      """
      CREATE TRIGGER t AFTER UPDATE OF name ON users
      BEGIN UPDATE users SET age = age + 1 WHERE id = NEW.id; UPDATE notes SET text = NEW.name; END
      """)
    try await database.sync(
      #"[{"id": 1}, {"id": 2, "name": "Ben"}]"#, "users", overrides: keeping)
    XCTAssertEqual(try versions(database), ["2|Bob|32|NULL|1", "2|Ben|33|1|NULL"])
    XCTAssertEqual(try versions(database, "notes"), ["10|ten|2|NULL|1", "10|Ben|2|1|NULL"])
    try database.run(
      """
      CREATE TRIGGER i AFTER INSERT ON users BEGIN UPDATE users SET age = 1 WHERE id = NEW.id; END
      """)
    try await database.sync(
      #"[{"id": 1}, {"id": 2}, {"id": 3, "name": "Cid"}]"#, "users", overrides: keeping)
    XCTAssertEqual(try versions(database).last, "3|Cid|1|2|NULL")
  }

  func testAMarkIsAVersion() async throws {
    let database = try TestDatabase("users: name TEXT, gone INTEGER; users = (1, 'Ann', NULL)")
    var overrides = keeping
    overrides.deletedAt = "gone"
    for payload in ["[]", "[]", #"[{"id": 1}]"#] {
      try await database.sync(payload, "users", overrides: overrides)
    }
    XCTAssertEqual(
      try database.rows(
        """
        SELECT name, gone IS NULL, history_run, history_end_run FROM users_history
        ORDER BY history_id
        """), ["Ann|1|NULL|1", "Ann|0|1|2", "Ann|1|2|NULL"])
  }

  func testAnUndoTakesVersionsBack() async throws {
    let database = try users()
    let first = try await database.sync(
      #"[{"id": 1, "name": "Amy"}]"#, "users", overrides: keeping
    ) { $0.recordsUndo = true }
    let store = try await RecordStore(path: database.path, overrides: keeping)
    try await store.undo(try XCTUnwrap(first.undo))
    XCTAssertEqual(try database.table("users"), ["1|Ann|31", "2|Bob|32"])
    XCTAssertEqual(try versions(database), [])
    let second = try await database.sync(
      #"[{"id": 1, "name": "Ada"}, {"id": 2}]"#, "users", overrides: keeping)
    XCTAssertEqual(second.status, .written)
    // No number is given twice.
    XCTAssertEqual(try versions(database), ["1|Ann|31|NULL|2", "1|Ada|31|2|NULL"])
  }

  func testTheHistoryFollowsTheColumnsAndKeepsOldValuesAsTheyWere() async throws {
    let database = try TestDatabase("")
    for payload in [
      #"[{"id": 1, "code": 7}]"#, #"[{"id": 1, "code": 7, "name": "Ann"}]"#,
      #"[{"id": 1, "code": "007", "name": "Ann"}]"#, #"[{"id": 1, "code": "7", "name": "Ann"}]"#,
    ] {
      try await database.sync(payload, "users", overrides: keeping) { $0.creates = true }
    }
    XCTAssertEqual(
      try database.rows(
        """
        SELECT typeof(code), code, name, history_run FROM users_history ORDER BY history_id
        """
      ).first, "integer|7|NULL|1")
    XCTAssertEqual(
      try database.rows(
        "SELECT typeof(code), code, name FROM users_history WHERE history_end_run IS NULL"),
      ["text|7|Ann"])
    XCTAssertEqual(
      try database.rows("SELECT code FROM users_history WHERE code = '007'"), ["007"])
  }

  func testAHistoryIsNoTableOfThePayload() async throws {
    let database = try users()
    try await database.sync(#"[{"id": 1, "name": "Amy"}]"#, "users", overrides: keeping)
    let store = try await RecordStore(path: database.path, overrides: keeping)
    let names = try await store.schema().tableNames
    XCTAssertEqual(names, ["notes", "users"])
    let exported = String(decoding: try await store.exported("users"), as: UTF8.self)
    XCTAssertFalse(exported.contains("history"), exported)
    for creates in [false, true] {
      do {
        try await database.sync(#"[{"id": 1, "x": 2}]"#, "users_history") { $0.creates = creates }
        XCTFail("a history was synced")
      } catch RecordError.table(let name, let fault) {
        XCTAssertEqual(name, "users_history")
        XCTAssertEqual(fault, creates ? .unusableName : .missing)
      }
    }
  }

  /// Else all would be fetched anew.
  func testAHistoryChangesNothingOfWhatIsRememberedOfASource() async throws {
    let database = try users()
    let overrides = keeping
    let store = try await RecordStore(path: database.path, overrides: overrides)
    let text = { @Sendable () async throws -> String? in
      try await store.database.withConnection { connection in
        let address = RecordAddress("https://example.org")
        var fingerprint = SourceFingerprint(
          address, .address(address), "users", RecordOptions())
        try fingerprint?.add(overrides, connection)
        return fingerprint?.text
      }
    }
    let before = try await text()
    _ = try await store.sync(.text("[]"), into: "users")
    XCTAssertEqual(try versions(database).count, 2)
    let after = try await text()
    XCTAssertNotNil(before)
    XCTAssertEqual(after, before)
  }

  func testANameThatIsTakenIsAnErrorAndNothingIsWritten() async throws {
    for (more, taken) in [
      ("users_history: name TEXT", "users_history"),
      ("CREATE VIEW users_history AS SELECT 1 AS one", "users_history"),
      ("ALTER TABLE users ADD COLUMN history_to TEXT", "history_to"),
    ] {
      let database = try users()
      for statement in ShortSQL.statements(more) { try database.run(statement) }
      let before = try database.table("users")
      do {
        try await database.sync("[]", "users", overrides: keeping)
        XCTFail(taken)
      } catch RecordError.table(let table, .noHistory(let name)) {
        XCTAssertEqual([table, name], ["users", taken])
      }
      XCTAssertEqual(try database.table("users"), before)
    }
  }

  func testTablesOfEveryKindHaveHistories() async throws {
    for declaration in [
      "things (id TEXT PRIMARY KEY COLLATE NOCASE, a, b INTEGER AS (1)) WITHOUT ROWID",
      "things (rowid TEXT, id TEXT UNIQUE, a)", "things (id TEXT, a)",
      "things (id TEXT UNIQUE ON CONFLICT REPLACE, a)",
      #"things ("id" INTEGER, a, PRIMARY KEY (id, a)) WITHOUT ROWID"#,
    ] {
      let database = try TestDatabase(declaration)
      let key = declaration.contains("(id, a)") ? ["id", "a"] : ["id"]
      var overrides = SchemaOverrides.of("things") { $0.key = key }
      overrides.keepsHistory = true
      for payload in [#"[{"id": 1, "a": 1}]"#, #"[{"id": 1, "a": 2}]"#, "[]"] {
        try await database.sync(payload, "things", overrides: overrides)
      }
      XCTAssertEqual(
        try database.rows(
          "SELECT id, a, history_run, history_end_run FROM things_history ORDER BY history_id"),
        ["1|1|1|2", "1|2|2|3"], declaration)
    }
  }

  func testTheFastComparisonIsTakenAllTheSame() async throws {
    let database = try users()
    let overrides = keeping
    let store = try await RecordStore(path: database.path, overrides: overrides)
    try await store.database.withConnection { connection in
      let schema = try SchemaReader.read(connection, overrides: overrides)
      try connection.transaction(keeping: { _ in false }) {
        let keeper = try VersionKeeper(schema, on: connection)
        XCTAssertNotNil(keeper)
        let hasOthers = try connection.hasTriggers(on: schema.tables[1])
        XCTAssertFalse(hasOthers)
      }
    }
  }
}
