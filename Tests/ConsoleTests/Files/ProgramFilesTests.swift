import Console
import Foundation
import TestSupport
import XCTest

/// What programs do with files that their users name.
final class ProgramFilesTests: XCTestCase {
  private var folder = URL(filePath: "/")

  override func setUpWithError() throws { folder = try temporaryFolder() }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  func testFactsTellWhatStandsAtAPath() throws {
    try Data("abc".utf8).write(to: folder.appending(path: "file"))
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: path("file"))
    let file = try PathFacts(of: path("file"))
    XCTAssertEqual(file.kind, .file)
    XCTAssertEqual(file.size, 3)
    XCTAssertEqual(try PathFacts(of: path("link")), file)
    XCTAssertEqual(try PathFacts(of: path("link"), followingLink: false).kind, .link)
    XCTAssertEqual(try PathFacts(of: folder.path).kind, .directory)
    XCTAssertEqual(PathFacts.realPath(of: path("link")), PathFacts.realPath(of: path("file")))
    assertEqual(
      thrown(PathFacts.Problem.self, by: try PathFacts(of: path("nothing")))?.isAbsence, true)
  }

  func testOneProcessHasALock() throws {
    let lock = try ProgramLock(at: path("lock"))
    XCTAssertThrowsError(try ProgramLock(at: path("lock"))) {
      XCTAssertTrue($0 is ProgramLock.Held, "\($0)")
    }
    lock.release()
    try ProgramLock(at: path("lock")).release()
    XCTAssertThrowsError(try ProgramLock(at: path("no/lock"))) {
      XCTAssertTrue($0 is OutputFile.Problem, "\($0)")
    }
  }

  func testAnOutputIsWrittenWholeWhereItsUserSaid() throws {
    let file = OutputFile(path("out"))
    XCTAssertNil(try file.bytes())
    XCTAssertTrue(file.mayBeWritten)
    XCTAssertEqual(file.names?.last, "out")
    try file.write(Array("one".utf8))
    try file.write(Array("two".utf8))
    XCTAssertEqual(try file.bytes(), Array("two".utf8))
    XCTAssertThrowsError(try OutputFile(path("no/out")).write([])) {
      XCTAssertEqual(($0 as? OutputFile.Problem)?.path, path("no/out"))
    }
    XCTAssertNil(OutputFile(path("no/out")).names)
  }
}
