import Foundation
import RecordSync
import TestSupport
import XCTest

/// Another program writes to the same database: it is waited for, as long as one wants to.
final class OtherWriterTests: RecordsTestCase {
  func testAnotherProgramThatWritesIsWaitedForAndThenNamed() async throws {
    try run("DELETE FROM notes")
    let pipe = Pipe()
    let child = try start(
      ["sync", "app.sqlite", "users", "-"], input: pipe.fileHandleForReading.fileDescriptor)
    // More than a pipe holds: once it is written, the program reads, and holds the database.
    let objects = (1...4_000).map { "{\"id\":\($0),\"name\":\"user number \($0)\"}" }
    try pipe.fileHandleForWriting.write(
      contentsOf: Data("[\(objects.joined(separator: ","))".utf8))

    let patient = try await store(waiting: .seconds(60))
    let empty = Task { try await patient.sync(.text("[]"), into: "users") }
    let impatient = try await store(waiting: .milliseconds(300))
    let start = ContinuousClock.now
    do {
      _ = try await impatient.sync(.text("[]"), into: "users")
      XCTFail("written while another program writes")
    } catch {
      XCTAssertTrue("\(error)".contains("is held by another program"), "\(error)")
      XCTAssertTrue("\(error)".contains("try again later"), "\(error)")
    }
    XCTAssertGreaterThanOrEqual(ContinuousClock.now - start, .milliseconds(200))
    // Who only reads sees the state before.
    let before = try await impatient.row(2, of: "users")
    XCTAssertEqual(before?["name"], "Bob")

    try pipe.fileHandleForWriting.write(contentsOf: Data("]".utf8))
    try pipe.fileHandleForWriting.close()
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.said)
    let report = try await empty.value
    XCTAssertEqual(report.tables["users"]?.deleted.count, 4_000)
  }

  private func store(waiting timeout: Duration) async throws -> RecordStore {
    var options = StoreOptions()
    options.lockTimeout = timeout
    return try await RecordStore(.file(database), options: options)
  }
}
