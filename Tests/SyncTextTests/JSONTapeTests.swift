import TestSupport
import XCTest
@testable import SyncText

final class JSONTapeTests: XCTestCase {
  private func tape(_ text: String, nesting: Int = 64) throws -> (JSONTape, JSONTape.Node) {
    var tape = JSONTape(nesting: nesting)
    tape.begin(Array(text.utf8))
    let (root, end) = try tape.append(at: 0)
    XCTAssertEqual(end, text.utf8.count, text)
    return (tape, root)
  }

  func testAProblemIsTheOneThatTheCheckerHas() {
    let broken = [
      "", " ", "{", "[1", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "'a'", "1.", ".5", "+1", "1e",
      "-", "nul", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12", "\"\\", "\"a\nb\"", "\"0123456\u{1}\"",
      "\"01234567\u{0}\"", "{\"a\":1,\"a\":2}", "{\"\":1,\"\":2}", "{\"a\":1,\"\\u0061\":2}",
      "[{\"b\":{\"a\":1,\"a\":2}}]", "\u{FEFF}1", "NaN", "[1 2]", "{\"a\" 1}", "]", "[\u{0}]",
      String(repeating: "[", count: 9), String(repeating: "{\"a\":", count: 9),
    ]
    for text in broken {
      let bytes = Array(text.utf8)
      var tape = JSONTape(nesting: 8)
      tape.begin(bytes)
      var checked: (any Error)?
      XCTAssertThrowsError(try JSONValue(bytes, in: 0..<bytes.count, nesting: 8), text) {
        checked = $0
      }
      XCTAssertThrowsError(try tape.append(at: 0), text) {
        XCTAssertEqual($0 as? JSONProblem, checked as? JSONProblem, text)
      }
      XCTAssertEqual(tape.count, 0, text)
    }
  }

  func testANameThatComesTwiceIsFoundAmongHoweverMany() throws {
    for count in [1, 2, 7, 31, 32, 33, 100] {
      let names = (0..<count).map { "\"n\($0)\":{\"n0\":0}" }
      _ = try tape("{\(names.joined(separator: ","))}")
      for twice in Set([0, count / 2, count - 1]) {
        for spelling in ["\"n\(twice)\"", "\"\\u006e\(twice)\""] {
          XCTAssertThrowsError(
            try tape("{\(names.joined(separator: ",")),\(spelling):1}"), "\(twice) of \(count)")
          XCTAssertThrowsError(
            try tape("{\(spelling):1,\(names.joined(separator: ","))}"), "\(twice) of \(count)")
        }
      }
    }
  }

  func testStringsEndWhereTheyEndWhateverTheirLength() throws {
    for length in 0...40 {
      for special in ["", "\\\"", "\\\\", "é", "\u{7F}", " !#[]", "\\u00e9\\n"] {
        let inside = String(repeating: "a", count: length) + special + "b"
        let (tape, root) = try tape("[\"\(inside)\",\"\"]")
        let string = tape.inside(root)
        XCTAssertEqual(tape.value(string).text, "\"\(inside)\"")
        XCTAssertEqual(tape.isPlain(string), !special.contains("\\"))
        XCTAssertEqual(tape.string(string), tape.value(string).string)
        XCTAssertEqual(tape.stringBytes(string), tape.value(string).stringBytes)
        XCTAssertTrue(tape.isString(string, tape.value(string).stringBytes ?? []))
        XCTAssertFalse(tape.isString(string, Array("x".utf8)))
        XCTAssertTrue(tape.isString(tape.after(string), []))
      }
    }
  }

