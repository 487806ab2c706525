import SyncText
import XCTest

final class MarginTests: XCTestCase {
  func testWhitespaceGoesAtBothEndsAndStaysWithin() {
    XCTAssertEqual(" \t a b\r\n".withoutOuterWhitespace, "a b")
    XCTAssertEqual("token".withoutOuterWhitespace, "token")
    XCTAssertEqual(" x"[...].withoutOuterWhitespace, "x")
    for text in ["", " ", "\n\t "] { XCTAssertEqual(text.withoutOuterWhitespace, "") }
  }
}
