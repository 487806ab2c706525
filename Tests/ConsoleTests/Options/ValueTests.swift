import Console
import XCTest

/// What is taken for a value, and what is said of the rest.
final class ValueTests: XCTestCase {
  func testSizesAreBytesWithALetterForPowersOf1024() throws {
    for (text, bytes) in [
      ("1", 1), ("500K", 500 << 10), ("20m", 20 << 20), ("4G", 4 << 30), ("1T", 1 << 40),
    ] {
      XCTAssertEqual(try Value.size(text), Int64(bytes), text)
    }
    for text in ["", "0", "-1", "K", "1.5G", "1P", "9999999999T", "1 K"] {
      XCTAssertThrowsError(try Value.size(text), text) {
        XCTAssertTrue("\($0)".contains("500K"), "\($0)")
      }
    }
  }

  func testTimesAreSecondsOrHaveAUnit() throws {
    for (text, seconds) in [
      ("0", 0), ("90s", 90), ("30m", 1_800), ("12h", 43_200), ("7d", 604_800),
    ] {
      XCTAssertEqual(try Value.duration(text), .seconds(seconds), text)
    }
    for text in ["", "s", "-1s", "1w", "1.5h", "99999999999d"] {
      XCTAssertThrowsError(try Value.duration(text), text)
    }
  }

  func testNumbersBeginWhereTheyAreSaidTo() throws {
    XCTAssertEqual(try Value.count("0"), 0)
    XCTAssertEqual(try Value.positive("1"), 1)
    XCTAssertThrowsError(try Value.positive("0"))
    for text in ["", "-1", "x", "1x"] { XCTAssertThrowsError(try Value.count(text), text) }
  }

  func testWordsAreOfTheListThatTheMistakeNames() throws {
    XCTAssertEqual(try Value.oneOf(["rye"], "rye"), "rye")
    XCTAssertThrowsError(try Value.oneOf(["rye", "wheat"], "oat")) {
      XCTAssertEqual("\($0)", "'oat' is unknown; choose one of rye, wheat")
    }
  }
}
