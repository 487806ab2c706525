@testable import DocumentSync
import XCTest

final class DocumentMakingTests: XCTestCase {
  func testLiteralsBecomeTheirText() {
    let value: DocumentValue = [
      "z": .null, "b": true, "i": -9_223_372_036_854_775_808, "d": 1.5, "s": "a\"é\n",
      "a": [1, [], [:]],
    ]
    XCTAssertEqual(
      value.text,
      #"{"z":null,"b":true,"i":-9223372036854775808,"d":1.5,"s":"a\"é\u000A","a":[1,[],{}]}"#)
  }

  func testValuesAreMadeExactly() {
    XCTAssertEqual(DocumentValue(Int64.max).text, "9223372036854775807")
    XCTAssertEqual(DocumentValue(UInt64.max).text, "18446744073709551615")
    let tenth = 0.1
    XCTAssertEqual(DocumentValue(tenth)?.text, "0.1")
    XCTAssertNil(DocumentValue(Double.infinity))
    XCTAssertNil(DocumentValue(Double.nan))
  }

  func testSettingAMemberLeavesTheOthersAsTheyAreWritten() throws {
    let value = try DocumentValue(parsing: #"{ "a" : 1.0, "\u0062": [1 , 2], "c":3 }"#)
    let table: [(String, DocumentValue?, String)] = [
      ("a", 2, #"{"a":2,"\u0062":[1 , 2],"c":3}"#), ("b", "x", #"{"a":1.0,"\u0062":"x","c":3}"#),
      ("b", nil, #"{"a":1.0,"c":3}"#), ("d", .null, #"{"a":1.0,"\u0062":[1 , 2],"c":3,"d":null}"#),
      ("d", nil, #"{ "a" : 1.0, "\u0062": [1 , 2], "c":3 }"#),
    ]
    for (name, new, text) in table { XCTAssertEqual(try value.setting(name, to: new).text, text) }
  }

  func testWhatCannotBePutTogetherIsRefused() throws {
    let deepest = try DocumentValue(
      parsing: String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
    let table: [(() throws -> DocumentValue, DocumentProblem)] = [
      ({ try DocumentValue(members: [("a", 1), ("b", 2), ("a", 3)]) }, .memberTwice("a")),
      ({ try DocumentValue(members: [("a", deepest)]) }, .tooDeep),
      ({ try DocumentValue(elements: [deepest]) }, .tooDeep),
      ({ try (DocumentValue(members: [])).setting("a", to: deepest) }, .tooDeep),
      ({ try DocumentValue(elements: []).setting("a", to: 1) }, .notAnObject),
    ]
    for (make, problem) in table {
      XCTAssertThrowsError(try make()) { XCTAssertEqual($0 as? DocumentProblem, problem) }
    }
    let names = ["\u{E9}", "e\u{301}"]
    XCTAssertEqual(try DocumentValue(members: names.map { ($0, 1) }).members?.count, 2)
  }

  func testDepthCountsWhatStandsInsideEachOther() throws {
    let table = ["1": 0, #""[[\"{""#: 0, "[]": 1, "[[],[]]": 2, #"{"a":[1,{"b":"]\\"}],"c":1}"#: 3]
    for (text, depth) in table {
      XCTAssertEqual(try DocumentValue(parsing: text).depth, depth, text)
    }
  }
}
