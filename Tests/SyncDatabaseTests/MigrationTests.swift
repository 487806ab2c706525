import Foundation
import SyncDatabase
import XCTest

final class MigrationTests: XCTestCase {
  private struct Refused: Error {}
  private let first = Migration("first") { try $0.execute("CREATE TABLE a (x)") }
  private let second = Migration("second") { try $0.execute("ALTER TABLE a ADD COLUMN y") }

  func testMigrationsRunInOrderAndOnceOnly() throws {
    let path = try temporaryDatabasePath()
    for _ in 1...2 {
      let connection = try Connection(path: path, migrations: [first])
      XCTAssertEqual(try connection.appliedMigrations(), ["first"])
    }
    let connection = try Connection(path: path, migrations: [first, second])
    XCTAssertEqual(try connection.appliedMigrations(), ["first", "second"])
    try connection.run("INSERT INTO a (x, y) VALUES (1, 2)")
  }

  func testAMigrationThatThrowsLeavesTheStateOfTheOneBefore() throws {
    let path = try temporaryDatabasePath()
    let broken = Migration("broken") { connection in
      try connection.execute("CREATE TABLE b (x)")
      throw Refused()
    }
    XCTAssertThrowsError(try Connection(path: path, migrations: [first, broken]))
    let connection = try Connection(path: path, migrations: [first])
    XCTAssertEqual(try connection.appliedMigrations(), ["first"])
    try assertFails(.statement) { try connection.run("SELECT * FROM b") }
  }

  func testANewerDatabaseIsRefusedUntouched() throws {
    let path = try temporaryDatabasePath()
    // A second connection that stays open keeps the log from being moved into the file.
    let newer = try Connection(path: path, migrations: [first, second])
    let copy = try temporaryDatabasePath()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let before = try [contents(copy), contents(copy + "-wal")]
    XCTAssertGreaterThan(before[1].count, 0)
    var options = ConnectionOptions()
    for exclusive in [true, false] {
      options.locksExclusively = exclusive
      let error = try assertFails(.newerVersion(["second"])) {
        try Connection(path: copy, options: options, migrations: [first])
      }
      XCTAssertTrue("\(error)".contains("Use that version"), "\(error)")
      XCTAssertEqual(try [contents(copy), contents(copy + "-wal")], before)
    }
    XCTAssertEqual(try newer.appliedMigrations(), ["first", "second"])
  }

  func testANewerDatabaseInAnotherJournalModeKeepsIt() throws {
    let path = try temporaryDatabasePath()
    var options = ConnectionOptions()
    options.journal = .rollback
    _ = try Connection(path: path, options: options, migrations: [first, second])
    let before = try contents(path)
    try assertFails(.newerVersion(["second"])) { try Connection(path: path, migrations: [first]) }
    XCTAssertEqual(try contents(path), before)
  }

  func testAReadOnlyConnectionDoesNotMigrate() throws {
    let path = try temporaryDatabasePath()
    _ = try Connection(path: path, migrations: [first])
    var options = ConnectionOptions()
    options.access = .readOnly
    XCTAssertNoThrow(try Connection(path: path, options: options, migrations: [first]))
    try assertFails(.readOnly) {
      try Connection(path: path, options: options, migrations: [first, second])
    }
  }

  /// A schema isn't looked at where it was made just now; here a table was there before.
  func testAFileThatHoldsOtherTablesIsntOursAlsoWhenNoMigrationWasApplied() throws {
    let path = try temporaryDatabasePath()
    try Connection(path: path).execute("CREATE TABLE elsewhere (x)")
    for _ in 0..<2 {
      try assertFails(.damaged) { try Connection(path: path, migrations: [first]) }
    }
  }

  func testTwoMigrationsOfOneNameAreAFaultOfTheProgram() throws {
    let path = try temporaryDatabasePath()
    try assertFails(.misuse) { try Connection(path: path, migrations: [first, first]) }
  }

  private func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }
}
