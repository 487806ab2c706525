import XCTest
@testable import SyncText

final class CivilTimeTests: XCTestCase {
  func testDatesOfEveryFormAreRead() {
    XCTAssertEqual(CivilTime.rfc3339("1970-01-01T00:00:00Z"), 0)
    XCTAssertEqual(CivilTime.rfc3339("2026-11-20T21:47:24Z"), 1_795_211_244)
    XCTAssertEqual(CivilTime.rfc3339("2026-11-20T22:47:24.5+01:00"), 1_795_211_244.5)
    XCTAssertEqual(CivilTime.rfc3339("2000-02-29T12:00:00-00:30"), 951_827_400)
    XCTAssertEqual(CivilTime.nginxDate("20-Nov-2026 21:47"), 1_795_211_220)
    for text in ["2026-02-30T00:00:00Z", "2026-11-20", "2026-11-20T24:00:00Z", "", "now"] {
      XCTAssertNil(CivilTime.rfc3339(text), text)
    }
    for second in stride(from: -2_000_000_000, to: 9_000_000_000, by: 98_765_432) {
      let text = CivilTime.rfc3339(secondsSince1970: second)
      XCTAssertEqual(CivilTime.rfc3339(text), Double(second), text)
    }
  }
}
