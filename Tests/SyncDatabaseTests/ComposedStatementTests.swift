import XCTest

@testable import SyncDatabase

/// Statements whose tables and columns are known at run time only.
final class ComposedStatementTests: XCTestCase {
  /// Names that somebody chose in order to be read as something else than a name.
  private static let oddNames = [
    "plain", "two words", "select", "quo\"te", "gra`ve", "`", "``", "a`; DROP TABLE keep; --",
    "[x]", "'", "é", "e\u{301}", "?1", "1", "line\nbreak", "--", "/*", "\\", "🗂",
  ]

  func testATableOfAnyNameIsMadeFilledAndRead() throws {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute("CREATE TABLE keep (x)")
    for name in Self.oddNames {
      let (table, column) = (try identifier(name), try identifier(name))
      try connection.run("CREATE TABLE \(table) (id INTEGER PRIMARY KEY, \(column) TEXT)")
      try connection.run("INSERT INTO \(table) (\(column)) VALUES (\(name))")
      let found = try connection.rows("SELECT \(column) FROM \(table) WHERE \(column) = \(name)") {
        try $0.text(0)
      }
      XCTAssertEqual(found.map { Array($0.utf8) }, [Array(name.utf8)])
      try connection.run("DROP TABLE \(table)")
    }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM keep"), 0)
  }

  func testAValueNeverBecomesText() throws {
    let connection = try connectionWithNumbers()
    let evil = "1); DROP TABLE n; --"
    XCTAssertEqual(
      try connection.rows("SELECT x FROM n WHERE x = \(evil)") { try $0.integer("x") }, [])
    let read = try connection.row("SELECT \(evil) AS it, \(nil as String?) AS none") {
      [try $0.optionalText("it"), try $0.optionalText("none")]
    }
    XCTAssertEqual(read, [evil, nil])
  }

  // Between double quotes, SQLite takes a name that means nothing for a text.
  func testANameThatMeansNothingIsAnErrorAndNoText() throws {
    let connection = try connectionWithNumbers()
    let column = try identifier("nothing")
    try assertFails(.statement) {
      try connection.rows("SELECT \(column) FROM n") { try $0.text(0) }
    }
    try assertFails(.statement) { try connection.run("DELETE FROM n WHERE \(column) = 'nothing'") }
  }

  func testNoNameIsEmptyOrHoldsNUL() throws {
    XCTAssertNil(Identifier(String()))
    XCTAssertNil(Identifier(String("a\0b")))
  }

  func testPartsAreJoinedWithTheirValuesInOrder() throws {
    let connection = try connectionWithNumbers()
    let conditions: [SQL] = [2, 3].map { "x = \($0)" }
    let sum = try connection.row(
      "SELECT sum(x) AS sum FROM n WHERE \(conditions, separator: " OR ") OR x > \(8)"
    ) { try $0.integer("sum") }
    XCTAssertEqual(sum, 2 + 3 + 9 + 10)
  }

  func testATextComposedOnceRunsWithOtherValuesEachTime() throws {
    let connection = try connectionWithNumbers()
    try connection.execute("CREATE TABLE pairs (a INTEGER, b TEXT)")
    let columns: [Identifier] = ["a", "b"]
    let insert: SQL = "INSERT INTO pairs (\(columns)) VALUES (\(parameters: columns.count))"
    let before = connection.compiledCount
    for number in 1...100 {
      try connection.run(insert, values: [.integer(Int64(number)), .text("\(number)")])
    }
    XCTAssertEqual(connection.compiledCount, before + 1)
    XCTAssertEqual(try connection.number("SELECT sum(a) + sum(b) FROM pairs"), 10_100)
  }

  func testTextsThatAreEqualShareOneCompilation() throws {
    let connection = try connectionWithNumbers()
    let before = connection.compiledCount
    for number in 1...50 {
      let column = try identifier("x")
      let found = try connection.row("SELECT \(column) FROM n WHERE x = \(number % 10 + 1)") {
        try $0.integer("x")
      }
      XCTAssertEqual(found, Int64(number % 10 + 1))
    }
    XCTAssertEqual(connection.compiledCount, before + 1)
  }

  func testValuesWithinTheTextAndBesideItAreAnError() throws {
    let connection = try connectionWithNumbers()
    try assertFails(.misuse) { try connection.run("DELETE FROM n WHERE x = \(1)", 1) }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM n"), 10)
  }

  func testTheNumberOfCompiledStatementsIsBoundedAndTheLatestStay() throws {
    let connection = try connectionWithNumbers()
    // One literal: two of equal text are two statements.
    func often() throws -> Int64? { try connection.number("SELECT 1 /* often */") }
    let before = connection.compiledCount
    for number in 0..<1_000 {
      let name = try identifier("c\(number)")
      XCTAssertEqual(try connection.row("SELECT 1 AS \(name)") { try $0.integer(0) }, 1)
      XCTAssertEqual(try often(), 1)
    }
    XCTAssertLessThanOrEqual(connection.statements.count, StatementCache.capacity)
    XCTAssertEqual(connection.compiledCount, before + 1_001, "what is used often is kept")
  }

  private func identifier(_ name: String) throws -> Identifier {
    try XCTUnwrap(Identifier(name), name)
  }

  private func connectionWithNumbers() throws -> Connection {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute(
      """
      CREATE TABLE n (x INTEGER NOT NULL) STRICT;
      INSERT INTO n VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)
      """)
    return connection
  }
}
