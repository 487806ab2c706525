import SyncText
import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// Which tables go the fast way, and where it must leave a window to the usual one.
final class FlatWayTests: XCTestCase {
  func testTheFastWayIsForTablesInWhichAKeyFindsOneRowAndLeadsNowhere() throws {
    for (what, statements, expected) in [
      ("a row number", "t: a", true), ("a text", "t (id TEXT PRIMARY KEY, a)", true),
      ("a key beside the row number", "t (pk INTEGER PRIMARY KEY, id INTEGER UNIQUE)", true),
      (
        "columns of every kind, STRICT",
        "t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c BLOB, d ANY) STRICT", true
      ),
      ("a table that others refer to", "t:; s: t_id REFERENCES t", true),
      ("a table that refers to others", "s:; t: s_id -> s", true),
      ("two columns", "t (a INTEGER, b INTEGER, PRIMARY KEY (a, b))", false),
      ("no row numbers", "t (id INTEGER PRIMARY KEY) WITHOUT ROWID", false),
      ("a key in any case", "t (id TEXT PRIMARY KEY COLLATE NOCASE)", false),
      (
        "an index in any case", "t (id TEXT); CREATE UNIQUE INDEX i ON t (id COLLATE NOCASE)", false
      ),
      ("a key of another type", "t (id UUID PRIMARY KEY)", false),
    ] {
      XCTAssertEqual(try isFlat(TestDatabase(statements)), expected, what)
    }
  }

  func testATableWithATriggerGoesTheUsualWay() throws {
    let database = try TestDatabase("t: a")
    try database.run("CREATE TRIGGER silent AFTER DELETE ON T WHEN 0 BEGIN SELECT 1; END")
    XCTAssertFalse(try isFlat(database))
  }

  func testTheElementsOfAWindowAreToldApart() throws {
    let table = "id INTEGER PRIMARY KEY, name TEXT, age INTEGER, code TEXT"
    let rows = "(1, 'a', 1, 'x'), (2, 'b', 2, 'y'), (3, 'c', 3, 'z')"
    let payload = """
      [{"id":7,"name":"new"},{"id":1,"name":"a","age":1},{"id":2,"name":"other"},
       {"id":3,"nobody":0},{"id":5,"age":4}]
      """
    for (unique, new, changed, rest) in [
      ("", [4, 0], [2], [3]), (" UNIQUE", [], [], [0, 2, 3, 4]),
    ] {
      let database = try TestDatabase(
        "CREATE TABLE t (\(table)\(unique)); INSERT INTO t VALUES \(rows)")
      var looks = 0
      let (window, found) = try compared(payload, over: database) { looks += $0 }
      let compared = try XCTUnwrap(found, unique)
      XCTAssertEqual(looks, 5, unique)
      XCTAssertEqual(compared.elements(.same), [1], unique)
      XCTAssertEqual(compared.rows[0][1].row, 1, unique)
      window.tape.bytes.withUnsafeBufferPointer {
        XCTAssertEqual(compared.newElements($0), new, "by their keys\(unique)")
      }
      XCTAssertEqual(compared.elements(.changed), changed, unique)
      XCTAssertEqual(compared.elements(.other), rest, unique)
    }
  }

  func testAKeyThatIsToldInAnotherWayLeavesTheWindowWhole() throws {
    let database = try TestDatabase("t: name TEXT")
    for key in [#""5""#, "5.0", "null"] {
      let payload = "[{\"id\":4},{\"id\":\(key)}]"
      XCTAssertNil(try compared(payload, over: database) { _ in }.found, key)
    }
  }

