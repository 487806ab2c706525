import Console
import Foundation
import TestSupport
import XCTest

final class FileBytesTests: XCTestCase {
  private var folder = URL(filePath: "/")

  override func setUpWithError() throws { folder = try temporaryFolder() }

  func testAFileIsReadToItsEndOrToTheLimit() throws {
    let path = folder.appending(path: "file").path
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try Data(bytes).write(to: URL(filePath: path))
    let whole = try XCTUnwrap(FileBytes(of: path))
    XCTAssertEqual(whole.bytes, bytes)
    XCTAssertTrue(whole.isRegular)
    XCTAssertEqual(FileBytes(of: path, limit: 70_000)?.bytes, Array(bytes.prefix(70_000)))
    XCTAssertEqual(FileBytes(of: path, limit: 300_000)?.bytes, bytes)
  }

  func testWhatIsNotThereOrIsADirectoryCanNotBeRead() {
    XCTAssertNil(FileBytes(of: folder.appending(path: "nothing").path))
    XCTAssertNil(FileBytes(of: folder.path))
    XCTAssertNil(FileBytes(of: ""))
  }

  func testAPipeIsReadUntilItsWriterIsDone() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one".utf8))
    try pipe.fileHandleForWriting.close()
    let read = try XCTUnwrap(FileBytes(of: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"))
    XCTAssertEqual(read.bytes, Array("one".utf8))
    XCTAssertFalse(read.isRegular)
  }
}
