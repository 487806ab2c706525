import TestSupport
import XCTest

@testable import DocumentSync

/// Conditions, orders and paths as people write them.
final class ConditionParsingTests: XCTestCase {
  func testAConditionIsAPathAnOperatorAndAValue() throws {
    for (text, expected) in [
      ("a = 1", .equal(["a"], 1)), ("a=1", .equal(["a"], 1)), ("  a  !=  \"x\" ", .not(["a"], "x")),
      ("a.b<1.5", .less(["a", "b"], 1.5)), ("a <= true", .lessOrEqual(["a"], true)),
      ("a[0] > null", .greater(["a", 0], .null)), ("a>=-1", .greaterOrEqual(["a"], -1)),
      ("a in [1, \"b\"]", .among(["a"], [1, "b"])), ("a like %b%", .like(["a"], "%b%")),
      (#""c.d" like "10""#, .like(["c.d"], "10")), ("a is-null", .null(["a"])),
      ("a exists ", .exists(["a"])), ("title = Buy milk", .equal(["title"], "Buy milk")),
      ("a = {\"b\":[]}", .equal(["a"], ["b": []])), ("a = [1", .equal(["a"], "[1")),
      ("in in [1]", .among(["in"], [1])), ("like = like", .equal(["like"], "like")),
      ("a = = b", .equal(["a"], "= b")), ("größe = groß", .equal(["größe"], "groß")),
      ("a-b/c$ = 1", .equal(["a-b/c$"], 1)),
    ] as [(String, DocumentCondition)] {
      XCTAssertEqual(try DocumentCondition(parsing: text), expected, text)
    }
  }

  func testWhatIsNoConditionIsSaidInASentence() {
    for (text, expected) in [
      ("", #" doesn't begin with a path such as a.b[0]."c.d""#),
      ("= 1", #"= 1 doesn't begin with a path such as a.b[0]."c.d""#),
      ("a. = 1", #"a. = 1 doesn't begin with a path such as a.b[0]."c.d""#),
      ("a", "nothing is none of = != < <= > >= in like is-null exists"),
      ("a 1", "1 is none of = != < <= > >= in like is-null exists"),
      ("a inside [1]", "inside [1] is none of = != < <= > >= in like is-null exists"),
      ("a =", "= needs a value behind it"), ("a in 1", "in needs an array behind it"),
      ("a like 10", "like needs a string behind it"),
      ("a exists 1", "exists has no value behind it"),
      ("a is-null null", "is-null has no value behind it"),
      (
        "a = 1e999",
        "the value can't stand in a document: the number 1e999 at byte 0 is too large; write it as a "
          + "string"
      ),
    ] {
      XCTAssertThrowsError(try DocumentCondition(parsing: text), text) { error in
        XCTAssertEqual("\(error)", expected)
      }
    }
  }

  func testAPathIsReadAsItIsWritten() throws {
    for (text, path) in [
      ("a", ["a"]), ("a.b", ["a", "b"]), ("a[0]", ["a", 0]), ("[1][2].x", [1, 2, "x"]),
      (#"a.b[0]."c.d""#, ["a", "b", 0, "c.d"]), (#""a\"b""#, ["a\"b"]), (#""""#, [""]),
      (#""\u00e9"[10]"#, ["é", 10]),
    ] as [(String, DocumentPath)] {
      XCTAssertEqual(try DocumentPath(parsing: text), path, text)
      XCTAssertEqual(try DocumentPath(parsing: path.description), path, text)
    }
    for text in [
      "", ".", "a.", ".a", "a..b", "a[", "a[]", "a[-1]", "a[x]", "a]", "\"a", "a b", "a=1",
      "a\"b\"",
      "a[99999999999999999999]", #""\x""#,
    ] {
      assertThrows(DocumentProblem.notAPath(text), try DocumentPath(parsing: text), text)
    }
  }

  func testAnOrderIsAPathMaybeTheOtherWayRound() throws {
    XCTAssertEqual(try DocumentOrder(parsing: "a.b"), DocumentOrder(["a", "b"]))
    XCTAssertEqual(try DocumentOrder(parsing: "-a"), DocumentOrder(["a"], isDescending: true))
    XCTAssertEqual(try DocumentOrder(parsing: "\"-a\""), DocumentOrder(["-a"]))
    XCTAssertThrowsError(try DocumentOrder(parsing: "-"))
  }
}
