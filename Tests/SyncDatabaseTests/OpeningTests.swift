import Foundation
import SyncDatabase
import XCTest

final class OpeningTests: XCTestCase {
  func testExclusiveModeWriteAheadLogAndFullSynchronisationAreSet() throws {
    let path = try temporaryDatabasePath()
    var options = ConnectionOptions()
    options.locksExclusively = true
    let connection = try Connection(path: path, options: options)
    try connection.execute("CREATE TABLE t (x)")
    XCTAssertEqual(try connection.row("PRAGMA journal_mode") { try $0.text(0) }, "wal")
    XCTAssertEqual(try connection.row("PRAGMA locking_mode") { try $0.text(0) }, "exclusive")
    XCTAssertEqual(try connection.number("PRAGMA synchronous"), 2)
    XCTAssertTrue(FileManager.default.fileExists(atPath: path + "-wal"))
    XCTAssertFalse(FileManager.default.fileExists(atPath: path + "-shm"))
  }

  func testAnExclusiveConnectionKeepsOthersOutUntilItCloses() throws {
    let path = try temporaryDatabasePath()
    var options = ConnectionOptions()
    options.locksExclusively = true
    options.busyTimeout = .zero
    var first: Connection? = try Connection(path: path, options: options)
    try first?.execute("CREATE TABLE t (x)")
    let error = try assertFails(.busy) { try Connection(path: path, options: options) }
    XCTAssertTrue("\(error)".contains("held by another program"), "\(error)")
    first = nil
    XCTAssertNoThrow(try Connection(path: path, options: options))
  }

  func testTheOtherModesAreSetToo() throws {
    var options = ConnectionOptions()
    options.journal = .rollback
    options.synchronous = .normal
    let connection = try Connection(path: try temporaryDatabasePath(), options: options)
    XCTAssertEqual(try connection.row("PRAGMA journal_mode") { try $0.text(0) }, "delete")
    XCTAssertEqual(try connection.row("PRAGMA locking_mode") { try $0.text(0) }, "normal")
    XCTAssertEqual(try connection.number("PRAGMA synchronous"), 1)
    options.synchronous = .off
    let other = try Connection(path: try temporaryDatabasePath(), options: options)
    XCTAssertEqual(try other.number("PRAGMA synchronous"), 0)
  }

  func testASymbolicLinkIsNotFollowedButADirectoryBehindOneIsFine() throws {
    let path = try temporaryDatabasePath()
    _ = try Connection(path: path)
    let directory = (path as NSString).deletingLastPathComponent
    let link = directory + "/link.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try assertFails(.cannotOpen) { try Connection(path: link) }
    let linked = directory + "/linked"
    try FileManager.default.createSymbolicLink(atPath: linked, withDestinationPath: directory)
    XCTAssertNoThrow(try Connection(path: linked + "/test.sqlite"))
  }

  func testAFileIsMadeOnlyWhenAskedTo() throws {
    let path = try temporaryDatabasePath()
    var options = ConnectionOptions()
    for access in [ConnectionOptions.Access.readOnly, .readWrite] {
      options.access = access
      try assertFails(.cannotOpen) { try Connection(path: path, options: options) }
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    try assertFails(.cannotOpen) { try Connection(path: path + "/missing/test.sqlite") }
    try assertFails(.cannotOpen) { try Connection(path: "") }
    try assertFails(.cannotOpen) { try Connection(path: path + "\0.txt") }
  }

  func testAFileWithAJournalToBeUndoneIsNotReadAsItIs() throws {
    let path = try temporaryDatabasePath()
    var options = ConnectionOptions()
    options.journal = .rollback
    let writer = try Connection(path: path, options: options)
    try writer.execute(
      """
      PRAGMA cache_size = 1; CREATE TABLE t (x INTEGER, filling BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO t SELECT 0, zeroblob(1000) FROM n
      """)
    let killed = path + ".killed"
    try writer.transaction {
      try writer.run("UPDATE t SET x = 1")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: killed + suffix)
      }
    }
    options.access = .readOnly
    options.isUnshared = true
    try assertFails(.readOnly) {
      try Connection(path: killed, options: options).number("SELECT sum(x) FROM t")
    }
    options.access = .readWrite
    XCTAssertEqual(try Connection(path: killed, options: options).number("SELECT sum(x) FROM t"), 0)
  }

  func testAReadOnlyConnectionReadsAndDoesNotWrite() throws {
    let path = try temporaryDatabasePath()
    try Connection(path: path).execute("CREATE TABLE t (x); INSERT INTO t VALUES (5)")
    var options = ConnectionOptions()
    options.access = .readOnly
    options.locksExclusively = true
    let bytes = try Data(contentsOf: URL(filePath: path))
    let connection = try Connection(path: path, options: options)
    XCTAssertEqual(try connection.number("SELECT x FROM t"), 5)
    try assertFails(.readOnly) { try connection.run("DELETE FROM t") }
    XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), bytes)
  }

  func testATriggerFillsAVirtualTableOnlyWhereTheSchemaIsTrusted() throws {
    let path = try temporaryDatabasePath()
    let connection = try Connection(path: path)
    try connection.execute(
      """
      CREATE TABLE t (x);
      CREATE VIRTUAL TABLE found USING fts5(x);
      CREATE TRIGGER filled AFTER INSERT ON t BEGIN INSERT INTO found VALUES (new.x); END
      """)
    try assertFails(.statement) { try connection.run("INSERT INTO t VALUES ('a')") }
    var options = ConnectionOptions()
    options.trustsSchema = true
    let trusting = try Connection(path: path, options: options)
    try trusting.run("INSERT INTO t VALUES ('a')")
    XCTAssertEqual(try trusting.number("SELECT count(*) FROM found"), 1)
  }
}
