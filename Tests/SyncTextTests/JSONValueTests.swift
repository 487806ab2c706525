import XCTest
@testable import SyncText

final class JSONValueTests: XCTestCase {
  private func value(_ text: String, nesting: Int = 64) throws -> JSONValue {
    let bytes = Array(text.utf8)
    return try JSONValue(bytes, in: 0..<bytes.count, nesting: nesting)
  }

  func testWhatIsNotExactlyOneValueIsRefused() {
    let broken = [
      "", " ", "{", "[1", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "'a'", "01", "1.", ".5", "+1",
      "1e", "-", "nul", "truex", "[1] x", "{}{}", "\"a", "\"\\x\"", "\"\\u12\"", "\"a\nb\"",
      "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "[{\"b\":{\"a\":1,\"a\":2}}]", "\u{FEFF}1",
      "NaN", "[1 2]", "{\"a\" 1}", "]",
    ]
    for text in broken { XCTAssertThrowsError(try value(text), text) }
  }

  func testNestingHasALimitAndAHundredThousandLevelsAreOnlyAnError() throws {
    XCTAssertNoThrow(
      try value(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)))
    XCTAssertThrowsError(try value(String(repeating: "[", count: 100_000))) { error in
      XCTAssertEqual((error as? JSONProblem)?.reason, "more than 64 levels of nesting")
    }
  }

  func testANameThatComesTwiceIsFoundHoweverItIsWrittenAndAmongHowMany() throws {
    for count in [1, 2, 15, 16, 17, 40] {
      let names = (0..<count).map { "n\($0)" }
      for spelling in [#""n0""#, #""\u006e0""#] {
        let written = names.map { "\"\($0)\":1" }
        XCTAssertEqual(try value("{" + written.joined(separator: ",") + "}").members?.count, count)
        let twice = "{" + (written + ["\(spelling):2"]).joined(separator: ",") + "}"
        XCTAssertThrowsError(try value(twice), twice)
        let first = "{" + (["\(spelling):2"] + written).joined(separator: ",") + "}"
        XCTAssertThrowsError(try value(first), first)
      }
    }
    let member = try XCTUnwrap(value(#"{ "\u0061" :1}"#).members?.first)
    XCTAssertEqual(member.name, Array("a".utf8))
    XCTAssertEqual(member.nameText, #""\u0061""#)
  }

  func testValuesAreReadWhereTheyStand() throws {
    let object = try value(
      #" { "a" : [1, -2 ,{"x":"]"}] , "b":"\u00e9\n\ud83d\ude00\\\/" ,"c":null} "#)
    let members = try XCTUnwrap(object.members)
    XCTAssertEqual(members.map { String(decoding: $0.name, as: UTF8.self) }, ["a", "b", "c"])
    XCTAssertEqual(members[0].value.elements?.map(\.text), ["1", "-2", #"{"x":"]"}"#])
    XCTAssertEqual(members[1].value.string, "é\n😀\\/")
    XCTAssertTrue(members[2].value.isNull)
    XCTAssertEqual(try value("[]").elements?.count, 0)
    XCTAssertEqual(try value("{ }").members?.count, 0)
    XCTAssertEqual(try value("[true,false]").elements?.map(\.bool), [true, false])
  }

  func testIntegersAreExactOrNothing() throws {
    XCTAssertEqual(try value("9223372036854775807").integer, .max)
    XCTAssertEqual(try value("9007199254740993").integer, 9_007_199_254_740_993)
    for text in ["9223372036854775808", "1.0", "1e3", "\"1\"", "true"] {
      XCTAssertNil(try value(text).integer, text)
    }
  }

  func testALoneSurrogateIsNoText() throws {
    for text in [#""\ud800""#, #""\udc00x""#, #""\ud800\u0041""#] {
      XCTAssertNil(try value(text).string, text)
      XCTAssertNotNil(try value(text).stringBytes, text)
    }
  }
}
