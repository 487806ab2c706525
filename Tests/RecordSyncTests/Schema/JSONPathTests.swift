import XCTest

@testable import RecordSync

/// Declared paths as text: dots part names, and a name with dots stands in quotes.
final class JSONPathTests: XCTestCase {
  func testTextsGiveTheirNames() {
    for (text, parts) in [
      "a": ["a"], "a.b": ["a", "b"], #""a.b""#: ["a.b"], #"a."b.c".d"#: ["a", "b.c", "d"],
      #""""#: [""], #"a"b"#: [#"a"b"#], #"a\b"#: [#"a\b"#], #""a\"\\b".c"#: [#"a"\b"#, "c"],
      "ä.🙂": ["ä", "🙂"],
    ] { XCTAssertEqual(JSONPath.parts(of: text), parts, text) }
  }

  func testWhatHasNoNamesIsNone() {
    for text in ["", ".", "a.", ".a", "a..b", #"""#, #""a"#, #""a"b"#, #""a\"#, #""a"."#] {
      XCTAssertNil(JSONPath.parts(of: text), text)
    }
    XCTAssertNotNil(JSONPath.parts(of: Array(repeating: "a", count: 100).joined(separator: ".")))
    XCTAssertNil(JSONPath.parts(of: Array(repeating: "a", count: 101).joined(separator: ".")))
  }

  func testNamesComeBackFromTheirText() {
    let names = [
      "a", "", "a.b", "\"", "\"a", "a\"", "\\", "\\\"", ".", "e\u{301}", "a\r\n.b", " ",
      ".\u{301}",
    ]
    for one in names {
      for other in names {
        XCTAssertEqual(
          JSONPath.parts(of: JSONPath.text(of: [one, other])).map { $0.map { Array($0.utf8) } },
          [one, other].map { Array($0.utf8) }, "\([one, other])")
      }
    }
  }
}
