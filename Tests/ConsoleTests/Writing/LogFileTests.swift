import Foundation
import XCTest

@testable import Console

/// The file to which lines are appended.
final class LogFileTests: XCTestCase {
  private let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

  override func tearDown() {
    try? FileManager.default.removeItem(atPath: path)
  }

  func testEachLineHasItsTimeAndWhatWasThereStays() throws {
    for (line, time) in [("one", 0.0), ("two", 1_795_384_044)] {
      let log = try LogFile(path: path)
      log.write(line, at: time, .kept)
      XCTAssertNil(log.outlet.finish())
    }
    XCTAssertEqual(
      try String(contentsOfFile: path, encoding: .utf8),
      "1970-01-01T00:00:00Z one\n2026-11-22T21:47:24Z two\n")
  }

  func testOneThatCannotBeOpenedIsNamedWithTheReason() {
    XCTAssertThrowsError(try LogFile(path: "/none/log")) {
      XCTAssertEqual(
        "\($0)",
        """
        the log '/none/log' can't be opened (No such file or directory); name a file that can be \
        written
        """)
    }
  }
}
