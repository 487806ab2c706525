import Console
import XCTest

/// Moments in the one form that they have in text and in JSON.
final class MomentsTests: XCTestCase {
  func testMomentsAreInUTCToTheSecond() {
    XCTAssertEqual(Moments.text(1_795_384_044.9), "2026-11-22T21:47:24Z")
    XCTAssertEqual(Moments.text(0), "1970-01-01T00:00:00Z")
  }

  func testWhatNoCalendarHoldsIsShownAsTheNearest() {
    XCTAssertEqual(Moments.text(1e18), "9999-12-31T23:59:59Z")
    XCTAssertEqual(Moments.text(-1e18), "0000-01-01T00:00:00Z")
  }
}
