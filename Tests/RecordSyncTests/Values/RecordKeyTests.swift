@testable import RecordSync
import XCTest

final class RecordKeyTests: XCTestCase {
  func testAKeyIsShownAsJSONWritesIt() {
    XCTAssertEqual(RecordKey([.integer(7)]).description, "7")
    XCTAssertEqual(RecordKey([.text("a\"b")]).description, #""a\"b""#)
    XCTAssertEqual(RecordKey([.integer(1), .text("b")]).description, #"[1,"b"]"#)
    XCTAssertEqual(RecordKey([.blob([0xFF, 0x00])]).description, #""/wA=""#)
  }
}
