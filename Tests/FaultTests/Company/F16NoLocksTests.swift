import Foundation
import TestSupport
import XCTest

/// F16 where a file system keeps no locks: that nobody holds the folder must not be guessed, nor
/// that somebody does.
final class F16NoLocksTests: FaultTestCase {
  func testF16_aFileSystemWithoutLocksIsSaidToHaveNone() async throws {
    var count = 0
    for rule in ["nolocks", "noparts"] {
      try await onDisk(rule) { catalog in
        for arguments in [["sync", catalog, copy.path], ["sync", "--wait", catalog, copy.path]] {
          assertSaysSo(try end(arguments), rule)
          count += 1
        }
      }
    }
    try Extent.record(
      "F16", "file systems without locks, of whole files or of parts", count: count,
      "said so at once, with status 1, and the folder's files untouched")
  }

  /// As a network file system answers whose lock service doesn't run, and others.
  func testF16_everyAnswerThatMeansNoLocksIsSaidToMeanIt() throws {
    try republish(["a": "a"])
    let server = try serve()
    let catalog = server.url + Self.catalogName
    assertEnd(try sync(catalog), 0)
    let lock = copy.appending(path: ".mirror/lock").path
    for error in ["ENOLCK", "EOPNOTSUPP", "ENOSYS", "EINVAL"] {
      for arguments in [["sync", catalog], ["plan", catalog], ["status"], ["verify"]] {
        let outcome = try start(
          [
            "-f", "-qq", "-o", "/dev/null", "-P", lock, "-e", "trace=flock",
            "-e", "inject=flock:error=\(error)", Programs.mirror,
          ] + arguments + [copy.path], program: try Programs.find("strace")
        ).outcome(within: .seconds(30))
        assertSaysSo(outcome, "\(error), \(arguments[0])")
      }
    }
    assertEnd(try sync(catalog), 0)
  }

  private func assertSaysSo(_ outcome: ProgramOutcome, _ claim: String, line: UInt = #line) {
    XCTAssertEqual(outcome.end, .exited(1), "\(claim): \(outcome)", line: line)
    XCTAssertTrue(
      outcome.said.contains("the file system of \(copy.path) keeps no locks"),
      "\(claim): \(outcome)", line: line)
    XCTAssertTrue(outcome.said.contains("use a folder on another one"), claim, line: line)
    XCTAssertEqual(outcome.said.split(separator: "\n").count, 1, claim, line: line)
  }

  private func end(_ arguments: [String]) throws -> ProgramOutcome {
    let child = try start(arguments)
    let began = ContinuousClock.now
    // Less than anybody waits for an index that is held.
    assertKept(.seconds(4), since: began, "\(arguments)")
    return try child.outcome(within: .seconds(30))
  }

  private func onDisk(_ rule: String, _ body: (String) throws -> Void) async throws {
    try? FileManager.default.removeItem(at: copy.appendingPathExtension("store"))
    try makeFolder(at: copy)
    let disk = try CarriedDisk(.odd([rule]), at: copy, records: base.appending(path: "records"))
    defer { XCTAssertNoThrow(try disk.close()) }
    try republish(["a": "a"])
    try Data("mine".utf8).write(to: copy.appending(path: "mine"))
    try body(try serve().url + Self.catalogName)
    XCTAssertEqual(try copied(), ["mine": "mine"])
  }
}
