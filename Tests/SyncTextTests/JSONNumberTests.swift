import XCTest
@testable import SyncText

final class JSONNumberTests: XCTestCase {
  private func number(_ text: String) throws -> JSONNumber { try XCTUnwrap(JSONNumber(text), text) }

  func testOnlyANumberOfJSONIsOne() throws {
    for text in ["0", "-0", "12", "1.50", "1e3", "1E+3", "-2.5e-07", "1e999999999999999999999"] {
      XCTAssertEqual(try number(text).text, text)
    }
    let others = [
      "", " 1", "1 ", "+1", ".5", "5.", "01", "-", "1e", "0x1", "NaN", "Infinity", "1_000", "\"1\"",
      "null", "1,2", "[1]", "1\u{301}", "١",
    ]
    for text in others { XCTAssertNil(JSONNumber(text), text) }
  }

  func testAnIntegerIsExactHoweverItIsWritten() throws {
    let integers: [(String, Int64)] = [
      ("0", 0), ("-0", 0), ("0.00", 0), ("0e99999999999999999999", 0), ("1.0", 1), ("1e3", 1_000),
      ("10E-1", 1), ("-1.50e1", -15), ("9007199254740993", 9_007_199_254_740_993),
      ("9007199254740993.0", 9_007_199_254_740_993), ("9223372036854775807", .max),
      ("922337203685477580.7e1", .max), ("-9223372036854775808.000", .min),
      ("1e18", 1_000_000_000_000_000_000), ("1000e-3", 1), ("1e+0000000000000000000000003", 1_000),
    ]
    for (text, integer) in integers { XCTAssertEqual(try number(text).integer, integer, text) }
    let others = [
      "0.5", "1e-1", "9223372036854775808", "-9223372036854775809", "9223372036854775807.5", "1e19",
      "1e999999999", "1e-999999999", "1e99999999999999999999", "-1e99999999999999999999",
    ]
    for text in others { XCTAssertNil(try number(text).integer, text) }
  }

  func testADoubleIsTheNearestOneAndNeverInfinite() throws {
    let doubles: [(String, Double)] = [
      ("0.1", 0.1), ("1e3", 1_000), ("9007199254740993", 9_007_199_254_740_992),
      ("1.00000000000000011102230246251565404236316680908203125", 1),
      ("1.00000000000000011102230246251565404236316680908203126", 1.000_000_000_000_000_2),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude),
      ("1e-999999999999999999999", 0), ("0e999999999999999999999", 0),
    ]
    for (text, double) in doubles { XCTAssertEqual(try number(text).double, double, text) }
    XCTAssertEqual(try number("-0").double?.sign, .minus)
    for text in ["1e309", "-1e309", "1.8e308", "1e999999999999999999999"] {
      XCTAssertNil(try number(text).double, text)
    }
  }

  /// Each line holds ways to write one value, and no value stands on two lines.
  private let values = [
    ["0", "-0", "0.000", "0e5", "-0E-99999999999999999999"],
    ["1", "1.0", "1e0", "10e-1", "0.1e1", "0.01E+2", "100e-00000000000000000000002"],
    ["-1", "-1.0", "-10e-1"],
    ["0.1", "1e-1", "0.10"],
    ["0.10000000000000001", "10000000000000001e-17"],
    ["9007199254740992", "9007199254740992.0"],
    ["9007199254740993"],
    ["1e1000", "10e999", "0.1e1001"],
    ["1e999999999"],
    ["1e-999999999", "0.1e-999999998"],
    ["1e999999999999999999", "10e999999999999999998", "0.1e1000000000000000000"],
    ["1e1000000000000000000", "10e999999999999999999", "0.01e1000000000000000002"],
    ["1e1000000000000000000000000", "10e999999999999999999999999"],
    ["1e-1000000000000000000000000", "0.1e-999999999999999999999999"],
    ["1e-1000000000000000000000001", "0.1e-1000000000000000000000000"],
  ]

  func testNumbersAreEqualWhenTheirValuesAre() throws {
    for (line, texts) in values.enumerated() {
      for (other, others) in values.enumerated() {
        for text in texts {
          for otherText in others {
            let (left, right) = (try number(text), try number(otherText))
            XCTAssertEqual(left == right, line == other, "\(text) and \(otherText)")
            let areOne = left.canonicalText == right.canonicalText
            XCTAssertEqual(areOne, line == other, "\(text) and \(otherText)")
            if line == other { XCTAssertEqual(left.hashValue, right.hashValue, text) }
          }
        }
      }
    }
  }

  func testTheCanonicalTextIsANumberOfTheSameValue() throws {
    for text in values.joined() {
      let canonical = try number(try number(text).canonicalText)
      XCTAssertEqual(canonical, try number(text), text)
      XCTAssertEqual(canonical.canonicalText, canonical.text, text)
    }
    XCTAssertEqual(try number("-1500").canonicalText, "-15e2")
    XCTAssertEqual(try number("1.50").canonicalText, "15e-1")
  }

  func testAMillionDigitsAndAnEnormousExponentAreOnlyText() throws {
    let digits = String(repeating: "7", count: 1_000_000)
    XCTAssertEqual(try number(digits), try number(digits + ".0"))
    XCTAssertNotEqual(try number(digits), try number("1e" + digits))
    XCTAssertEqual(try number("0." + digits).double, 7.0 / 9)
    XCTAssertNil(try number("1e" + digits).integer)
  }

  func testADoubleIsWrittenShortAndReadsBackEqual() throws {
    for (double, text) in [(0.1, "0.1"), (1.0, "1.0"), (-0.0, "-0.0"), (1e23, "1e+23")] {
      XCTAssertEqual(JSONNumber(double)?.text, text)
    }
    for double in [Double.nan, .infinity, -.infinity, .signalingNaN] {
      XCTAssertNil(JSONNumber(double))
    }
    XCTAssertEqual(JSONNumber(Int64.min).text, "-9223372036854775808")
  }
}
