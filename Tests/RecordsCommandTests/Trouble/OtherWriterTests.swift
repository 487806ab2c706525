import Foundation
import RecordSync
import TestSupport
import XCTest

/// Another program writes to the same database: it is waited for, as long as one wants to.
final class OtherWriterTests: RecordsTestCase {
  func testAnotherProgramThatWritesIsWaitedForAndThenNamed() async throws {
    try run("DELETE FROM notes")
    let pipe = Pipe()
    let child = try ChildProcess(
      try Programs.find("python3"), ["-c", Self.writer, database], environment: [:],
      directory: folder, records: try outputs(),
      input: pipe.fileHandleForReading.fileDescriptor)
    while !child.printed.contains("written"), child.isRunning { sched_yield() }

    let patient = try await store(waiting: .seconds(60))
    let empty = Task { try await patient.sync(.text("[]"), into: "users") }
    let impatient = try await store(waiting: .milliseconds(300))
    let start = ContinuousClock.now
    if let error = await thrown(
      (any Error).self, by: try await impatient.sync(.text("[]"), into: "users"))
    {
      XCTAssertTrue("\(error)".contains("is held by another program"), "\(error)")
      XCTAssertTrue("\(error)".contains("try again later"), "\(error)")
    }
    XCTAssertGreaterThanOrEqual(ContinuousClock.now - start, .milliseconds(200))
    // Who only reads sees the state before.
    try await assertEqual(impatient.row(2, of: "users")?["name"], "Bob")

    try pipe.fileHandleForWriting.close()
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.said)
    try await assertEqual(empty.value.tables["users"]?.deleted.count, 4_000)
  }

  /// What is read from a pipe is only kept until its end.
  func testAPipeThatIsStillWrittenHoldsUpNobody() async throws {
    try run("DELETE FROM notes")
    let pipe = Pipe()
    let child = try start(
      ["sync", "app.sqlite", "users", "-"], input: pipe.fileHandleForReading.fileDescriptor)
    // More than a pipe holds: once it is written, the program reads.
    let objects = (1...4_000).map { "{\"id\":\($0),\"name\":\"user number \($0)\"}" }
    try pipe.fileHandleForWriting.write(contentsOf: Data("[\(objects.joined(separator: ","))".utf8))
    let other = try await store(waiting: .seconds(60))
    let report = try await other.sync(.text("[]"), into: "users")
    XCTAssertTrue(report.tables["users"].map { $0.deleted.count > 0 } ?? false)
    try pipe.fileHandleForWriting.write(contentsOf: Data("]".utf8))
    try pipe.fileHandleForWriting.close()
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.said)
    try await assertEqual(other.row(4_000, of: "users")?["name"], "user number 4000")
  }

  /// Writes, and leaves it at that until its input ends.
  private static let writer = #"""
    import sqlite3, sys
    database = sqlite3.connect(sys.argv[1], isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    database.execute("DELETE FROM users")
    database.executemany(
        "INSERT INTO users (id, name) VALUES (?, 'somebody')", ((n,) for n in range(1, 4001)))
    print("written", flush=True)
    sys.stdin.read()
    database.execute("COMMIT")
    """#

  private func store(waiting timeout: Duration) async throws -> RecordStore {
    var options = StoreOptions()
    options.lockTimeout = timeout
    return try await RecordStore(.file(database), options: options)
  }
}
