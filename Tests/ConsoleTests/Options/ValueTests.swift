import Console
import XCTest

/// What is taken for a value, and what is said of the rest.
final class ValueTests: XCTestCase {
  func testSizesHaveALetterForBytesOrPowersOf1024() throws {
    for (text, bytes) in [
      ("1B", 1), ("800b", 800), ("500K", 500 << 10), ("20m", 20 << 20), ("4G", 4 << 30),
      ("1T", 1 << 40),
    ] {
      XCTAssertEqual(try Value.size(text), Int64(bytes), text)
    }
    for text in ["", "0", "0K", "-1K", "K", "1.5G", "1P", "9999999999T", "1 K", "1", "500"] {
      XCTAssertThrowsError(try Value.size(text), text) {
        XCTAssertTrue("\($0)".contains("800B, 500K"), "\($0)")
      }
    }
  }

  func testTimesHaveAUnitOrAreNone() throws {
    for (text, seconds) in [
      ("0", 0), ("90s", 90), ("30m", 1_800), ("12h", 43_200), ("7d", 604_800), ("0d", 0),
    ] {
      XCTAssertEqual(try Value.duration(text), .seconds(seconds), text)
    }
    for text in ["", "s", "-1s", "1w", "1.5h", "99999999999d", "7", "00", "86400"] {
      XCTAssertThrowsError(try Value.duration(text), text) {
        XCTAssertTrue("\($0)".contains("90s, 30m, 12h or 7d"), "\($0)")
      }
    }
  }

  /// Seven were seconds, and emptied the quarantine that was to be kept for a week.
  func testANumberWithoutAUnitIsSaidToHaveNone() {
    XCTAssertThrowsError(try Value.duration("7")) {
      XCTAssertEqual("\($0)", "'7' has no unit, and so is no time; write 90s, 30m, 12h or 7d")
    }
    XCTAssertThrowsError(try Value.size("500")) {
      XCTAssertEqual(
        "\($0)", "'500' has no unit, and so is no size; write 800B, 500K, 20M, 4G or 1T")
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
    XCTAssertThrowsError(try Value.oneOf(["rye", "wheat"], "wheet")) {
      XCTAssertEqual("\($0)", "'wheet' is unknown; did you mean 'wheat'? There are rye, wheat")
    }
  }

  /// The transport says no to such a host, whatever its library could make of it.
  func testAHostInOtherLettersIsToBeWrittenInItsASCIIForm() throws {
    for (text, host) in [
      ("https://bücher.example/a?b", "bücher.example"), ("http://例え.jp", "例え.jp"),
      ("https://ann:pässword@bücher.example:8080", "bücher.example"),
    ] {
      let problem = try XCTUnwrap(Value.problem(withHostOf: text), text)
      XCTAssertTrue(problem.hasPrefix("the host '\(host)' has letters"), problem)
      XCTAssertThrowsError(try Value.address(text))
    }
    for text in [
      "https://xn--bcher-kva.example/", "https://example.org/bücher", "bücher.json",
      "https://ännchen@example.org", "http://example.org?q=ü",
    ] { XCTAssertEqual(try Value.address(text), text) }
    for text in ["bücher.example", "bücher.example:8080", "socks5://bücher.example"] {
      XCTAssertThrowsError(try Value.host(text), text) {
        XCTAssertTrue("\($0)".contains("the host 'bücher.example' has letters"), "\($0)")
      }
    }
    for text in ["xn--bcher-kva.example:8080", "[::1]:80", "http://ännchen:x@proxy.example"] {
      XCTAssertEqual(try Value.host(text), text)
    }
  }
}
