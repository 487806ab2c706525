import SyncDatabase
import SyncText
import XCTest
@testable import RecordSync

/// Tables of what comes and what is stored.
final class ConversionTests: XCTestCase {
  static let vectors: [ColumnVectors] = [
    ColumnVectors(
      "TEXT",
      [
        (#""""#, .kept(.text(""))), (#""a""#, .kept(.text("a"))), (#"" 12""#, .kept(.text(" 12"))),
        (#""tab\there \u00e9 \ud83d\ude00 \/""#, .kept(.text("tab\there é 😀 /"))),
        (#""a\u0000b""#, .kept(.text("a\u{0}b"))), (#""e\u0301""#, .kept(.text("e\u{301}"))),
        ("1", .coerced(.text("1"))), ("-0", .coerced(.text("-0"))),
        ("9007199254740993", .coerced(.text("9007199254740993"))),
        ("123456789012345678901234567890", .coerced(.text("123456789012345678901234567890"))),
        ("1.50", .coerced(.text("1.50"))), ("1e2", .coerced(.text("1e2"))),
        ("true", .coerced(.text("true"))), ("false", .coerced(.text("false"))),
        ("null", .kept(nil)), ("[]", .mismatch), ("{}", .mismatch), (#"["a"]"#, .mismatch),
        (#""\ud800""#, .mismatch),
      ]),
    ColumnVectors(
      "INTEGER",
      [
        ("0", .kept(.integer(0))), ("-0", .kept(.integer(0))), ("7", .kept(.integer(7))),
        ("-12", .kept(.integer(-12))), ("9007199254740993", .kept(.integer(9_007_199_254_740_993))),
        ("9223372036854775807", .kept(.integer(.max))),
        ("-9223372036854775808", .kept(.integer(.min))),
        ("9223372036854775808", .mismatch), ("-9223372036854775809", .mismatch),
        ("3.0", .kept(.integer(3))), ("1e2", .kept(.integer(100))), ("-0.0", .kept(.integer(0))),
        ("9223372036854775807.0", .kept(.integer(.max))), ("3.7", .mismatch), ("1e19", .mismatch),
        ("1e-1", .mismatch), (#""7""#, .coerced(.integer(7))), (#""-7""#, .coerced(.integer(-7))),
        (#""007""#, .coerced(.integer(7))), (#""\u0037""#, .coerced(.integer(7))),
        (#""9007199254740993""#, .coerced(.integer(9_007_199_254_740_993))),
        (#""-9223372036854775808""#, .coerced(.integer(.min))),
        (#""9223372036854775808""#, .mismatch), (#"" 12""#, .mismatch), (#""12 ""#, .mismatch),
        (#""1e2""#, .mismatch), (#""3.0""#, .mismatch), (#""+7""#, .mismatch), (#""""#, .mismatch),
        (#""-""#, .mismatch), (#""a""#, .mismatch), (#""0x10""#, .mismatch), (#""٣""#, .mismatch),
        ("true", .coerced(.integer(1))), ("false", .coerced(.integer(0))), ("null", .kept(nil)),
        ("[1]", .mismatch), ("{}", .mismatch),
      ]),
    ColumnVectors(
      "REAL",
      [
        ("1", .kept(.real(1))), ("1.5", .kept(.real(1.5))), ("-0.0", .kept(.real(0))),
        ("0.1", .kept(.real(0.1))), ("1e300", .kept(.real(1e300))), ("1e-400", .kept(.real(0))),
        ("1e400", .mismatch), ("9007199254740993", .kept(.real(9_007_199_254_740_992))),
        ("123456789012345678901234567890", .kept(.real(1.2345678901234568e29))),
        (#""1.5""#, .coerced(.real(1.5))), (#""1e2""#, .coerced(.real(100))),
        (#""-3""#, .coerced(.real(-3))), (#"" 1""#, .mismatch), (#""1,5""#, .mismatch),
        (#""nan""#, .mismatch), (#""inf""#, .mismatch), (#""""#, .mismatch),
        (#""1e400""#, .mismatch),
        ("true", .mismatch), ("null", .kept(nil)), ("[]", .mismatch),
      ]),
    ColumnVectors(
      "DECIMAL_TEXT",
      [
        ("12.50", .kept(.text("12.50"))), (#""12.50""#, .kept(.text("12.50"))),
        (
          "0.1000000000000000055511151231257827",
          .kept(.text("0.1000000000000000055511151231257827"))
        ),
        (
          #""123456789012345678901234567890.12""#, .kept(.text("123456789012345678901234567890.12"))
        ),
        ("7", .kept(.text("7"))), ("1e2", .kept(.text("1e2"))), (#""abc""#, .mismatch),
        (#""1,5""#, .mismatch), (#"" 1""#, .mismatch), (#""""#, .mismatch), ("true", .mismatch),
        ("[]", .mismatch),
      ]),
    ColumnVectors(
      "DECIMAL(10,2)",
      [
        ("12.50", .kept(.real(12.5))), (#""12.50""#, .coerced(.real(12.5))),
        ("12.0", .kept(.integer(12))),
        (#""12""#, .coerced(.integer(12))),
        ("9007199254740993", .kept(.integer(9_007_199_254_740_993))),
        ("9007199254740993.0", .kept(.integer(9_007_199_254_740_992))),
        ("9223372036854775808", .kept(.real(9_223_372_036_854_775_808))),
        ("-9223372036854775808", .kept(.integer(.min))),
        ("-9223372036854775808.0", .kept(.real(-9_223_372_036_854_775_808))),
        ("1e400", .mismatch), (#""abc""#, .mismatch), ("true", .mismatch),
      ]),
    ColumnVectors("BOOLEAN", [("true", .kept(.integer(1))), ("false", .kept(.integer(0)))]),
    ColumnVectors(
      "BOOLEAN", .coerced(.integer(1)),
      [#""true""#, #""YES""#, #""1""#, "1", "1.0", #""True""#, "10e-1"]),
    ColumnVectors(
      "BOOLEAN", .coerced(.integer(0)),
      [#""false""#, #""No""#, #""0""#, "0", "-0", "0.0"]),
    ColumnVectors("BOOLEAN", .mismatch, ["2", "-1", "0.5", "[]", "{}"]),
    ColumnVectors("BOOLEAN", refused: ["on", "t", "", " true", "2", "01"]),
    ColumnVectors("BOOLEAN", .kept(nil), ["null"]),
    ColumnVectors(
      "UUID", .kept(.text("550e8400-e29b-41d4-a716-446655440000")),
      [
        #""550E8400-E29B-41D4-A716-446655440000""#, #""550e8400-e29b-41d4-a716-446655440000""#,
        #""550e8400e29b41d4a716446655440000""#, #""{550e8400-e29b-41d4-a716-446655440000}""#,
        #""urn:uuid:550e8400-e29b-41d4-a716-446655440000""#,
        #""URN:UUID:550E8400-E29B-41D4-A716-446655440000""#,
      ]),
    ColumnVectors(
      "UUID",
      refused: [
        "", "550e8400-e29b-41d4-a716-44665544000", "550e8400-e29b-41d4-a716-4466554400000",
        "550e8400-e29b-41d4-a716-44665544000g", "550e8400-e29b-41d4a716-446655440000-",
        "550e8400-e29b-41d4-a716_446655440000", "{550e8400-e29b-41d4-a716-446655440000",
        "550e8400-e29b41d4a716446655440000", "-550e8400e29b41d4a716446655440000", "null",
      ]),
    ColumnVectors("UUID", [("1", .mismatch), ("null", .kept(nil))]),
    ColumnVectors(
      "URL",
      unchanged: [
        "https://example.org/a?b=c#d", "HTTP://EXAMPLE.org", "/images/1.png", "mailto:a@b.c",
        "https://example.org/%C3%A9", "https://example.org/é", "",
      ]),
    ColumnVectors(
      "URL", refused: ["http://a b", "http://a/%zz", "http://a/%", "a\\u0000", "a\\nb", "<a>"]),
    ColumnVectors(
      "URL", [(#""12""#, .kept(.integer(12))), ("12", .mismatch), ("true", .mismatch)]),
    ColumnVectors(
      "JSON",
      [
        (
          #"{ "a" : [1, 2.50, "x y"], "b": null }"#, .kept(.text(#"{"a":[1,2.50,"x y"],"b":null}"#))
        ),
        ("[ ]", .kept(.text("[]"))), (#""a""#, .kept(.text(#""a""#))),
        (#""12""#, .kept(.text(#""12""#))),
        ("true", .kept(.text("true"))), ("null", .kept(nil)), ("12", .kept(.integer(12))),
        ("1.50", .kept(.real(1.5))), ("3.0", .kept(.integer(3))),
        ("12345678901234567890", .kept(.real(1.2345678901234567e19))), ("1e400", .mismatch),
        (#""\ud800""#, .kept(.text(#""\ud800""#))),
      ]),
    ColumnVectors(
      "JSON_TEXT",
      [
        ("12", .kept(.text("12"))), ("1.50", .kept(.text("1.50"))),
        ("1e400", .kept(.text("1e400"))),
        ("false", .kept(.text("false"))), (#"{"a": 1}"#, .kept(.text(#"{"a":1}"#))),
      ]),
    ColumnVectors(
      "BLOB",
      [
        (#""/wA=""#, .kept(.blob([0xFF, 0]))), (#""""#, .kept(.blob([]))), (#""/wA""#, .mismatch),
        (#""no base64""#, .mismatch), (#"[1, {"a": 2}]"#, .kept(.text(#"[1,{"a":2}]"#))),
        ("{ }", .kept(.text("{}"))), ("1", .mismatch), ("true", .mismatch), ("null", .kept(nil)),
      ]),
    ColumnVectors(
      "",
      [
        (#""12""#, .kept(.text("12"))), ("12", .kept(.integer(12))), ("1.0", .kept(.real(1))),
        ("1e2", .kept(.real(100))), ("true", .kept(.integer(1))), ("false", .kept(.integer(0))),
        ("12345678901234567890", .mismatch), ("1e400", .mismatch), ("[]", .mismatch),
        ("{}", .mismatch),
        ("null", .kept(nil)),
      ]),
    ColumnVectors(
      "STRING",
      [
        (#""abc""#, .kept(.text("abc"))), (#""12""#, .kept(.integer(12))),
        (#""007""#, .kept(.integer(7))),
        (#"" 1.50\n""#, .kept(.real(1.5))), (#""1e2""#, .kept(.integer(100))),
        (#"".5""#, .kept(.real(0.5))),
        (#""5.""#, .kept(.integer(5))), (#""+5""#, .kept(.integer(5))),
        (#""5.e1""#, .kept(.integer(50))),
        (#""0x10""#, .kept(.text("0x10"))), (#""1e""#, .kept(.text("1e"))),
        (#"".""#, .kept(.text("."))),
        (#""- 5""#, .kept(.text("- 5"))), (#""1 2""#, .kept(.text("1 2"))),
        (#""inf""#, .kept(.text("inf"))),
        (#""12\u0000""#, .kept(.text("12\u{0}"))), (#""12\u00a0""#, .kept(.text("12\u{A0}"))),
        (#""1e400""#, .kept(.real(.infinity))), (#""-1e400""#, .kept(.real(-.infinity))),
        (#""9223372036854775807""#, .kept(.integer(.max))),
        (#""9223372036854775808""#, .kept(.real(9_223_372_036_854_775_808))),
        (#""-9223372036854775808""#, .kept(.integer(.min))), (#""""#, .kept(.text(""))),
        (#""-0""#, .kept(.integer(0))), (#""-0.0""#, .kept(.integer(0))),
        (#"" ""#, .kept(.text(" "))),
        ("1.0", .kept(.integer(1))), ("true", .kept(.integer(1))),
      ]),
  ]

  func testEveryValueBecomesWhatItsColumnHolds() throws {
    for vectors in Self.vectors + DateVectors.columns {
      let type = ColumnType(vectors.declared)
      for (json, conversion) in vectors.rows {
        XCTAssertEqual(try type.stored(json), conversion, "\(json) for \(vectors.declared)")
      }
    }
  }

  func testAKeyIsAScalarThatItsColumnHolds() throws {
    func key(_ json: String, _ declared: String) throws -> (StoredValue, Bool)? {
      let (tape, node) = try JSONTape.of(json)
      return ColumnType(declared).key(node, in: tape)
    }
    let number = try XCTUnwrap(key(#""1""#, "INTEGER"))
    XCTAssertEqual(number.0, .integer(1))
    XCTAssertTrue(number.1)
    XCTAssertEqual(try key("1", "INTEGER")?.0, .integer(1))
    XCTAssertEqual(try key("1", "TEXT")?.0, .text("1"))
    XCTAssertEqual(try key(#""2014-01-02""#, "DATE")?.0, .text("2014-01-02T00:00:00.000Z"))
    for (json, declared) in [
      ("null", "TEXT"), ("[1]", "BLOB"), ("{}", "JSON"), (#""x""#, "INTEGER"), ("[]", "TEXT"),
    ] {
      XCTAssertNil(try key(json, declared), "\(json) for \(declared)")
    }
  }

  func testABlobOfAStrictTableGetsJSONAsBytes() throws {
    let type = ColumnType(declared: "BLOB", isStrict: true)
    XCTAssertEqual(try type.stored("[1, 2]"), .kept(.blob(Array("[1,2]".utf8))))
  }

  func testTextThatIsNoUnicodeIsAMismatch() throws {
    var tape = JSONTape(nesting: 8)
    tape.begin([0x22, 0xFF, 0x22])
    let (node, _) = try tape.append(at: 0)
    for declared in ["TEXT", "URL", "JSON", "UUID", "DATE", "INTEGER", "", "BLOB", "BOOL"] {
      XCTAssertEqual(ColumnType(declared).stored(node, in: tape), .mismatch, declared)
    }
  }
}
