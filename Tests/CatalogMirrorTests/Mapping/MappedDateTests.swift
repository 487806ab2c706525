import XCTest

@testable import CatalogMirror

/// Which numbers are taken for dates.
final class MappedDateTests: XCTestCase {
  /// Versions such as 1.1 dated files to 1970.
  func testANumberIsADateOnlyAsAMomentAfter1980() {
    let table: [(String, Double?)] = [
      ("1.1", nil), ("0", nil), ("20240131", nil), ("315532799", nil), ("315532800", 315_532_800),
      ("1700000000", 1_700_000_000), ("1700000000.5", 1_700_000_000.5),
      ("1700000000000", 1_700_000_000), ("1700000000000000", nil), ("1.1.1", nil),
      ("1975-01-01T00:00:00Z", 157_766_400),
    ]
    for (text, seconds) in table {
      XCTAssertEqual(DateText.seconds(text), seconds, text)
    }
  }
}