  func testAStringThatIsNoTextIsNil() throws {
    for (bytes, text) in [
      (Array("a".utf8), "a"), ([], ""), (Array("Zoë 🐳".utf8), "Zoë 🐳"), ([0xC3], nil),
      ([0x61, 0xFF, 0x62], nil), ([0xED, 0xA0, 0x80], nil), (Array("\u{FFFD}".utf8), "\u{FFFD}"),
      (Array(repeating: 0x61, count: 40) + [0xE2, 0x82], nil), ([0xC0, 0xAF], nil),
    ] as [([UInt8], String?)] {
      var tape = JSONTape(nesting: 8)
      tape.begin([UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")])
      let (root, _) = try tape.append(at: 0)
      XCTAssertEqual(tape.string(root), text, "\(bytes)")
    }
  }

  func testAStringIsComparedWithAPartOfOtherBytes() throws {
    let (tape, root) = try tape(#"["name", "na\u006de", 7, ""]"#)
    let other = Array("a name here".utf8)
    let (plain, escaped) = (tape.inside(root), tape.after(tape.inside(root)))
    XCTAssertTrue(tape.isPlain(plain, as: other, 2..<6))
    XCTAssertFalse(tape.isPlain(plain, as: other, 1..<5))
    XCTAssertFalse(tape.isPlain(plain, as: other, 2..<7))
    XCTAssertFalse(tape.isPlain(plain, as: other, 9..<13))
    XCTAssertFalse(tape.isPlain(escaped, as: other, 2..<6))
    XCTAssertFalse(tape.isPlain(tape.after(escaped), as: Array("7".utf8), 0..<1))
    XCTAssertTrue(tape.isPlain(tape.after(tape.after(escaped)), as: other, 3..<3))
  }

  func testIntegersAreExactOrNothing() throws {
    let integers: [(String, Int64?)] = [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9007199254740993", 9_007_199_254_740_993),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil),
      ("-9223372036854775809", nil), ("100000000000000000000", nil), ("1.0", nil), ("1e3", nil),
      ("\"1\"", nil), ("true", nil),
    ]
    for (text, integer) in integers {
      let (tape, root) = try tape(text)
      XCTAssertEqual(tape.integer(root), integer, text)
      XCTAssertEqual(tape.number(root)?.text, tape.value(root).number?.text, text)
    }
  }

  func testAWalkMeetsEveryMemberAndElement() throws {
    let (tape, root) = try tape(#"{"a":[1,{"x":[]}],"b":{},"c":null}"#)
    var names: [String?] = []
    var texts: [String] = []
    var name = tape.inside(root)
    while name != tape.end(of: root) {
      let value = tape.after(name)
      names.append(tape.string(name))
      texts.append(tape.value(value).text)
      name = tape.after(value)
    }
    XCTAssertEqual(names, ["a", "b", "c"])
    XCTAssertEqual(texts, [#"[1,{"x":[]}]"#, "{}", "null"])
    let empty = tape.after(tape.after(tape.after(tape.inside(root))))
    XCTAssertEqual(tape.kind(of: empty), .object)
    XCTAssertEqual(tape.inside(empty), tape.end(of: empty))
  }

  func testValuesStandOneBehindAnotherAndAProblemTakesNoneAway() throws {
    var tape = JSONTape(nesting: 8)
    tape.begin(Array("[1] {\"a\":[2,x]} 3".utf8))
    let first = try tape.append(at: 0)
    XCTAssertThrowsError(try tape.append(at: first.end))
    let third = try tape.append(at: 15)
    XCTAssertEqual(tape.value(first.root).text, "[1]")
    XCTAssertEqual(tape.value(third.root).text, "3")
    XCTAssertEqual(tape.count, 3)
    tape.remove(last: third.root)
    XCTAssertEqual(tape.count, 2)
  }

  func testAnEndMayStandBeforeTheEndOfTheBytes() throws {
    var tape = JSONTape(nesting: 8)
    tape.begin(Array(#"["0123456789"]"#.utf8))
    for end in 0..<14 {
      assertEqual(thrown(JSONProblem.self, by: try tape.append(at: 0, before: end))?.offset, end)
    }
    XCTAssertEqual(try tape.append(at: 0, before: 14).end, 14)
  }

  func testRealNumbersAreTheNearestDoubles() throws {
    var texts = [
      "0", "-0", "-0.0", "0.1", "12.375", "123456789012345", "1234567890123456",
      "0.123456789012345",
      "9007199254740993", "1e2", "1E-5", "2.2250738585072014e-308", "1e400", "999999999999999.9",
      "0.30000000000000004", "179769313486231570000", "4.35", "-4.35",
    ]
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let digits = String(UInt64.random(in: 0..<1_000_000_000_000_000, using: &random))
      let point = Int.random(in: 0...digits.count, using: &random)
      let whole = digits.prefix(point)
      texts.append(
        (whole.isEmpty ? "0" : whole) + (point < digits.count ? "." + digits.dropFirst(point) : ""))
    }
    var tape = JSONTape(nesting: 2)
    for text in texts where !text.hasPrefix("0") || text.hasPrefix("0.") || text == "0" {
      tape.begin(Array(text.utf8))
      let (node, _) = try tape.append(at: 0)
      let wanted = Double(text).flatMap { $0.isFinite ? $0 : nil }
      XCTAssertEqual(tape.real(node)?.bitPattern, wanted?.bitPattern, text)
    }
    tape.begin(Array("\"1\"".utf8))
    let (node, _) = try tape.append(at: 0)
    XCTAssertNil(tape.real(node), "a text is no number")
  }
}
