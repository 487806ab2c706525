import Console
import Foundation
import XCTest

/// What programs do with files that their users name.
final class ProgramFilesTests: XCTestCase {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

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
    XCTAssertThrowsError(try PathFacts(of: path("nothing"))) {
      XCTAssertEqual(($0 as? PathFacts.Problem)?.isAbsence, true)
    }
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