  func testAsManyRowsAsObjectsDontMeanThatAllAreNamed() async throws {
    // So many objects that they are read in several windows; the first comes again at the end.
    let objects = (1...40_000).map { #"{"id":\#($0),"name":"a person"}"# }
    let database = try TestDatabase("t: name TEXT")
    let store = try await RecordStore(path: database.path)
    _ = try await store.sync(.text("[\(objects.joined(separator: ","))]"), into: "t")
    let others = objects.dropLast() + objects.prefix(1)
    let report = try await store.sync(.text("[\(others.joined(separator: ","))]"), into: "t")
    XCTAssertEqual(report.tables["t"]?.deleted.map(\.integer), [40_000])
    XCTAssertEqual(report.tables["t"]?.updated, [])
  }

  private func isFlat(_ database: TestDatabase) throws -> Bool {
    try tapeComparison(over: Connection(path: database.path), of: "t") != nil
  }

  private func compared(
    _ payload: String, over database: TestDatabase, _ looked: (Int) -> Void
  ) throws -> (window: PayloadWindow, found: ComparedWindow?) {
    let connection = try Connection(path: database.path)
    var comparison = try XCTUnwrap(tapeComparison(over: connection, of: "t"))
    var (window, reader) = (PayloadWindow(), PayloadReader(Array(payload.utf8)))
    XCTAssertTrue(try reader.next(&window))
    return (window, try comparison.compare(window, connection, looked))
  }

  func testANestedObjectHasNoLaterWordThanTheObjectsBehindIt() async throws {
    let database = try TestDatabase(
      "users: name TEXT; posts: user_id -> users, editor_id -> users; users = (1, 'a'), (5, 'e')")
    var overrides = SchemaOverrides()
    var posts = SchemaOverrides.Relation()
    (posts.table, posts.column) = ("posts", "user_id")
    overrides.tables["users", default: .init()].relations["posts"] = posts
    let payload = """
      [{"id":5,"posts":[{"id":9,"editor":{"id":1,"name":"zzz"}}]},{"id":1,"name":"a"}]
      """
    for round in 1...2 {
      try await database.sync(payload, "users", overrides: overrides)
      XCTAssertEqual(try database.table("users"), ["1|a", "5|e"], "round \(round)")
      XCTAssertEqual(try database.table("posts"), ["9|5|1"], "round \(round)")
    }
  }

  func testWhatATableWouldDeleteOrLeaveOutByItselfIsAConflict() async throws {
    for clause in ["REPLACE", "IGNORE"] {
      let database = try TestDatabase(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT \(clause), extra TEXT);
        INSERT INTO t VALUES (5, 'x', 'keep'), (6, 'z', 'too')
        """)
      let report = try await database.sync(
        #"[{"id":5,"code":"y"},{"id":9,"code":"x"},{"id":6,"code":"z"}]"#, "t")
      XCTAssertFalse(report.isPartial, clause)
      XCTAssertEqual(try database.table("t"), ["5|y|keep", "6|z|too", "9|x|NULL"], clause)
      let refused = try await database.sync(
        #"[{"id":5,"code":"z"},{"id":9,"code":"x"},{"id":6,"code":"z"}]"#, "t")
      XCTAssertTrue(refused.isPartial, clause)
      XCTAssertEqual(try database.table("t"), ["5|y|keep", "6|z|too", "9|x|NULL"], clause)
    }
  }

  func testWhereOnlyOneRowMayHoldAValueTheOrderIsTheUsualOne() async throws {
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, u INTEGER UNIQUE)"
    for (start, payload, rows) in [
      ("(1, 'x', 3)", #"[{"id":1,"u":7},{"id":2,"u":7}]"#, ["1|x|7"]),
      (
        "(9, 'x', 3)", #"[{"id":1,"s":5,"u":1},{"id":2,"s":"a","u":1},{"id":9}]"#,
        ["1|5|1", "9|x|3"]
      ),
    ] {
      let database = try TestDatabase("\(table); INSERT INTO t VALUES \(start)")
      try await assertTrue(database.sync(payload, "t").isPartial, payload)
      XCTAssertEqual(try database.table("t"), rows, payload)
    }
  }
}
