import XCTest

@testable import SyncTransport

/// What is left alone of an origin that fails.
final class OriginRecordTests: XCTestCase {
  private var record = OriginRecord(failuresUntilGivenUp: 3)

  private func address(_ path: String) throws -> WebAddress { try WebAddress("http://h\(path)") }

  private func fail(_ path: String, answered: Bool = true) throws {
    record.noteExhausted(at: try address(path), wasAnswered: answered)
  }

  private func succeed(_ path: String) throws {
    record.noteAnswer(from: try address(path))
  }

  private func assertLeft(
    _ path: String, _ expected: OriginRecord.Part?, line: UInt = #line
  ) throws {
    XCTAssertEqual(record.leftAlone(try address(path)), expected, path, line: line)
  }

  func testADirectoryIsLeftAloneAfterSoManyFailuresInARow() throws {
    for name in 0..<2 { try fail("/a/\(name)") }
    try assertLeft("/a/x", nil)
    try fail("/a/2")
    try assertLeft("/a/x", .directory("/a/"))
    try assertLeft("/a/x?query", .directory("/a/"))
    for other in ["/", "/b", "/a", "/a/b/c"] { try assertLeft(other, nil) }
    // What was under way may still come; once left alone, it stays so.
    try succeed("/a/x")
    try assertLeft("/a/x", .directory("/a/"))
  }

  func testWhatGoesWellElsewhereDoesNotSpeakForADirectory() throws {
    for name in 0..<3 {
      try fail("/a/\(name)")
      try succeed("/b/\(name)")
    }
    try assertLeft("/a/x", .directory("/a/"))
    try assertLeft("/b/x", nil)
  }

  func testWhatGoesWellInADirectorySpeaksForIt() throws {
    for name in 0..<6 {
      try fail("/a/\(name)")
      if name % 2 == 1 { try succeed("/a/x") }
    }
    try assertLeft("/a/x", nil)
  }

  func testAnOriginIsLeftAloneWhenSoManyDirectoriesFailInARow() throws {
    for name in ["/a/1", "/b/1"] { try fail(name) }
    try succeed("/d/1")
    for name in ["/a/2", "/b/2"] { try fail(name) }
    try assertLeft("/c/1", nil)
    try fail("/c/1")
    try assertLeft("/d/1", .origin)
    try succeed("/d/1")
    try assertLeft("/d/1", .origin)
  }

  func testAnOriginIsLeftAloneWhenThreeTimesAsManyFailInAllAndNothingGoesWell() throws {
    for name in 0..<5 { for directory in ["a", "b"] { try fail("/\(directory)/\(name)") } }
    try assertLeft("/c/x", nil)
    record = OriginRecord(failuresUntilGivenUp: 4)
    for name in 0..<4 { for directory in ["a", "b", "c"] { try fail("/\(directory)/\(name)") } }
    try assertLeft("/d/x", .origin)
  }

  func testAnOriginIsLeftAloneWhenSoManyInARowGetNoAnswer() throws {
    for name in 0..<2 { try fail("/a/\(name)", answered: false) }
    try succeed("/a/x")
    for name in 0..<2 { try fail("/a/\(name)", answered: false) }
    try assertLeft("/b/x", nil)
    try fail("/b/x", answered: false)
    try assertLeft("/c/x", .origin)
  }
}
