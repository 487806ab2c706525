import SyncDatabase
import XCTest

final class CursorTests: XCTestCase {
  private let text = Array("é, nul \0 inside".utf8)

  func testValuesAreBoundAndComparedWhereTheyLie() throws {
    let connection = try connectionWithTable()
    try connection.withCursor("INSERT INTO v (i, r, t, b) VALUES (?1, ?2, ?3, ?4)") { cursor in
      try cursor.bind(Int64.max, at: 1)
      try cursor.bind(0.1, at: 2)
      try text.withUnsafeBufferPointer { text in
        try cursor.bind(text, at: 3)
        try cursor.bind(nil, at: 4)
        try cursor.run()
      }
      try cursor.bind(7 as Int64, at: 1)
      try cursor.bind(.integer(7), at: 2)
      try cursor.bind(UnsafeBufferPointer<UInt8>(start: nil, count: 0), at: 3)
      try cursor.bind(.blob([1, 2]), at: 4)
      try cursor.run()
    }
    try connection.withCursor("SELECT i, r, t, b FROM v WHERE i = ?1") { cursor in
      try cursor.bind(Int64.max, at: 1)
      XCTAssertTrue(try cursor.step())
      XCTAssertEqual(cursor.integer(at: 0), .max)
      XCTAssertEqual(cursor.real(at: 1), 0.1)
      XCTAssertNil(cursor.integer(at: 1))
      XCTAssertNil(cursor.real(at: 0))
      text.withUnsafeBufferPointer { XCTAssertTrue(cursor.holds($0, at: 2)) }
      text.dropLast().withUnsafeBufferPointer { XCTAssertFalse(cursor.holds($0, at: 2)) }
      XCTAssertTrue(cursor.isNull(at: 3))
      XCTAssertFalse(try cursor.step(), "one row")
      cursor.reset()
      try cursor.bind(7 as Int64, at: 1)
      XCTAssertTrue(try cursor.step())
      [UInt8]().withUnsafeBufferPointer { XCTAssertTrue(cursor.holds($0, at: 2)) }
      text.withUnsafeBufferPointer { XCTAssertFalse(cursor.holds($0, at: 2)) }
      XCTAssertEqual(try cursor.value(at: 3), .blob([1, 2]))
      [1, 2].withUnsafeBufferPointer {
        XCTAssertFalse(cursor.holds($0, at: 3), "a blob is no text")
      }
    }
  }

  func testAfterAnErrorTheStatementCanBeRunAgain() throws {
    let connection = try connectionWithTable()
    try connection.run("CREATE UNIQUE INDEX once ON v (i)")
    try connection.withCursor("INSERT INTO v (i) VALUES (?1)") { cursor in
      for (number, isNew) in [(1, true), (1, false), (2, true)] as [(Int64, Bool)] {
        try cursor.bind(number, at: 1)
        do {
          try cursor.run()
          XCTAssertTrue(isNew, "\(number)")
        } catch let error as DatabaseError where error.code == .constraint {
          XCTAssertFalse(isNew, "\(number): \(error)")
        }
      }
    }
    XCTAssertEqual(try connection.rows("SELECT i FROM v ORDER BY i") { try $0.integer(0) }, [1, 2])
  }

  func testNothingRunsOnceTheTransactionHasEnded() throws {
    let connection = try connectionWithTable()
    XCTAssertThrowsError(
      try connection.transaction {
        try connection.withCursor("INSERT INTO v (i) VALUES (?1)") { cursor in
          try cursor.bind(1 as Int64, at: 1)
          try connection.execute("ROLLBACK")
          try cursor.run()
        }
      }
    ) { XCTAssertEqual(($0 as? DatabaseError)?.code, .misuse, "\($0)") }
    XCTAssertEqual(try connection.rows("SELECT i FROM v") { try $0.integer(0) }, [])
  }

  private func connectionWithTable() throws -> Connection {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute("CREATE TABLE v (i INTEGER, r REAL, t TEXT, b BLOB) STRICT")
    return connection
  }
}
