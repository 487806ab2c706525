import Foundation
import SyncDatabase
import XCTest

/// Databases that nobody else sees, copies of others, and readers for whom nothing changes.
final class CopyTests: XCTestCase {
  private func database(_ rows: Int, _ journal: ConnectionOptions.Journal) throws -> Connection {
    var options = ConnectionOptions()
    options.journal = journal
    let connection = try Connection(path: try temporaryDatabasePath(), options: options)
    try connection.execute("CREATE TABLE t (x INTEGER PRIMARY KEY, filling BLOB)")
    try connection.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO t SELECT i, zeroblob(1000) FROM n
      """, rows)
    return connection
  }

  func testACopyHasAllAndIsOnItsOwn() throws {
    for journal in [ConnectionOptions.Journal.rollback, .writeAheadLog] {
      let original = try database(3_000, journal)
      for place in [Connection.PrivatePlace.memory, .temporaryFile] {
        let copy = try original.copy(in: place)
        XCTAssertNil(copy.file)
        XCTAssertTrue(try copy.mayWrite())
        XCTAssertEqual(try copy.number("SELECT count(*) FROM t"), 3_000)
        XCTAssertEqual(try copy.size(), try original.size())
        try copy.run("DELETE FROM t WHERE x > 1")
        XCTAssertEqual(try copy.number("SELECT count(*) FROM t"), 1)
        let second = try copy.copy(in: .memory)
        XCTAssertEqual(try second.number("SELECT count(*) FROM t"), 1)
        XCTAssertEqual(try original.number("SELECT count(*) FROM t"), 3_000)
      }
    }
  }

  func testWhereWritingIsForbiddenNothingIsWritten() throws {
    let connection = try database(1, .rollback)
    XCTAssertTrue(try connection.mayWrite())
    try connection.forbidWriting()
    XCTAssertFalse(try connection.mayWrite())
    try assertFails(.readOnly) {
      try connection.transaction { try connection.run("DELETE FROM t") }
    }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 1)
  }

  func testASnapshotStaysAndIsOnlyRead() throws {
    let writer = try database(2, .writeAheadLog)
    var options = ConnectionOptions()
    options.access = .readOnly
    let reader = try Connection(path: writer.path, options: options)
    try reader.holdSnapshot()
    try writer.run("DELETE FROM t")
    XCTAssertEqual(try reader.reading { try reader.number("SELECT count(*) FROM t") }, 2)
    try assertFails(.misuse) { try reader.transaction {} }
    try assertFails(.misuse) { try reader.holdSnapshot() }
    XCTAssertEqual(try reader.number("SELECT count(*) FROM t"), 2)
  }

  func testATextOfStatementsEndsNoTransaction() throws {
    let connection = try database(1, .rollback)
    try assertFails(.misuse) { try connection.execute(written: "DELETE FROM t") }
    for ending in ["COMMIT", "END", "ROLLBACK", "commit; BEGIN"] {
      XCTAssertThrowsError(
        try connection.transaction {
          try connection.withoutTransactions {
            try connection.execute(written: "DELETE FROM t; SELECT 1; \(ending)")
          }
        })
      XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 1, ending)
    }
    try connection.transaction {
      try connection.withoutTransactions {
        try connection.execute(written: "DELETE FROM t; CREATE TABLE u (y); SAVEPOINT s; RELEASE s")
      }
      try connection.run("INSERT INTO u VALUES (1)")
    }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM t"), 0)
  }
}
