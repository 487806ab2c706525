import SyncDatabase
import XCTest

final class TransactionTests: XCTestCase {
  private struct Refused: Error {}

  func testATransactionThatReturnedIsSeenByAnotherConnection() throws {
    let (connection, path) = try connectionWithTable()
    let result = try connection.transaction {
      try connection.run("INSERT INTO t VALUES (1)")
      return "done"
    }
    XCTAssertEqual(result, "done")
    XCTAssertEqual(try Connection(path: path).number("SELECT count(*) FROM t"), 1)
  }

  func testATransactionThatThrewLeavesNothingAndTheNextOneWorks() throws {
    let (connection, _) = try connectionWithTable()
    XCTAssertThrowsError(
      try connection.transaction {
        try connection.run("INSERT INTO t VALUES (1)")
        throw Refused()
      }
    ) { XCTAssertTrue($0 is Refused) }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 0)
    try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (2)") }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 1)
  }

  func testTransactionsDoNotNest() throws {
    let (connection, _) = try connectionWithTable()
    try connection.transaction {
      try connection.run("INSERT INTO t VALUES (1)")
      try assertFails(.misuse) { try connection.transaction {} }
      try connection.run("INSERT INTO t VALUES (2)")
    }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 2)
  }

  func testWhatIsReadStaysAsItIsWhileOthersWrite() throws {
    let (connection, path) = try connectionWithTable()
    let other = try Connection(path: path)
    try connection.reading {
      XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 0)
      try other.run("INSERT INTO t VALUES (1)")
      XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 0)
      try assertFails(.misuse) { try connection.transaction {} }
    }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 1)
    try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (2)") }
  }

  func testAFullDiskRollsBackAndWhatWasThereIsWhole() throws {
    let (connection, _) = try connectionWithTable()
    try connection.run("INSERT INTO t VALUES (zeroblob(10))")
    try connection.execute("PRAGMA max_page_count = 4")
    let error = try assertFails(.full) {
      try connection.transaction {
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
      }
    }
    XCTAssertTrue("\(error)".hasSuffix("Make room on the disk, then try again."), "\(error)")
    XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 1)
    try connection.checkIntegrity()
  }

  // SQLite ends the transaction by itself when the disk is full. Statements after that would each
  // be recorded for themselves if the body swallows the error.
  func testNothingIsRecordedAfterSQLiteEndedTheTransactionItself() throws {
    let (connection, _) = try connectionWithTable()
    try connection.execute("PRAGMA max_page_count = 4")
    try assertFails(.misuse) {
      try connection.transaction {
        try assertFails(.full) { try connection.run("INSERT INTO t VALUES (zeroblob(100000))") }
        try connection.run("INSERT INTO t VALUES (3)")
      }
    }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 0)
  }

  func testASecondWriterIsToldThatTheDatabaseIsBusy() throws {
    let (first, path) = try connectionWithTable()
    var options = ConnectionOptions()
    options.busyTimeout = .zero
    let second = try Connection(path: path, options: options)
    try first.transaction {
      try first.run("INSERT INTO t VALUES (1)")
      XCTAssertEqual(try second.number("SELECT count(*) FROM t"), 0)
      try assertFails(.busy) { try second.transaction {} }
    }
    try second.transaction { _ = try second.run("INSERT INTO t VALUES (2)") }
    XCTAssertEqual(try first.number("SELECT count(*) FROM t"), 2)
  }

  private func connectionWithTable() throws -> (Connection, path: String) {
    let path = try temporaryDatabasePath()
    let connection = try Connection(path: path)
    try connection.execute("CREATE TABLE t (x)")
    return (connection, path)
  }
}
