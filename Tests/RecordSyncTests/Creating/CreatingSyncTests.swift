import OneWaySynchronizer
@testable import RecordSync
import SyncDatabase
import TestSupport
import XCTest

/// Tables that are made for a payload, and what from.
final class CreatingSyncTests: XCTestCase {
  func testObjectsWithAKeyBecomeATableAndEverythingElseColumns() async throws {
    let database = try TestDatabase()
    let report = try await database.create(
      """
      [{"id": 1, "title": "One", "open": true, "score": 3, "user": {"id": 7, "name": "Ann"},
        "tags": ["a"], "size": {"w": 1}, "comments": [{"id": 10, "text": "hm"}, {"id": 11}]},
       {"id": 2, "score": 3.5, "user": {"id": 7}, "comments": [], "tags": [], "when": null}]
      """, "issues")
    XCTAssertEqual(report.status, .written)
    XCTAssertEqual(
      try database.columns("issues"),
      [
        "id INTEGER", "title TEXT", "open BOOLEAN", "score REAL", "user_id INTEGER", "tags JSON",
        "size_w INTEGER",
      ])
    XCTAssertEqual(try database.columns("users"), ["id INTEGER", "name TEXT"])
    XCTAssertEqual(
      try database.columns("comments"),
      ["id INTEGER", "text TEXT", "issue_id INTEGER", "position INTEGER"])
    XCTAssertEqual(
      try database.table("issues"),
      ["1|One|1|3.0|7|[\"a\"]|1", "2|NULL|NULL|3.5|7|[]|NULL"])
    XCTAssertEqual(try database.table("users"), ["7|Ann"])
    XCTAssertEqual(try database.table("comments"), ["10|hm|1|0", "11|NULL|1|1"])
    XCTAssertEqual(try database.tables(), ["comments", "issues", "users"])
    XCTAssertEqual(report.tables["issues"]?.unknown, [:], "null tells nothing")
  }

  func testChildrenOfSeveralParentsAreLinkedAndThoseOfOneHangOnIt() async throws {
    let database = try TestDatabase()
    try await database.create(
      """
      [{"id": 1, "tags": [{"id": "x"}, {"id": "y"}], "notes": [{"id": 5}]},
       {"id": 2, "tags": [{"id": "x"}], "notes": [{"id": 6}]}]
      """, "posts")
    XCTAssertEqual(
      try database.columns("posts_tags"), ["post_id INTEGER", "tag_id TEXT", "position INTEGER"])
    XCTAssertEqual(try database.table("posts_tags"), ["1|x|0", "1|y|1", "2|x|0"])
    XCTAssertEqual(try database.table("notes"), ["5|1|0", "6|2|0"])
    XCTAssertEqual(try database.tables(), ["notes", "posts", "posts_tags", "tags"])
    // No table is searched from its beginning for a parent or a link.
    let plan = try database.rows(
      "EXPLAIN QUERY PLAN SELECT * FROM posts_tags WHERE tag_id = 'x'"
    ).joined()
    XCTAssertTrue(plan.contains("INDEX"), plan)
  }

  func testItIsSaidWhatWasMadeAndFromWhat() async throws {
    let database = try TestDatabase()
    let objects = (1...1_200).map {
      "{\"id\": \($0), \"user_id\": \($0 % 9), \"user\": {\"id\": \($0 % 9)}}"
    }
    let report = try await database.create("[\(objects.joined(separator: ","))]", "posts")
    XCTAssertEqual(
      report.made.map(\.description),
      [
        "table posts (id INTEGER, user_id INTEGER → users): 1,200 objects of the payload",
        "table users (id INTEGER): 1,200 objects under “user” in posts",
        "relation posts.user: rows of users, named by user_id: user_id equals users.id in all of "
          + "1,200 rows",
      ])
  }

