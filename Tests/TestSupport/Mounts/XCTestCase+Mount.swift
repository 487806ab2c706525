import Foundation
package import XCTest

extension XCTestCase {
  /// Runs `body` with a file system in memory mounted at `place`.
  package func withMount(at place: String, options: String = "size=64k", _ body: () throws -> Void)
    throws
  {
    try run("/usr/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", place])
    defer { XCTAssertNoThrow(try run("/usr/bin/umount", ["-l", place])) }
    try body()
  }

  /// Runs `body` with a file system in memory mounted at `place`.
  package func withMount(
    at place: String, options: String = "size=64k", _ body: () async throws -> Void
  ) async throws {
    try run("/usr/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", place])
    defer { XCTAssertNoThrow(try run("/usr/bin/umount", ["-l", place])) }
    try await body()
  }

  /// Gives a file system in memory another size.
  package func remount(_ place: String, options: String) throws {
    try run("/usr/bin/mount", ["-o", "remount," + options, place])
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let process = try Process.run(URL(fileURLWithPath: program), arguments: arguments)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0, program)
  }
}
