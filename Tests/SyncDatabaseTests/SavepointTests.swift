import SyncDatabase
import XCTest

final class SavepointTests: XCTestCase {
  private struct Refused: Error {}

  func testWhatASavepointWroteStaysWithItsTransaction() throws {
    let (connection, path) = try connectionWithTable()
    let result = try connection.transaction {
      try connection.savepoint {
        try connection.run("INSERT INTO t VALUES (1)")
        return "done"
      }
    }
    XCTAssertEqual(result, "done")
    XCTAssertEqual(try numbers(Connection(path: path)), [1])
  }

  func testASavepointThatThrewIsUndoneAloneAtEveryDepth() throws {
    let (connection, _) = try connectionWithTable()
    try connection.transaction {
      try connection.run("INSERT INTO t VALUES (1)")
      try connection.savepoint {
        try connection.run("INSERT INTO t VALUES (2)")
        XCTAssertThrowsError(
          try connection.savepoint {
            try connection.run("INSERT INTO t VALUES (3)")
            try connection.savepoint { _ = try connection.run("INSERT INTO t VALUES (4)") }
            throw Refused()
          }
        ) { XCTAssertTrue($0 is Refused) }
        XCTAssertEqual(try numbers(connection), [1, 2])
        try connection.run("INSERT INTO t VALUES (5)")
      }
    }
    XCTAssertEqual(try numbers(connection), [1, 2, 5])
  }

  func testATransactionThatThrowsTakesItsSavepointsBack() throws {
    let (connection, _) = try connectionWithTable()
    XCTAssertThrowsError(
      try connection.transaction {
        try connection.savepoint { _ = try connection.run("INSERT INTO t VALUES (1)") }
        throw Refused()
      })
    XCTAssertEqual(try numbers(connection), [])
  }

  func testASavepointOutsideATransactionIsAnError() throws {
    let (connection, _) = try connectionWithTable()
    try assertFails(.misuse) { try connection.savepoint {} }
    try connection.transaction {}
    try assertFails(.misuse) { try connection.savepoint {} }
  }

  // A full disk: SQLite ends the transaction itself, and all savepoints with it.
  func testNothingStaysAfterSQLiteEndedTheTransactionWithinASavepoint() throws {
    let (connection, _) = try connectionWithTable()
    try connection.execute("PRAGMA max_page_count = 4")
    let error = try assertFails(.full) {
      try connection.transaction {
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.savepoint {
          _ = try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
        }
      }
    }
    XCTAssertTrue(
      error.sql?.contains("zeroblob") ?? false, "the error is that of the statement")
    XCTAssertEqual(try numbers(connection), [])
  }

  func testAnErrorThatIsSwallowedDoesNotLetTheRestOfATransactionBeRecorded() throws {
    let (connection, _) = try connectionWithTable()
    try connection.execute("PRAGMA max_page_count = 4")
    try assertFails(.misuse) {
      try connection.transaction {
        try? connection.savepoint {
          _ = try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
        }
        try connection.savepoint { _ = try connection.run("INSERT INTO t VALUES (2)") }
      }
    }
    XCTAssertEqual(try numbers(connection), [])
    try connection.transaction {
      try connection.savepoint { _ = try connection.run("INSERT INTO t VALUES (3)") }
    }
    XCTAssertEqual(try numbers(connection), [3])
  }

  func testCountsTellOfStatementsAndOfAllThatTheyCaused() throws {
    let (connection, _) = try connectionWithTable()
    try connection.execute(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (parent INTEGER REFERENCES parents (id) ON DELETE CASCADE);
      """)
    try connection.run("INSERT INTO parents VALUES (7)")
    XCTAssertEqual(connection.lastInsertedRow, 7)
    try connection.run("INSERT INTO children VALUES (7), (7)")
    let before = connection.totalChanges
    XCTAssertEqual(try connection.run("DELETE FROM parents"), 1)
    XCTAssertEqual(connection.totalChanges - before, 3)
    XCTAssertEqual(try connection.run("UPDATE children SET parent = 1 WHERE parent = 2"), 0)
    XCTAssertEqual(connection.totalChanges - before, 3, "nothing was written")
  }

  private func numbers(_ connection: Connection) throws -> [Int64] {
    try connection.rows("SELECT x FROM t ORDER BY rowid") { try $0.integer("x") }
  }

  private func connectionWithTable() throws -> (Connection, path: String) {
    let path = try temporaryDatabasePath()
    let connection = try Connection(path: path)
    try connection.execute("CREATE TABLE t (x)")
    return (connection, path)
  }
}