  func testAKeyBesideThatIsAnotherStaysAColumnOfItsOwn() async throws {
    let database = try TestDatabase()
    try await database.create(
      """
      [{"id": 1, "user": {"id": 7}, "user_id": 7}, {"id": 2, "user": {"id": 7}, "user_id": 8}]
      """, "posts")
    XCTAssertEqual(
      try database.columns("posts"), ["id INTEGER", "user INTEGER", "user_id INTEGER"])
    XCTAssertEqual(try database.table("posts"), ["1|7|7", "2|7|8"])
    XCTAssertEqual(try database.table("users"), ["7"])
  }

  func testAnObjectThatNamesItsParentIsKeptByOneColumn() async throws {
    let database = try TestDatabase()
    let report = try await database.create(
      #"[{"id": 1, "notes": [{"id": 5, "postId": 1}]}, {"id": 2, "notes": [{"id": 6, "postId": 2}]}]"#,
      "posts")
    XCTAssertEqual(
      try database.columns("notes"), ["id INTEGER", "postId INTEGER", "position INTEGER"])
    XCTAssertEqual(try database.table("notes"), ["5|1|0", "6|2|0"])
    XCTAssertEqual(
      report.relations,
      [
        "relation posts.notes: rows of notes, which name theirs by postId: postId equals posts.id "
          + "in all of 2 rows"
      ])
    let other = try TestDatabase()
    try await other.create(#"[{"id": 1, "notes": [{"id": 5, "post_id": 3}]}]"#, "posts")
    XCTAssertEqual(
      try other.columns("notes"),
      ["id INTEGER", "post_id INTEGER", "posts_id INTEGER", "position INTEGER"])
    XCTAssertEqual(try other.table("notes"), ["5|3|1|0"])
  }

  func testATreeNestsInItself() async throws {
    let database = try TestDatabase()
    let tree = """
      [{"id": 1, "children": [{"id": 2, "name": "b", "children": [{"id": 3, "children": []},
        {"id": 4, "name": "d"}]}]}]
      """
    try await database.create(tree, "children")
    XCTAssertEqual(
      try database.columns("children"),
      ["id INTEGER", "name TEXT", "parent_id INTEGER", "position INTEGER"])
    XCTAssertEqual(
      try database.table("children"), ["1|NULL|NULL|NULL", "2|b|1|0", "3|NULL|2|0", "4|d|2|1"])
    try await assertEqual(database.create(tree, "children").status, .unchanged)
  }

  func testAllOfThePayloadIsLookedAtAndWhatWasNullGetsItsTypeLater() async throws {
    let database = try TestDatabase()
    let nulls = (1...3_000).map { "{\"id\": \($0), \"late\": null, \"number\": 1}" }
    let last = #"{"id": 3001, "late": {"id": 5, "x": 1}, "number": "one", "more": 1}"#
    try await database.create("[\((nulls + [last]).joined(separator: ","))]", "rows")
    XCTAssertEqual(
      try database.columns("rows"),
      ["id INTEGER", "late_id INTEGER", "number TEXT", "more INTEGER"])
    XCTAssertEqual(try database.table("lates"), ["5|1"])
    // And what was null in all of one payload, with a later one.
    let second = try TestDatabase()
    let report = try await second.create(#"[{"id": 1, "a": null, "b": []}]"#, "t") {
      $0.isStrict = true
    }
    XCTAssertEqual(report.status, .written)
    XCTAssertEqual(try second.columns("t"), ["id INTEGER"])
    try await assertEqual(
      second.create(#"[{"id": 1, "a": true, "b": [{"id": 2}]}]"#, "t").made.map(\.description),
      [
        "table b (id INTEGER, t_id INTEGER → t, position INTEGER): 1 object in arrays under “b” in t",
        "column t.a BOOLEAN: 1 value",
        "relation t.b: rows of b, which name theirs by t_id: 1 object, those of one key the same "
          + "wherever they stand",
      ])
    XCTAssertEqual(try second.table("t"), ["1|1"])
    XCTAssertEqual(try second.table("b"), ["2|1|0"])
  }

  func testTheSamePayloadAgainWritesNothing() async throws {
    let database = try TestDatabase()
    let payload = """
      [{"id": 1, "a": {"id": 1, "b": [{"id": 1, "c": [1, {}], "D": 1, "d": 2}]}, "": 1, "e": 1e400},
       {"id": 2, "a": {"id": 1}, "x": [{"_id": "q"}]}, {"id": 3, "x": [{"_id": "q"}]}]
      """
    try await database.create(payload, "t")
    let before = try Data(contentsOf: URL(filePath: database.path))
    let again = try await database.create(payload, "t")
    XCTAssertEqual(again.status, .unchanged)
    XCTAssertEqual(again.made, [])
    // Nor does it without making anything: what was made is found by itself.
    let plain = try await database.sync(payload, "t")
    XCTAssertEqual(plain.status, .unchanged)
    XCTAssertEqual(plain.tables["t"]?.unknown ?? [:], [:])
    XCTAssertEqual(try Data(contentsOf: URL(filePath: database.path)), before)
  }

  func testKeysAreThoseThatAreMostlyCalledSoOrDeclared() async throws {
    for (payload, key) in [
      (#"[{"_id": 1, "id": 5}, {"_id": 2}]"#, "_id INTEGER"),
      (#"[{"uuid": "a", "_id": null}]"#, "uuid TEXT"), (#"[{"ID": 1}]"#, "ID INTEGER"),
      (#"[{"id": 1, "remote_id": 2}]"#, "id INTEGER"), (#"[{"id": true}]"#, "id TEXT"),
    ] {
      let database = try TestDatabase()
      try await assertEqual(database.create(payload, "t").status, .written)
      XCTAssertEqual(
        try database.rows("SELECT name || ' ' || type FROM pragma_table_info('t') WHERE pk = 1"),
        [key])
      try await assertEqual(database.create(payload, "t").status, .unchanged, payload)
    }
    var overrides = SchemaOverrides.of("t") { $0.key = ["code"] }
    let declared = try TestDatabase()
    try await declared.create(#"[{"code": "a", "id": 1}]"#, "t", overrides: overrides)
    XCTAssertEqual(try declared.table("t"), ["a|1"])
    XCTAssertEqual(
      try declared.rows("SELECT name FROM pragma_table_info('t') WHERE pk = 1"), ["code"])
    overrides.table("t") { $0.key = ["land", "number"] }
    let pair = try TestDatabase()
    let payload = #"[{"land": "a", "number": 1, "x": [{"id": 1}]}, {"land": "b", "number": 1}]"#
    try await pair.create(payload, "t", overrides: overrides)
    XCTAssertEqual(try pair.table("t"), ["a|1|[{\"id\":1}]", "b|1|NULL"])
    try await assertEqual(pair.create(payload, "t", overrides: overrides).status, .unchanged)
  }

  func testATableThatIsThereUnderEitherNameIsTaken() async throws {
    let database = try TestDatabase("person:; order_items:")
    try await database.create(
      #"[{"id": 1, "person": {"id": 3, "name": "Ann"}, "orderItems": [{"id": 9}]}]"#, "orders")
    XCTAssertEqual(try database.tables(), ["order_items", "orders", "person"])
    XCTAssertEqual(try database.table("person"), ["3|Ann"])
    XCTAssertEqual(try database.table("order_items"), ["9|1"])
  }

  func testNamesAreMadeSafe() async throws {
    let database = try TestDatabase()
    let payload = """
      [{"id": 1, "a\\"b`c": 1, "x y": 2, "a.b": 3, "select": 4, "": 5, "Name": 6, "name": 7,
        "n\\u0000l": 8, "rowid": 9, "sqlite_x": [{"id": 3}], "type": "t", "userId": 1, "user_id": 2}]
      """
    try await database.create(payload, "drop table; --")
    try await assertEqual(database.create(payload, "drop table; --").status, .unchanged)
    XCTAssertEqual(
      try database.rows("SELECT * FROM \"drop table; --\""),
      ["1|1|2|3|4|5|6|7|8|9|t|1|2"])
    let exported = try await database.export("drop table; --")
    XCTAssertTrue(exported.contains("\"Name\":6,\"name\":7"), exported)
    XCTAssertTrue(exported.contains("\"\":5"), exported)
  }

  func testAnErrorLeavesNothingBehind() async throws {
    let database = try TestDatabase("CREATE TABLE notes (id INTEGER PRIMARY KEY, n INTEGER)")
    try database.run("INSERT INTO notes VALUES (1, 5)")
    let before = try database.declarations()
    for payload in [
      #"[{"id": 1, "n": "x", "new": 1, "other": {"id": 1}}, {"id": 2, "#,
      #"[{"n": "x", "new": 1}]"#,
    ] {
      do {
        try await database.create(payload, "notes")
        XCTFail(payload)
      } catch is PayloadProblem {
        XCTAssertEqual(try database.declarations(), before)
        XCTAssertEqual(try database.table("notes"), ["1|5"])
      }
    }
    do {
      try await database.create(#"[{"id": 1, "n": "x", "a": 1}, {"a": 2}]"#, "notes") {
        $0.isStrict = true
      }
      XCTFail("an object without a key")
    } catch RecordError.strict {
      XCTAssertEqual(try database.declarations(), before)
      XCTAssertEqual(try database.table("notes"), ["1|5"])
    }
    do {
      try await database.create(#"[{"id": 2, "n": "x"}]"#, "notes") { $0.removalLimit = .count(0) }
      XCTFail("a row would go")
    } catch RecordError.removalRefused {
      XCTAssertEqual(try database.declarations(), before)
      XCTAssertEqual(try database.table("notes"), ["1|5"])
    }
  }

  func testAPlanShowsWhatWouldBeMadeAndMakesNothing() async throws {
    let database = try TestDatabase()
    let plan = try await database.create(#"[{"id": 1, "a": {"id": 2}}]"#, "t") { $0.isPlan = true }
    XCTAssertEqual(plan.status, .planned)
    XCTAssertEqual(plan.made.map(\.table), ["t", "as", "t"])
    XCTAssertEqual(plan.tables["t"]?.inserted, [RecordKey([.integer(1)])])
    XCTAssertEqual(try database.declarations(), [])
  }

  func testWhatCanNotBeMadeIsAnErrorThatSaysWhy() async throws {
    let database = try TestDatabase("logs (line TEXT); CREATE VIEW seen AS SELECT 1 AS id")
    for (payload, table, words) in [
      (#"[{"id": 1}]"#, "logs", "has no key"),
      (#"[{"a": 1}]"#, "t", "(id, _id, uuid)"), ("[]", "t", "no objects from which"),
      (#"[{"id": 1}]"#, "seen", "can't stand"), (#"[{"id": 1}]"#, "sqlite_t", "can't stand"),
    ] {
      if let error = await thrown((any Error).self, by: try await database.create(payload, table)) {
        XCTAssertTrue("\(error)".contains(words), "\(error)")
      }
    }
    XCTAssertEqual(try database.tables(), ["logs"])
  }

  func testASyncThatMadeTablesIsTakenBackAndTheTablesGo() async throws {
    let database = try TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)")
    try database.run("INSERT INTO t VALUES (1, 5)")
    let report = try await database.create(#"[{"id": 1, "n": 6, "u": {"id": 3}}]"#, "t") {
      $0.recordsUndo = true
    }
    let store = try await RecordStore(path: database.path)
    let undo = try RecordUndo(bytes: try XCTUnwrap(report.undo).bytes)
    let undone = try await store.undo(undo)
    XCTAssertEqual(
      undone.undone.map(\.description), ["dropped table us", "dropped column t.u_id"])
    XCTAssertEqual(try database.table("t"), ["1|5"])
    XCTAssertEqual(try database.declarations().count, 1)
  }
}
