import TestSupport
import XCTest

/// What `list --where` finds.
final class ConditionTests: DocumentsTestCase {
  func testEachOperatorComparesValuesOfOneTypeOnly() throws {
    try makeStore()
    let contents = [
      "a": #"{"n": 1, "t": "100%", "deep": {"list": [{"x y": true}]}}"#,
      "b": #"{"n": 1.0, "t": "100 of", "gone": null}"#, "c": #"{"n": 10, "t": "A_b"}"#,
      "d": #"{"n": "1"}"#,
    ]
    for (id, json) in contents { try documents("put", "a.db", "note", id, json) }
    let rows: [(condition: String, found: [String])] = [
      ("n = 1", ["a", "b"]), (#"n = "1""#, ["d"]), ("n != 1", ["c", "d"]), ("n < 10", ["a", "b"]),
      ("n <= 10", ["a", "b", "c"]), ("n > 1", ["c"]), ("n >= 1", ["a", "b", "c"]),
      ("n in [1, \"1\"]", ["a", "b", "d"]), ("t like 100%", ["a", "b"]),
      (#"t like 100\%"#, ["a"]), ("t like a_b", []), ("t like A_b", ["c"]), ("t = 100%", ["a"]),
      ("gone exists", ["b"]), ("gone is-null", ["b"]), ("n is-null", []),
      (#"deep.list[0]."x y" = true"#, ["a"]), ("missing != 1", []),
    ]
    for row in rows {
      let outcome = try documents("list", "a.db", "--where", row.condition)
      XCTAssertEqual(outcome.lines, row.found, "\(row.condition): \(outcome.said)")
    }
    XCTAssertEqual(
      try documents("list", "a.db", "--where", "n >= 1", "--where", "t exists", "--offset", "1")
        .lines, ["b", "c"])
    for wrong in ["n", "n is-null 1", "= 1", "n ~ 1", "a..b = 1"] {
      XCTAssertEqual(try documents("list", "a.db", "--where", wrong).status, 64, wrong)
    }
  }
}
