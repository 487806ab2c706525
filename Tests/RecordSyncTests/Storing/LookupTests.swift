import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// Columns without an index: no row is looked for by looking at all of its table.
final class LookupTests: XCTestCase {
  private let statements = """
    users (row INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE, boss TEXT, name TEXT);
    pets: name TEXT, user_code TEXT;
    toys (a INTEGER, b TEXT, pet_id -> pets ON DELETE CASCADE, PRIMARY KEY (a, b)) WITHOUT ROWID;
    users = (1, 'x', NULL, 'Ann'), (2, 'y', 'x', 'Ben'); pets = (1, 'Rex', 'x'), (2, 'Tom', 'y');
    toys = (1, 'p', 1), (1, 'q', 1), (2, 'p', 2)
    """

  private var overrides: SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.tables["users"] = .init()
    overrides.tables["users"]?.key = ["code"]
    return overrides
  }

  private func withSearch(_ body: (Connection, RecordSchema, RowSearch) throws -> Void) throws {
    let database = try TestDatabase(statements)
    var options = ConnectionOptions()
    options.journal = .asItIs
    let connection = try Connection(path: database.path, options: options)
    let schema = try SchemaReader.read(connection, overrides: overrides)
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.transaction {
      let tables = try schema.tables.map(TableAccess.init)
      let search = RowSearch(connection, schema, tables, findsOddForms: true, fewRows: 0)
      try body(connection, schema, search)
      try search.end()
    }
    XCTAssertEqual(try connection.rows("SELECT name FROM temp.sqlite_schema") { _ in 1 }, [])
  }

  private func place(_ table: String, _ schema: RecordSchema) throws -> Int {
    try XCTUnwrap(schema.place(of: table))
  }

  func testNoConditionLooksAtAllRows() throws {
    try withSearch { connection, schema, search in
      for (table, columns) in [
        ("users", [0]), ("users", [1]), ("users", [1, 2]), ("pets", [0]), ("pets", [2]),
        ("toys", [0, 1]), ("toys", [1]), ("toys", [2]),
      ] {
        let place = try place(table, schema)
        let access = try TableAccess(schema.tables[place])
        let condition = try search.condition(columns, in: place)
        let plan: SQL = "EXPLAIN QUERY PLAN \(access.select) WHERE \(condition)"
        var steps: [String] = []
        try connection.query(plan, values: columns.map { _ in nil }) {
          steps.append(try $0.text("detail"))
        }
        XCTAssertFalse(steps.contains { $0.hasPrefix("SCAN") }, "\(table) \(columns): \(steps)")
      }
    }
  }

  func testALookupFollowsWhatHappensToTheRows() throws {
    try withSearch { connection, schema, search in
      let (pets, toys) = (try place("pets", schema), try place("toys", schema))
      func found(_ pet: Int64) throws -> [String] {
        try search.rows(where: 2, is: .integer(pet), in: toys).map { "\($0.address)" }
      }
      XCTAssertEqual(try found(1).count, 2)
      try connection.run("INSERT INTO toys VALUES (9, 'z', 1)")
      XCTAssertEqual(try found(1).count, 3)
      try connection.run("UPDATE toys SET b = 'w', pet_id = 2 WHERE a = 9")
      XCTAssertEqual(try found(1).count, 2)
      XCTAssertEqual(try found(2).count, 2)
      try connection.run("DELETE FROM pets WHERE id = 2")
      XCTAssertEqual(try found(2), [])
      XCTAssertEqual(try search.rows(where: 2, is: .text("x"), in: pets).count, 1)
    }
  }

  func testOfFewRowsAllAreLookedAtUntilThereAreMany() throws {
    let database = try TestDatabase(statements)
    var options = ConnectionOptions()
    options.journal = .asItIs
    let connection = try Connection(path: database.path, options: options)
    let schema = try SchemaReader.read(connection, overrides: overrides)
    let pets = try place("pets", schema)
    try connection.transaction {
      let tables = try schema.tables.map(TableAccess.init)
      let search = RowSearch(connection, schema, tables, findsOddForms: true, fewRows: 20)
      func made() throws -> [String] {
        try connection.rows("SELECT name FROM temp.sqlite_schema WHERE type = 'table'") {
          try $0.text(0)
        }
      }
      for round in 0..<200 {
        XCTAssertEqual(try search.rows(where: 2, is: .text("x"), in: pets).count, round + 1)
        if round < 20 { XCTAssertEqual(try made(), []) }
        try connection.run("INSERT INTO pets (user_code) VALUES ('x')")
      }
      XCTAssertEqual(try made().count, 1)
      try search.end()
    }
  }

  func testADeclaredKeyWithoutAnIndexIsSyncedAsAnyOther() async throws {
    let database = try TestDatabase(statements)
    let payload = """
      [{"code": "X", "name": "Ann"}, {"code": "z", "name": "Cid"}, {"code": "z", "name": "Dan"}]
      """
    let report = try await database.sync(payload, "users", overrides: overrides)
    XCTAssertEqual(try database.table("users"), ["1|X|NULL|Ann", "3|z|NULL|Dan"], "\(report)")
    try await assertEqual(database.sync(payload, "users", overrides: overrides).status, .unchanged)
  }
}
