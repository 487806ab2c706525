@testable import RecordSync
import SyncDatabase
import SyncText
import XCTest

@testable import RecordSync

/// Which tables go the fast way, and where it must leave a window to the usual one.
final class FlatWayTests: XCTestCase {
  private struct Case {
    var what: String
    var statements: String
    var isFlat: Bool
  }

  private let cases = [
    Case(
      what: "a row number", statements: "CREATE TABLE t (id INTEGER PRIMARY KEY, a)", isFlat: true),
    Case(what: "a text", statements: "CREATE TABLE t (id TEXT PRIMARY KEY, a)", isFlat: true),
    Case(
      what: "a key beside the row number",
      statements: "CREATE TABLE t (pk INTEGER PRIMARY KEY, id INTEGER UNIQUE)", isFlat: true),
    Case(
      what: "columns of every kind, STRICT",
      statements: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c BLOB, d ANY) STRICT",
      isFlat: true),
    Case(
      what: "a table that others refer to",
      statements: """
        CREATE TABLE t (id INTEGER PRIMARY KEY);
        CREATE TABLE s (id INTEGER PRIMARY KEY, t_id REFERENCES t)
        """, isFlat: true),
    Case(
      what: "a table that refers to others",
      statements: """
        CREATE TABLE s (id INTEGER PRIMARY KEY);
        CREATE TABLE t (id INTEGER PRIMARY KEY, s_id REFERENCES s)
        """, isFlat: false),
    Case(
      what: "two columns",
      statements: "CREATE TABLE t (a INTEGER, b INTEGER, PRIMARY KEY (a, b))", isFlat: false),
    Case(
      what: "no row numbers",
      statements: "CREATE TABLE t (id INTEGER PRIMARY KEY) WITHOUT ROWID", isFlat: false),
    Case(
      what: "a key in any case",
      statements: "CREATE TABLE t (id TEXT PRIMARY KEY COLLATE NOCASE)", isFlat: false),
    Case(
      what: "an index in any case",
      statements: "CREATE TABLE t (id TEXT); CREATE UNIQUE INDEX i ON t (id COLLATE NOCASE)",
      isFlat: false),
    Case(
      what: "a key of another type", statements: "CREATE TABLE t (id UUID PRIMARY KEY)",
      isFlat: false),
  ]

  func testTheFastWayIsForTablesInWhichAKeyFindsOneRowAndLeadsNowhere() throws {
    for test in cases {
      let database = try TestDatabase(test.statements)
      XCTAssertEqual(try isFlat(database), test.isFlat, test.what)
    }
  }

  func testATableWithATriggerGoesTheUsualWay() throws {
    let database = try TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
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
      XCTAssertEqual(compared.parents[1].row, 1, unique)
      window.tape.bytes.withUnsafeBufferPointer {
        XCTAssertEqual(compared.newElements($0), new, "by their keys\(unique)")
      }
      XCTAssertEqual(compared.elements(.changed), changed, unique)
      XCTAssertEqual(compared.elements(.other), rest, unique)
    }
  }

  func testAKeyThatIsToldInAnotherWayLeavesTheWindowWhole() throws {
    let database = try TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    for key in [#""5""#, "5.0", "null"] {
      let payload = "[{\"id\":4},{\"id\":\(key)}]"
      XCTAssertNil(try compared(payload, over: database) { _ in }.found, key)
    }
  }

  func testAsManyRowsAsObjectsDontMeanThatAllAreNamed() async throws {
    // So many objects that they are read in several windows; the first comes again at the end.
    let objects = (1...40_000).map { #"{"id":\#($0),"name":"a person"}"# }
    let database = try TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    let store = try await RecordStore(path: database.path)
    _ = try await store.sync(.text("[\(objects.joined(separator: ","))]"), into: "t")
    let others = objects.dropLast() + objects.prefix(1)
    let report = try await store.sync(.text("[\(others.joined(separator: ","))]"), into: "t")
    XCTAssertEqual(report.tables["t"]?.deleted.map(\.integer), [40_000])
    XCTAssertEqual(report.tables["t"]?.updated, [])
  }

  private func isFlat(_ database: TestDatabase) throws -> Bool {
    try comparison(over: Connection(path: database.path)) != nil
  }

  private func compared(
    _ payload: String, over database: TestDatabase, _ looked: (Int) -> Void
  ) throws -> (window: PayloadWindow, found: ComparedWindow?) {
    let connection = try Connection(path: database.path)
    var comparison = try XCTUnwrap(comparison(over: connection))
    var (window, reader) = (PayloadWindow(), PayloadReader(Array(payload.utf8)))
    XCTAssertTrue(try reader.next(&window))
    return (window, try comparison.compare(window, connection, looked))
  }

  private func comparison(over connection: Connection) throws -> TapeComparison? {
    let schema = try SchemaReader.read(connection, overrides: SchemaOverrides())
    let place = try XCTUnwrap(schema.place(of: "t"))
    let tables = try schema.tables.map { try TableAccess($0) }
    return try TapeComparison(
      schema, place, tables, operations: .all, mayInsert: true, connection)
  }

  func testANestedObjectHasNoLaterWordThanTheObjectsBehindIt() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users,
        editor_id INTEGER REFERENCES users);
      INSERT INTO users VALUES (1, 'a'), (5, 'e')
      """)
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
      let report = try await database.sync(payload, "t")
      XCTAssertTrue(report.isPartial, payload)
      XCTAssertEqual(try database.table("t"), rows, payload)
    }
  }
}
