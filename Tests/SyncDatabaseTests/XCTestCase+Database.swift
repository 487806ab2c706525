import Foundation
import SyncDatabase
import TestSupport
import XCTest

extension XCTestCase {
  /// The path of a file that doesn't exist yet, in a directory that goes away with the test.
  func temporaryDatabasePath() throws -> String {
    let directory = try temporaryFolder()
    return directory.appending(path: "test.sqlite").path
  }

  /// Asserts that `body` throws a `DatabaseError` of this kind, and returns it.
  @discardableResult
  func assertFails<Result>(
    _ code: DatabaseError.Code, line: UInt = #line, _ body: () throws -> Result
  ) throws -> DatabaseError {
    var caught: (any Error)?
    XCTAssertThrowsError(try body(), line: line) { caught = $0 }
    let error = try XCTUnwrap(caught as? DatabaseError, line: line)
    XCTAssertEqual(error.code, code, "\(error)", line: line)
    return error
  }
}

extension Connection {
  /// The only number that a query gives.
  func number(_ sql: SQL) throws -> Int64? {
    try row(sql) { try $0.integer(0) }
  }
}
