import CatalogMirror
import Console
import Foundation
import XCTest

@testable import mirror

/// Files that options name.
final class NamedFileTests: XCTestCase {
  func testAPipeGivesTheSameHoweverOftenAnOptionIsApplied() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("a.txt\niso/\n".utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let names = KeyList(lines: Array("a.txt\niso/\n".utf8))
    XCTAssertEqual(try Value.names(inFile: path), names)
    XCTAssertEqual(try Value.names(inFile: path), names)
  }

  func testAFileIsReadAnew() throws {
    let path = FileManager.default.temporaryDirectory.path + "/named-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    for text in ["+ a", "- b"] {
      try Data(text.utf8).write(to: URL(filePath: path))
      XCTAssertEqual(try Value.filters(inFile: path).map(\.description), [text])
    }
    try FileManager.default.removeItem(atPath: path)
    XCTAssertThrowsError(try Value.filters(inFile: path)) { error in
      XCTAssertTrue("\(error)".contains("can't be read; check its name"), "\(error)")
    }
    XCTAssertEqual(try Value.names(inFile: "/dev/null"), KeyList())
  }

  func testAFileWithoutEndCannotBeRead() {
    XCTAssertThrowsError(try Value.names(inFile: "/dev/zero"))
  }
}
