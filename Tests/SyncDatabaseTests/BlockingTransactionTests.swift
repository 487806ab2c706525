import Foundation
import SyncDatabase
import TestSupport
import XCTest

final class BlockingTransactionTests: XCTestCase {
  func testABlockingTransactionIsOneTransactionLikeAnyOther() async throws {
    let directory = try temporaryFolder()
    let database = try await Database.open(path: directory.appendingPathComponent("db").path)
    try database.transactionAndWait { try $0.execute("CREATE TABLE t (n INTEGER)") }
    struct Refused: Error {}
    XCTAssertThrowsError(
      try database.transactionAndWait { connection in
        try connection.run("INSERT INTO t VALUES (?1)", 1)
        throw Refused()
      })
    try database.transactionAndWait { _ = try $0.run("INSERT INTO t VALUES (?1)", 2) }
    let rows = try await database.withConnection { connection in
      try connection.rows("SELECT n FROM t") { try $0.integer(0) }
    }
    XCTAssertEqual(rows, [2])
    await database.close()
  }
}
