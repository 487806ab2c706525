import XCTest

@testable import SyncDatabase

final class StatementTests: XCTestCase {
  func testAStatementIsCompiledOnceHoweverOftenItRuns() throws {
    let connection = try connectionWithNumbers(1...3)
    let before = connection.compiledCount
    for number in 4...100 { try insert(number, connection) }
    XCTAssertEqual(connection.compiledCount, before)
    XCTAssertEqual(try connection.number("SELECT count(*) FROM n"), 100)
  }

  func testAQueryMayRunWithinItself() throws {
    let connection = try connectionWithNumbers(1...3)
    var pairs: [[Int64]] = []
    try above(0, connection) { outer in
      try above(outer, connection) { inner in pairs.append([outer, inner]) }
    }
    XCTAssertEqual(pairs, [[1, 2], [1, 3], [2, 3]])
  }

  func testAStatementIsReadyAgainAfterItsBodyThrew() throws {
    struct Enough: Error {}
    let connection = try connectionWithNumbers(1...3)
    for _ in 1...2 {
      var seen: [Int64] = []
      XCTAssertThrowsError(
        try above(0, connection) { number in
          seen.append(number)
          throw Enough()
        })
      XCTAssertEqual(seen, [1])
    }
    // An unfinished read would hold the write-ahead log.
    XCTAssertEqual(try connection.row("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.integer(0) }, 0)
  }

  func testRunCountsTheRowsThatItChanged() throws {
    let connection = try connectionWithNumbers(1...3)
    XCTAssertEqual(try connection.run("UPDATE n SET x = x + 10 WHERE x > ?1", 1), 2)
    XCTAssertEqual(try connection.run("DELETE FROM n WHERE x = 99"), 0)
    XCTAssertEqual(try connection.run("CREATE TABLE other (x)"), 0)
  }

  func testValuesMustFitTheParameters() throws {
    let connection = try connectionWithNumbers(1...1)
    try assertFails(.misuse) { try connection.run("INSERT INTO n VALUES (?1)") }
    try assertFails(.misuse) { try connection.run("INSERT INTO n VALUES (?1)", 1, 2) }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM n"), 1)
  }

  func testASecondStatementInOneTextIsRefusedInsteadOfForgotten() throws {
    let connection = try connectionWithNumbers(1...1)
    try assertFails(.misuse) { try connection.run("DELETE FROM n; SELECT 1") }
    try assertFails(.misuse) { try connection.run("  ") }
    try connection.run("DELETE FROM n; \n")
    XCTAssertEqual(try connection.number("SELECT count(*) FROM n"), 0)
  }

  func testASecondRowWhereOneIsExpectedIsAnError() throws {
    let connection = try connectionWithNumbers(1...2)
    try assertFails(.misuse) { try connection.number("SELECT x FROM n") }
    XCTAssertNil(try connection.number("SELECT x FROM n WHERE x = 99"))
  }

  func testAnErrorNamesTheStatementAndNeverItsValues() throws {
    let connection = try connectionWithNumbers(1...1)
    try connection.execute("CREATE TABLE s (x TEXT PRIMARY KEY) STRICT")
    try connection.run("INSERT INTO s VALUES (?1)", "secret")
    let error = try assertFails(.constraint) {
      try connection.run("INSERT INTO s\n  VALUES (?1)", "secret")
    }
    XCTAssertEqual(error.sqliteCode, 1555, "SQLITE_CONSTRAINT_PRIMARYKEY")
    XCTAssertTrue("\(error)".contains("INSERT INTO s VALUES (?1)"), "\(error)")
    XCTAssertFalse("\(error)".contains("secret"), "\(error)")
    try assertFails(.statement) { try connection.run("SELECT nothing FROM n") }
  }

  func testAHundredThousandRowsGoInAndOutWithOneStatementEach() throws {
    let connection = try connectionWithNumbers(1...1)
    // What begins and ends a transaction is kept, too.
    try connection.transaction {}
    let before = connection.compiledCount
    try connection.transaction {
      for number in 2...100_000 {
        try connection.run("INSERT INTO n /* many */ VALUES (?1)", number)
      }
    }
    var sum: Int64 = 0
    try connection.query("SELECT x FROM n /* many */") { sum += try $0.integer(0) }
    XCTAssertEqual(sum, 5_000_050_000)
    XCTAssertEqual(connection.compiledCount - before, 2)
  }

  private func connectionWithNumbers(_ numbers: ClosedRange<Int>) throws -> Connection {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute("CREATE TABLE n (x INTEGER NOT NULL) STRICT")
    for number in numbers { try insert(number, connection) }
    return connection
  }

  private func insert(_ number: Int, _ connection: Connection) throws {
    try connection.run("INSERT INTO n VALUES (?1)", number)
  }

  private func above(
    _ low: Int64, _ connection: Connection, _ body: (Int64) throws -> Void
  ) throws {
    try connection.query("SELECT x FROM n WHERE x > ?1 ORDER BY x", low) { row in
      try body(try row.integer(0))
    }
  }
}
