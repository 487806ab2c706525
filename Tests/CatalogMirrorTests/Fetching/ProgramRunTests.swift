import XCTest

@testable import CatalogMirror

/// A program that is run to its end, or to the end of its time.
final class ProgramRunTests: XCTestCase {
  private func run(
    _ script: String, _ files: [String] = [], within limit: Duration = .seconds(60)
  ) throws -> ProgramRun.End {
    try ProgramRun.run(
      "sh", [.word("-c"), .word(script), .word("sh")] + files.map { .file(Array($0.utf8)) },
      within: limit)
  }

  func testItGetsItsFilesAndNothingElseToRead() throws {
    let end = try run("cat \"$2\" \"$1\"; cat; echo to the other >&2", ["one", "two"])
    XCTAssertEqual(end, .ended(status: 0, said: Array("twooneto the other\n".utf8)))
  }

  func testItsStatusOrSignalIsTold() throws {
    XCTAssertEqual(try run("exit 3"), .ended(status: 3, said: []))
    XCTAssertEqual(try run("kill -9 $$"), .ended(status: 137, said: []))
    XCTAssertThrowsError(try ProgramRun.run("no-such-program", [], within: .seconds(1)))
  }

  /// gpgv that waited for ever would have had the run wait, too.
  func testOneThatDoesNotEndIsKilledWhenItsTimeIsOver() throws {
    XCTAssertEqual(try run("sleep 600 & wait", within: .milliseconds(100)), .overdue)
  }
}
