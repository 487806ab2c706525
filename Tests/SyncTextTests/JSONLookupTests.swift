import XCTest
@testable import SyncText

final class JSONLookupTests: XCTestCase {
  private func value(_ text: String) throws -> JSONValue {
    try JSONValue(Array(text.utf8), in: 0..<text.utf8.count, nesting: 64)
  }

  func testAMemberIsFoundByTheBytesOfItsName() throws {
    let object = try value(
      #"{"a":{"b":1},"b" : [2] , "\u0063\n":3,"\ud83d\ude00":4,"":5,"ab":6,"\ud800":7}"#)
    let wanted: [([UInt8], String)] = [
      (Array("a".utf8), #"{"b":1}"#), (Array("b".utf8), "[2]"), (Array("c\n".utf8), "3"),
      (Array("😀".utf8), "4"), ([], "5"), (Array("ab".utf8), "6"), ([0xED, 0xA0, 0x80], "7"),
    ]
    for (name, text) in wanted { XCTAssertEqual(object[name]?.text, text) }
    XCTAssertEqual(object["b"]?.text, "[2]")
    // As they are written they are names of nobody.
    for name in [#"\u0063\n"#, "c", "A", "abc", "é"] {
      XCTAssertNil(object[Array(name.utf8)], name)
    }
  }

  func testComposedAndDecomposedNamesAreTwo() throws {
    let object = try value("{\"\u{E9}\":1,\"e\u{301}\":2}")
    XCTAssertEqual(object["\u{E9}"]?.text, "1")
    XCTAssertEqual(object["e\u{301}"]?.text, "2")
  }

  func testMembersKeepTheirOrder() throws {
    let names = (0..<100).map { "n\($0 * 37 % 100)" }
    let object = try value("{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}")
    let members = try XCTUnwrap(object.members)
    XCTAssertEqual(members.map { String(decoding: $0.name, as: UTF8.self) }, names)
  }

  func testWhatIsNoObjectHasNoMembers() throws {
    for text in ["[]", "[{\"a\":1}]", "\"a\"", "1", "null", "{}", "{ }"] {
      XCTAssertNil(try value(text)["a"], text)
      XCTAssertEqual(try value(text).members == nil, !text.hasPrefix("{"), text)
    }
  }

  func testANumberIsFoundOnlyWhereOneStands() throws {
    XCTAssertEqual(try value("[1.50]").elements?.first?.number?.text, "1.50")
    XCTAssertEqual(try value("-0").number?.text, "-0")
    for text in ["\"1\"", "null", "true", "[1]", "{\"a\":1}"] {
      XCTAssertNil(try value(text).number, text)
    }
  }
}
