import Foundation
import SyncDatabase
import XCTest

final class DamageTests: XCTestCase {
  func testAZeroedHeaderIsDamage() throws {
    let path = try filledDatabase()
    try overwrite(path, at: 0, with: Data(count: 100))
    let error = try assertFails(.damaged) { try Connection(path: path) }
    XCTAssertEqual(error.sqliteCode, 26, "SQLITE_NOTADB")
    XCTAssertTrue("\(error)".contains("Set the file aside"), "\(error)")
  }

  func testAFileThatIsNoDatabaseIsDamageAndStaysAsItIs() throws {
    let path = try temporaryDatabasePath()
    let text = Data(repeating: UInt8(ascii: "x"), count: 5_000)
    try text.write(to: URL(filePath: path))
    try assertFails(.damaged) { try Connection(path: path) }
    XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), text)
  }

  func testATruncatedFileIsDamage() throws {
    let path = try filledDatabase()
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.truncate(atOffset: 8_192)
    try file.close()
    try assertFails(.damaged) {
      try Connection(path: path).query("SELECT x FROM t") { _ = try $0.blob(0) }
    }
  }

  func testAnOverwrittenPageIsFoundByTheIntegrityCheck() throws {
    let path = try filledDatabase()
    try Connection(path: path).checkIntegrity()
    try overwrite(path, at: 4_096 * 3, with: Data(repeating: 0xa5, count: 4_096))
    try assertFails(.damaged) { try Connection(path: path).checkIntegrity() }
  }

  /// Which SQLite tells as a lack of memory: it would be tried again and again.
  func testASchemaWithTwoIndexesOfOneNameIsDamage() throws {
    let path = try temporaryDatabasePath()
    let connection = try Connection(path: path)
    try connection.execute("CREATE TABLE t (x)")
    try connection.execute("CREATE INDEX i ON t(x)")
    try connection.execute("CREATE TABLE u (x TEXT PRIMARY KEY)")
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(
      """
      UPDATE sqlite_schema SET name = 'sqlite_autoindex_u_1',
        sql = 'CREATE INDEX sqlite_autoindex_u_1 ON t(x)' WHERE name = 'i'
      """)
    try assertFails(.damaged) { try Connection(path: path) }
  }

  private func filledDatabase() throws -> String {
    let path = try temporaryDatabasePath()
    let connection = try Connection(path: path)
    try connection.execute("CREATE TABLE t (x BLOB NOT NULL) STRICT")
    try connection.transaction {
      for _ in 0..<100 { try connection.run("INSERT INTO t VALUES (randomblob(1000))") }
    }
    return path
  }

  private func overwrite(_ path: String, at offset: UInt64, with bytes: Data) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: bytes)
    try file.close()
  }
}
