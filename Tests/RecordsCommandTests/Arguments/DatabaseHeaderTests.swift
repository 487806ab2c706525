import TestSupport
import XCTest

@testable import records

/// What the first bytes of a file tell of it.
final class DatabaseHeaderTests: XCTestCase {
  private func header(_ change: (inout [UInt8]) -> Void = { _ in }) -> DatabaseHeader {
    var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
    (bytes[18], bytes[19], bytes[47]) = (1, 1, 4)
    change(&bytes)
    return DatabaseHeader(bytes)
  }

  func testADatabaseOfTodayIsNotNewer() {
    XCTAssertFalse(header().isNewer)
    XCTAssertFalse(header { ($0[18], $0[19]) = (2, 2) }.isNewer, "with a write-ahead log")
    XCTAssertFalse(header { $0.removeAll() }.isNewer)
    XCTAssertFalse(header { $0.removeLast(80) }.isNewer, "cut")
    XCTAssertFalse(header { ($0[0], $0[18]) = (0, 9) }.isNewer, "no database at all")
  }

  func testEachVersionTellsANewerOne() {
    XCTAssertTrue(header { $0[18] = 3 }.isNewer)
    XCTAssertTrue(header { $0[19] = 3 }.isNewer)
    XCTAssertTrue(header { $0[47] = 5 }.isNewer)
    XCTAssertTrue(header { $0[44] = 1 }.isNewer)
  }
}
