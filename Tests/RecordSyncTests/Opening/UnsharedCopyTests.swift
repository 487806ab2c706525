import Foundation
import TestSupport
import XCTest

@testable import RecordSync

/// A database that SQLite can't read where it is, is copied only while nobody writes to it.
final class UnsharedCopyTests: XCTestCase {
  private func database() async throws -> TestDatabase {
    let database = try TestDatabase("CREATE TABLE users (id INTEGER PRIMARY KEY, name)")
    var options = StoreOptions()
    options.journal = .writeAheadLog
    try await RecordStore(.file(database.path), options: options).put(
      .text(#"{"id": 1, "name": "Ann"}"#), into: "users")
    return database
  }

  func testWhatIsWrittenMeanwhileIsNotCopied() async throws {
    let database = try await database()
    let copy = UnsharedCopy(of: database.path, StoreOptions())
    XCTAssertTrue(copy.isNeeded)
    let names = try copy.connection().rows("SELECT name FROM users") { try $0.text("name") }
    XCTAssertEqual(names, ["Ann"])

    // Somebody has it alone, and needs no second file beside it.
    let pipe = Pipe()
    let folder = URL(filePath: database.path).deletingLastPathComponent()
    let shell = try ChildProcess(
      try Programs.find("sqlite3"), [database.path],
      environment: ProcessInfo.processInfo.environment, directory: folder, records: folder,
      input: pipe.fileHandleForReading.fileDescriptor)
    try pipe.fileHandleForWriting.write(
      contentsOf: Data(
        """
        .timeout 200000
        PRAGMA locking_mode = EXCLUSIVE;
        DELETE FROM users;

        """.utf8))
    var refusal: (any Error)?
    let end = Patience.end
    while refusal == nil, ContinuousClock.now < end {
      do { _ = try copy.connection() } catch { refusal = error }
    }
    XCTAssertEqual(refusal as? RecordError, .opening(.changing(database.path)))
    try pipe.fileHandleForWriting.close()
    XCTAssertEqual(try shell.end(within: .seconds(20)), .exited(0), shell.said)

    // Others write: they have left that file.
    try Data().write(to: URL(filePath: database.path + "-shm"))
    XCTAssertFalse(copy.isNeeded)
    await assertThrows(RecordError.opening(.changing(database.path)), try copy.connection())
  }
}
