@testable import RecordSync
import TestSupport
import XCTest

/// Columns that can't hold what comes: they get another type, or a place beside them keeps it.
final class WideningTests: XCTestCase {
  func testAColumnIsWidenedAndLosesNothing() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 1, "n": 3, "b": true, "j": "a"}]"#, "t")
    let steps: [(payload: String, columns: [String], rows: [String])] = [
      (
        #"[{"id": 1}, {"id": 2, "n": 2.5}]"#,
        ["id INTEGER", "b BOOLEAN", "j TEXT", "n REAL"], ["1|1|a|3.0", "2|NULL|NULL|2.5"]
      ),
      (
        #"[{"id": 1}, {"id": 2}, {"id": 3, "n": 12345678901234567890}]"#,
        ["id INTEGER", "b BOOLEAN", "j TEXT", "n DECIMAL_TEXT"],
        ["1|1|a|3.0", "2|NULL|NULL|2.5", "3|NULL|NULL|12345678901234567890"]
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
    XCTAssertEqual(
      try database.table("t"), ["1|9007199254740993|NULL", #"2|NULL|{"n":0.5}"#])
    try await database.create(#"[{"id": 1}, {"id": 2, "n": 0.5}]"#, "t") { $0.keepsDigits = true }
    XCTAssertEqual(try database.columns("t"), ["id INTEGER", "extra JSON", "n DECIMAL_TEXT"])
    XCTAssertEqual(try database.table("t"), ["1|NULL|9007199254740993", "2|NULL|0.5"])
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

  func testNumbersAndTruthsInAnotherSpellingAreNoTexts() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 1, "n": 2.5, "b": true, "zip": "7"}]"#, "t")
    let payload = #"[{"id": 1, "n": "2.75", "b": "false", "zip": "07"}, {"id": 2, "n": "3"}]"#
    try await assertEqual(database.create(payload, "t").made, [])
    try await assertEqual(database.create(payload, "t").status, .unchanged)
    XCTAssertEqual(try database.table("t"), ["1|2.75|0|07", "2|3.0|NULL|NULL"])
  }

  func testAllElseOfATableStaysWhereAColumnGetsAnotherType() async throws {
    let database = try TestDatabase(
      "CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, age INTEGER, "
        + "height INTEGER NOT NULL CHECK (height > 0) DEFAULT 7, "
        + "double INTEGER GENERATED ALWAYS AS (height * 2), name TEXT UNIQUE COLLATE NOCASE)",
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users "
        + "ON DELETE CASCADE)",
      "CREATE INDEX by_height ON users (height DESC) WHERE height > 3",
      "CREATE VIEW heights AS SELECT height FROM users",
      "INSERT INTO users (id, age, name) VALUES (1, 5, 'Ann'), (2, 6, 'Bob'), (9, 1, 'Cid')",
      "DELETE FROM users WHERE id = 9", "INSERT INTO notes VALUES (1, 1), (2, 2)")
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
      try database.rows("SELECT id, age, height, double, name FROM users"),
      ["1|5.0|7|14|Ann", "2|6.5|7|14|Bob"])
    XCTAssertEqual(try database.table("notes"), ["1|1", "2|2"], "nothing went with the old column")
    let after = try database.declarations()
    XCTAssertEqual(
      after.filter { !$0.hasPrefix("table|users") }, before.filter { !$0.hasPrefix("table|users") })
    XCTAssertEqual(try database.rows("PRAGMA foreign_key_check"), [])
    XCTAssertEqual(try database.rows("PRAGMA integrity_check"), ["ok"])
    try database.run("INSERT INTO users (age) VALUES (1)")
    XCTAssertEqual(try database.rows("SELECT max(id) FROM users"), ["10"], "numbers go on")
  }

  /// Each is a column that something hangs on, which would be lost with it or could not be made
  /// again as it was.
  func testAColumnOnWhichSomethingHangsStaysAndWhatDoesNotFitIsKeptBeside() async throws {
    let bound: [(column: String, others: [String])] = [
      ("n INTEGER UNIQUE", []), ("n INTEGER CHECK (n < 9)", []),
      ("n INTEGER NOT NULL DEFAULT 3", []),
      ("n INTEGER, twice AS (n * 2)", []), ("n INTEGER, CHECK (n <> 8)", []),
      ("n INTEGER CHECK (id < 9)", []),
      (
        "n INTEGER REFERENCES u",
        ["CREATE TABLE u (id INTEGER PRIMARY KEY)", "INSERT INTO u VALUES (5)"]
      ),
      ("n INTEGER", ["CREATE INDEX by_n ON t (n)"]),
      ("n INTEGER", ["CREATE INDEX by_id ON t (id) WHERE n > 1"]),
      ("n INTEGER", ["CREATE INDEX by_sum ON t (id + n)"]),
      ("n INTEGER", ["CREATE VIEW v AS SELECT n FROM t"]),
      ("n INTEGER", ["CREATE TRIGGER told AFTER UPDATE ON t BEGIN SELECT 1; END"]),
      ("n INTEGER", ["CREATE VIEW broken AS SELECT * FROM nowhere"]),
      (
        "n INTEGER",
        [
          "CREATE TABLE u (id INTEGER PRIMARY KEY)",
          "CREATE TRIGGER of_u AFTER DELETE ON u BEGIN DELETE FROM t WHERE n = old.id; END",
        ]
      ),
    ]
    for (column, others) in bound {
      let story = "\(column) \(others)"
      let database = try TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, \(column))")
      for sql in others { try database.run(sql) }
      try database.run("INSERT INTO t (id, n) VALUES (1, 5)")
      let before = try database.declarations().filter { !$0.hasPrefix("table|t|") }
      let payload = #"[{"id": 1, "n": "many"}]"#
      let report = try await database.create(payload, "t")
      XCTAssertEqual(
        report.made.map(\.description), ["column t.extra JSON: values that can't stand in n"],
        story)
      XCTAssertEqual(report.tables["t"]?.mismatched.map(\.came), ["\"many\""], story)
      XCTAssertEqual(
        try database.rows("SELECT n, extra FROM t"), [#"5|{"n":"many"}"#], "\(story): stays")
      XCTAssertEqual(
        try database.declarations().filter { before.contains($0) }, before, story)
      // Nothing is new: neither with what makes tables nor without it.
      try await assertEqual(database.create(payload, "t").status, .unchanged, story)
      try await assertEqual(database.sync(payload, "t").status, .unchanged, story)
      try await assertTrue(database.sync(payload, "t") { $0.isPlan = true }.isEqual, story)
      // What is exported has both, and changes nothing.
      let exported = try await database.export("t")
      XCTAssertTrue(exported.contains(#""recordsync_extra":{"n":"many"}"#), exported)
      try await assertEqual(database.sync(exported, "t").status, .unchanged, story)
      try await database.sync(#"[{"id": 1, "n": 5}]"#, "t")
      XCTAssertEqual(try database.rows("SELECT n, extra FROM t"), ["5|NULL"], "\(story): it fits")
    }
  }

  func testWhatIsKeptBesideAColumnFollowsThePayload() async throws {
    let database = try TestDatabase("t: n INTEGER UNIQUE, m INTEGER UNIQUE")
    let payload = #"[{"id": 1, "n": "a", "m": [1]}, {"id": 2, "n": 2}, {"id": 3, "m": "c"}]"#
    try await database.create(payload, "t")
    XCTAssertEqual(
      try database.table("t"),
      [#"1|NULL|NULL|{"n":"a","m":[1]}"#, "2|2|NULL|NULL", #"3|NULL|NULL|{"m":"c"}"#])
    let next = #"[{"id": 1, "m": null}, {"id": 2, "n": "b"}, {"id": 3, "m": 3}]"#
    try await database.sync(next, "t")
    XCTAssertEqual(
      try database.table("t"), [#"1|NULL|NULL|{"n":"a"}"#, #"2|2|NULL|{"n":"b"}"#, "3|NULL|3|NULL"])
    // One row named twice: the last has the last word.
    let twice = #"[{"id": 1, "n": "b"}, {"id": 1, "n": 9}, {"id": 2, "n": 5}, {"id": 2, "n": "c"}]"#
    try await database.sync(twice, "t") { $0.operations = .keep }
    XCTAssertEqual(
      try database.rows("SELECT n, extra FROM t WHERE id < 3"), ["9|NULL", #"5|{"n":"c"}"#])
  }

  func testAColumnOfThatNameThatCameWithAPayloadKeepsNothingElse() async throws {
    let database = try TestDatabase("t: n INTEGER UNIQUE, extra JSON; t = (1, 2, '[1]')")
    try await database.create(#"[{"id": 1, "n": "a"}]"#, "t")
    XCTAssertEqual(try database.table("t"), [#"1|2|[1]|{"n":"a"}"#])
    XCTAssertEqual(try database.columns("t").last, "extra_2 JSON")
    try await assertEqual(database.sync(#"[{"id": 1, "n": "a"}]"#, "t").status, .unchanged)
  }

  func testAKeyIsNeverOfAnotherType() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id": 1, "user": {"id": 7}, "tags": [{"id": 1}]}, {"id": 2, "tags": [{"id": 1}]}]"#,
      "posts")
    let payload = #"[{"id": 1}, {"id": 2}, {"id": "x"}]"#
    let report = try await database.create(payload, "posts")
    XCTAssertEqual(report.made, [])
    XCTAssertEqual(report.tables["posts"]?.skipped, 1)
    XCTAssertEqual(try database.columns("posts"), ["id INTEGER", "user_id INTEGER"])
    XCTAssertEqual(try database.table("posts"), ["1|7", "2|NULL"])
    // By its key alone: a foreign key has no other type either.
    let named = #"[{"id": 1, "user_id": "u"}, {"id": 2}]"#
    let told = try await database.create(named, "posts")
    XCTAssertEqual(told.tables["posts"]?.mismatched.map(\.came), ["\"u\""])
    XCTAssertEqual(try database.table("posts"), [#"1|7|{"user_id":"u"}"#, "2|NULL|NULL"])
    try await assertEqual(database.create(named, "posts").status, .unchanged)
    XCTAssertEqual(try database.rows("PRAGMA foreign_key_check"), [])
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

  func testChildrenThatComeToHangOnSeveralParentsAreLinked() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id": 1, "tags": [{"id": 8}, {"id": 9, "n": 1}]}, {"id": 2, "tags": []}]"#, "posts")
    XCTAssertEqual(try database.table("tags"), ["8|NULL|1|0", "9|1|1|1"])
    let payload = #"[{"id": 1}, {"id": 2, "tags": [{"id": 9}]}, {"id": 3, "tags": [{"id": 9}]}]"#
    let report = try await database.create(payload, "posts")
    XCTAssertEqual(
      report.made.map(\.description),
      [
        "table posts_tags (post_id INTEGER → posts, tag_id INTEGER → tags, position INTEGER): "
          + "objects under “tags” hang on several rows of posts",
        "relation posts.tags: rows of tags, linked by posts_tags: 2 objects, those of one key the "
          + "same, some under several rows",
      ])
    XCTAssertEqual(report.remarks, [])
    // What hung on the first hangs there still, since nothing was said of it.
    XCTAssertEqual(try database.table("posts_tags"), ["1|8|0", "1|9|1", "2|9|0", "3|9|0"])
    XCTAssertEqual(try database.table("tags"), ["8|NULL|NULL|0", "9|1|NULL|1"])
    try await assertEqual(database.create(payload, "posts").status, .unchanged)
    try await assertEqual(database.sync(payload, "posts").status, .unchanged)
    let exported = try await database.export("posts")
    XCTAssertFalse(exported.contains("post"), exported)
    XCTAssertFalse(exported.contains("position"), exported)
    // None goes with a post on which it doesn't hang alone.
    try await database.create(#"[{"id": 1}, {"id": 3}]"#, "posts")
    try await database.create(#"[{"id": 3}]"#, "posts")
    XCTAssertEqual(try database.table("posts_tags"), ["3|9|0"])
    XCTAssertEqual(try database.rows("SELECT id FROM tags"), ["8", "9"])
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
