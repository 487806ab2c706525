import TestSupport
import DocumentSync
import XCTest

final class DocumentValueTests: XCTestCase {
  func testTextStaysAsItIsWritten() throws {
    for text in [
      "null", "-0", "1.50e+2", "12345678901234567890", #""caf\u00e9 \/""#,
      #"{ "b" : [1 , 2],"a":{} }"#,
    ] {
      XCTAssertEqual(try DocumentValue(parsing: " \n\(text)\t").text, text)
    }
  }

  /// The values of one line are equal, those of different lines aren't.
  func testEqualIsWhatMeansTheSame() throws {
    let lines = [
      ["null", " null "], ["true"], ["false"], ["0", "-0", "0.0", "0e9"],
      ["1", "1.0", "1e0", "10e-1", "0.1E1"], ["0.1", "1e-1"], ["0.10000000000000001"],
      ["9007199254740993"], ["9007199254740992"], ["18446744073709551615"], [#""1""#],
      [#""\u0065""#, #""e""#], [#""\u00e9""#, #""é""#], [#""e\u0301""#], [#""a\/b""#, #""a/b""#],
      ["[]", "[ ]"], ["[1,2]", "[1.0, 2e0]"], ["[2,1]"], ["[\"1\",2]"], ["[null]"], ["[\"null\"]"],
      ["[[],{}]"], ["{}"], [#"{"a":{}}"#], [#"{"a":[]}"#],
      [#"{"a":1,"b":{"c":2,"d":3}}"#, #"{ "b":{"d":3.0,"\u0063":2}, "a":1 }"#],
      [#"{"a":1,"b":{"c":2}}"#], [#"{"a":null}"#],
    ]
    let values = try lines.map { try $0.map { try DocumentValue(parsing: $0) } }
    for (line, same) in values.enumerated() {
      for one in same {
        for other in same {
          XCTAssertEqual(one, other)
          XCTAssertEqual(one.hashValue, other.hashValue, "\(one) \(other)")
        }
        for other in values[(line + 1)...].joined() { XCTAssertNotEqual(one, other) }
      }
    }
  }

  func testWhatADocumentCannotHoldIsRefusedAndSaysWhere() {
    let huge = String(repeating: "9", count: 400)
    let table: [(String, DocumentProblem)] = [
      ("", .notJSON(reason: "an end where a value should be", offset: 0)),
      ("{} {}", .notJSON(reason: "more after its end", offset: 3)),
      (
        #"{"a":{"b":1,"\u0062":2}}"#,
        .notJSON(reason: "a member name that stands twice in one object", offset: 20)
      ),
      (
        String(repeating: "[", count: 513),
        .notJSON(reason: "more than 512 levels of nesting", offset: 512)
      ),
      (#"{"a":"\ud83d"}"#, .halfCharacter(offset: 5)),
      (#"{"\ude00":1}"#, .halfCharacter(offset: 1)),
      (#"["\ude00\ud83d"]"#, .halfCharacter(offset: 1)),
      ("[1e400]", .numberTooLarge("1e400", offset: 1)),
      ("-\(huge)", .numberTooLarge("-\(huge)", offset: 0)),
    ]
    for (text, problem) in table { assertThrows(problem, try DocumentValue(parsing: text), text) }
    assertThrows(
      DocumentProblem.notText(offset: 2), try DocumentValue(bytes: [0x22, 0x61, 0xC3, 0x22]))
  }

  func testWhatIsAtTheEdgeIsTaken() throws {
    let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    for text in [
      deepest, "1e308", "-1.7976931348623157e308", "1e-400", "18446744073709551616",
      #""\ud83d\ude00""#,
      #""\u0000""#, #"{"a":1,"A":2}"#, #"{"é":1,"e\u0301":2}"#, #"{"":{"":1}}"#,
    ] {
      XCTAssertNoThrow(try DocumentValue(parsing: text), text)
    }
  }

  func testProblemsAreClausesThatSayWhere() {
    let number = String(repeating: "9", count: 400)
    let table: [(DocumentProblem, String)] = [
      (.notJSON(reason: "more after its end", offset: 3), "at byte 3 stands more after its end"),
      (.notText(offset: 2), "at byte 2 stands what isn't UTF-8"),
      (
        .halfCharacter(offset: 5),
        "the string at byte 5 holds half of a character (a lone surrogate), which is no text"
      ),
      (
        .numberTooLarge(number, offset: 1),
        "the number \(number.prefix(20))… at byte 1 is too large; write it as a string"
      ),
      (.memberTwice("a b"), #"the member "a b" is there twice"#),
      (.tooDeep, "it nests deeper than 512 levels"), (.notAnObject, "only an object has members"),
    ]
    for (problem, sentence) in table { XCTAssertEqual("\(problem)", sentence) }
  }

  func testValuesAreRead() throws {
    let value = try DocumentValue(
      parsing:
        #"{"n":null,"b":true,"i":-7,"e":1e3,"d":1.5,"big":1e19,"s":"\u0041\n","a":[1,"x"],"o":{"k":0}}"#
    )
    XCTAssertEqual(value["n"]?.isNull, true)
    XCTAssertEqual(value["b"]?.bool, true)
    XCTAssertEqual(value["i"]?.integer, -7)
    XCTAssertEqual(value["e"]?.integer, 1_000)
    XCTAssertNil(value["d"]?.integer)
    XCTAssertEqual(value["d"]?.double, 1.5)
    XCTAssertNil(value["big"]?.integer)
    XCTAssertEqual(value["big"]?.double, 1e19)
    XCTAssertEqual(value["s"]?.string, "A\n")
    XCTAssertEqual(value["a"]?.elements, [1, "x"])
    XCTAssertEqual(value["o"]?.isObject, true)
    XCTAssertEqual(value[["o", "k"]], 0)
    XCTAssertEqual(value.members?.map(\.name), ["n", "b", "i", "e", "d", "big", "s", "a", "o"])
    XCTAssertNil(value["missing"])
    XCTAssertNil(value[["a", "k"]])
    XCTAssertNil(value["s"]?["k"])
    XCTAssertNil(
      value["s"]?.bool ?? value["s"]?.double ?? value["s"]?.elements ?? value["s"]?.members)
  }

  func testMembersAreFoundToTheByte() throws {
    let value = try DocumentValue(parsing: #"{"\u00e9":1,"e\u0301":2}"#)
    XCTAssertEqual(value["\u{E9}"], 1)
    XCTAssertEqual(value["e\u{301}"], 2)
  }
}
