@testable import RecordSync
import TestSupport
import XCTest

/// Columns that can't hold what comes, and are declared anew.
final class WideningTests: XCTestCase {
  func testAColumnIsWidenedAndLosesNothing() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 1, "n": 3, "b": true, "j": "a"}]"#, "t")
    let steps: [(payload: String, columns: [String], rows: [String])] = [
      (
        #"[{"id": 1}, {"id": 2, "n": 2.5}]"#,
        ["id INTEGER", "n REAL", "b BOOLEAN", "j TEXT"], ["1|3.0|1|a", "2|2.5|NULL|NULL"]
      ),
      (
        #"[{"id": 1}, {"id": 2}, {"id": 3, "n": 12345678901234567890}]"#,
        ["id INTEGER", "n DECIMAL_TEXT", "b BOOLEAN", "j TEXT"],
        ["1|3.0|1|a", "2|2.5|NULL|NULL", "3|12345678901234567890|NULL|NULL"]
      ),
      (
        #"[{"id": 1}, {"id": 2, "n": "x", "b": 5, "j": [1]}, {"id": 3}]"#,
        ["id INTEGER", "n TEXT", "b TEXT", "j JSON"],
        ["1|3.0|true|\"a\"", "2|x|5|[1]", "3|12345678901234567890|NULL|NULL"]
      ),
    ]
    for (payload, columns, rows) in steps {
      let report = try await database.create(payload, "t") { $0.keepsDigits = true }
      XCTAssertEqual(report.tables["t"]?.mismatched ?? [], [], payload)
      XCTAssertEqual(try database.columns("t"), columns, payload)
      XCTAssertEqual(try database.table("t"), rows, payload)
      XCTAssertFalse(report.made.isEmpty)
      try await assertEqual(database.create(payload, "t").status, .unchanged, payload)
    }
    let exported = try await database.export("t")
    XCTAssertTrue(exported.contains("\"j\":\"a\""), exported)
  }

  func testLargeIntegersBesideFractionsAreKeptToTheDigit() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 1, "n": 9007199254740993}]"#, "t")
    let told = try await database.create(#"[{"id": 1}, {"id": 2, "n": 0.5}]"#, "t")
    XCTAssertEqual(told.tables["t"]?.mismatched.map(\.came), ["0.5"])
    XCTAssertEqual(try database.table("t"), ["1|9007199254740993", "2|NULL"])
    try await database.create(#"[{"id": 1}, {"id": 2, "n": 0.5}]"#, "t") { $0.keepsDigits = true }
    XCTAssertEqual(try database.columns("t"), ["id INTEGER", "n DECIMAL_TEXT"])
    XCTAssertEqual(try database.table("t"), ["1|9007199254740993", "2|0.5"])
    XCTAssertEqual(try database.rows("SELECT n FROM t WHERE n = '9007199254740993'").count, 1)
  }

  /// One float that was printed with all its digits made a text of a whole column: what is larger
  /// than 50 was 9.5 then.
  func testALongNumberIsTheNearestDoubleAndTheColumnStaysANumber() async throws {
    let database = try TestDatabase()
    let short = #"[{"id": 1, "n": 1.5}, {"id": 2, "n": 100.5}, {"id": 3, "n": 9.5}]"#
    let long = #"[{"id": 1, "n": 0.10000000000000001}, {"id": 2, "n": 100.5}, {"id": 3, "n": 9.5}]"#
    for payloads in [[short, long], [long]] {
      try database.run("DROP TABLE IF EXISTS t")
      for payload in payloads { try await database.create(payload, "t") }
      XCTAssertEqual(try database.columns("t"), ["id INTEGER", "n REAL"])
      XCTAssertEqual(try database.rows("SELECT n FROM t WHERE n > 50"), ["100.5"])
      try await assertEqual(database.create(long, "t").status, .unchanged)
    }
    let beyond = try await database.create(#"[{"id": 1, "n": 1e400}]"#, "t") {
      $0.operations = .keep
    }
    XCTAssertEqual(beyond.tables["t"]?.mismatched.map(\.came), ["1e400"])
    XCTAssertEqual(try database.columns("t"), ["id INTEGER", "n REAL"])
  }

  func testKeysOfManyDigitsStayApart() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 12345678901234567890}, {"id": 12345678901234567891}]"#, "t")
    XCTAssertEqual(try database.table("t"), ["12345678901234567890", "12345678901234567891"])
  }

  func testATableThatIsMadeAnewKeepsAllThatBelongsToIt() async throws {
    let database = try TestDatabase(
      "CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, age INTEGER NOT NULL DEFAULT 7, "
        + "double INTEGER GENERATED ALWAYS AS (age * 2), name TEXT UNIQUE COLLATE NOCASE)",
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users "
        + "ON DELETE CASCADE)",
      "CREATE INDEX by_age ON users (age DESC) WHERE age > 3",
      "CREATE TABLE log (what TEXT)", "CREATE VIEW ages AS SELECT age FROM users",
      "INSERT INTO users (id, age, name) VALUES (1, 5, 'Ann'), (2, 6, 'Bob'), (9, 1, 'Cid')",
      "DELETE FROM users WHERE id = 9", "INSERT INTO notes VALUES (1, 1), (2, 2)")
    try database.run(
      "CREATE TRIGGER told AFTER UPDATE ON users BEGIN INSERT INTO log VALUES (new.name); END")
    let before = try database.declarations()
    let report = try await database.create(
      #"[{"id": 1}, {"id": 2, "age": 6.5, "extra_name": "B"}]"#, "users")
    XCTAssertEqual(
      report.made.map(\.description),
      [
        "column users.age REAL, which was INTEGER: values came that it couldn't hold",
        "column users.extra_name TEXT: 1 value",
      ])
    XCTAssertEqual(
      try database.rows("SELECT id, age, double, name FROM users"),
      ["1|5.0|10|Ann", "2|6.5|13|Bob"])
    XCTAssertEqual(try database.table("notes"), ["1|1", "2|2"], "nothing went with the old table")
    XCTAssertEqual(try database.table("log"), ["Bob"])
    XCTAssertEqual(try database.rows("SELECT age FROM ages"), ["5.0", "6.5"])
    let after = try database.declarations()
    XCTAssertEqual(
      after.filter { !$0.hasPrefix("table|users") }, before.filter { !$0.hasPrefix("table|users") })
    XCTAssertEqual(try database.rows("PRAGMA foreign_key_check"), [])
    XCTAssertEqual(try database.rows("PRAGMA integrity_check"), ["ok"])
    try database.run("INSERT INTO users (age) VALUES (1)")
    XCTAssertEqual(try database.rows("SELECT max(id) FROM users"), ["10"], "numbers go on")
    try database.run("PRAGMA foreign_keys = ON")
  }

  func testAKeyIsWidenedWithAllThatRefersToIt() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id": 1, "user": {"id": 7}, "tags": [{"id": 1}]}, {"id": 2, "tags": [{"id": 1}]}]"#,
      "posts")
    try await database.create(
      #"[{"id": 1}, {"id": 2}, {"id": "x", "user": {"id": "u"}, "tags": [{"id": 1}]}]"#, "posts")
    XCTAssertEqual(try database.columns("posts"), ["id TEXT", "user_id TEXT"])
    XCTAssertEqual(try database.table("posts"), ["1|7", "2|NULL", "x|u"])
    XCTAssertEqual(try database.table("users"), ["7", "u"])
    XCTAssertEqual(
      try database.columns("posts_tags"), ["post_id TEXT", "tag_id INTEGER", "position INTEGER"])
    XCTAssertEqual(try database.table("posts_tags"), ["1|1|0", "2|1|0", "x|1|0"])
    XCTAssertEqual(try database.rows("PRAGMA foreign_key_check"), [])
  }

  func testAKeyIsWidenedSoThatLongOnesStayApart() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 9007199254740993}, {"id": 9007199254740992}]"#, "t")
    try await database.create(
      #"[{"id": 12345678901234567890}, {"id": 12345678901234567891}]"#, "t"
    ) { $0.operations = .keep }
    XCTAssertEqual(
      try database.table("t"),
      ["12345678901234567890", "12345678901234567891", "9007199254740992", "9007199254740993"])
  }

  func testTablesWithoutRowNumbersAndStrictOnesAreWidenedToo() async throws {
    let database = try TestDatabase(
      "a (id TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID",
      "b (id INTEGER PRIMARY KEY, n INTEGER) STRICT; a = ('x', 1); b = (1, 1)")
    try await database.create(#"[{"id": "x"}, {"id": "y", "n": "many"}]"#, "a")
    XCTAssertEqual(try database.table("a"), ["x|1", "y|many"])
    let report = try await database.create(
      #"[{"id": 1}, {"id": 2, "n": "many", "ok": true, "list": [1]}]"#, "b")
    XCTAssertEqual(try database.table("b"), ["1|1|NULL", "2|many|1"])
    XCTAssertEqual(report.tables["b"]?.unknown, ["list": 1], "no strict column holds JSON")
  }

  func testChildrenThatComeToHangOnSeveralParentsHangOnTheLastWhichIsTold() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id": 1, "tags": [{"id": 8}, {"id": 9, "n": 1}]}, {"id": 2, "tags": []}]"#, "posts")
    XCTAssertEqual(try database.table("tags"), ["8|NULL|1|0", "9|1|1|1"])
    let payload = #"[{"id": 1}, {"id": 2, "tags": [{"id": 9}]}, {"id": 3, "tags": [{"id": 9}]}]"#
    let report = try await database.create(payload, "posts")
    XCTAssertEqual(report.made, [])
    XCTAssertEqual(report.remarks, [.severalParents(table: "tags", under: "tags")])
    XCTAssertEqual(try database.table("tags"), ["8|NULL|1|0", "9|1|3|0"])
  }

  func testALaterRelationToRowsThatGoWithOthersHasItsOwn() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id": 1, "notes": [{"id": 5, "tags": [{"id": 9, "n": 1}]}]}]"#, "posts")
    XCTAssertTrue(try database.declarations().joined().contains("CASCADE"))
    // The note goes, on which the tag hung, and the tag is named under its post now.
    let payload = #"[{"id": 1, "notes": [], "tags": [{"id": 9, "n": 1}]}]"#
    let report = try await database.create(payload, "posts")
    XCTAssertEqual(
      report.relations,
      [
        "relation posts.tags: rows of posts_tags, told by post_id and id: rows of tags go with others"
      ])
    XCTAssertEqual(try database.table("tags"), [])
    XCTAssertEqual(try database.table("posts_tags"), ["1|9|1|0"])
    try await assertEqual(database.create(payload, "posts").status, .unchanged)
  }

  func testARowNumberIsNotTakenForAnotherKeyWhenOneComes() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 1}, {"id": 2}]"#, "t")
    try await database.create(#"[{"id": 1, "remote_id": 9}, {"id": 2}]"#, "t")
    XCTAssertEqual(try database.columns("t"), ["id INTEGER", "remote_id INTEGER"])
    XCTAssertEqual(try database.table("t"), ["1|9", "2|NULL"])
    let again = try await database.sync(#"[{"id": 1, "remote_id": 9}, {"id": 2}]"#, "t")
    XCTAssertEqual(again.status, .unchanged)
  }

  func testColumnsThatMeanMoreThanTheirValuesStayAsTheyAre() async throws {
    let database = try TestDatabase("t: day DATE, link URL, bytes BLOB, any")
    let report = try await database.create(
      #"[{"id": 1, "day": "never", "link": "a b", "bytes": 1, "any": [1]}]"#, "t")
    XCTAssertEqual(report.made, [])
    XCTAssertEqual(report.tables["t"]?.mismatched.count, 4)
  }
}
