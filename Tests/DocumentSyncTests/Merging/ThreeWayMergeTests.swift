import DocumentSync
import XCTest

final class ThreeWayMergeTests: XCTestCase {
  private struct Row {
    var base: String?
    var here: String
    var there: String
    /// The text of what comes of it, the server's value winning.
    var merged: String
    /// The paths that clash.
    var clashes: [DocumentPath] = []
  }

  private let rows: [Row] = [
    // One side changed.
    Row(base: #"{"a":1}"#, here: #"{"a":1}"#, there: #"{"a":2}"#, merged: #"{"a":2}"#),
    Row(base: #"{"a":1}"#, here: #"{"a":2}"#, there: #"{"a":1}"#, merged: #"{"a":2}"#),
    Row(base: #"{"a":1}"#, here: "{}", there: #"{"a":1}"#, merged: "{}"),
    Row(base: #"{"a":1}"#, here: #"{"a":1}"#, there: "{}", merged: "{}"),
    // Both changed different members.
    Row(
      base: #"{"a":1,"b":1}"#, here: #"{"a":2,"b":1}"#, there: #"{"a":1,"b":2}"#,
      merged: #"{"a":2,"b":2}"#),
    Row(base: #"{"a":1,"b":1}"#, here: #"{"b":1}"#, there: #"{"a":1,"b":2}"#, merged: #"{"b":2}"#),
    Row(
      base: #"{"o":{"a":1,"b":{"c":1,"d":1}}}"#, here: #"{"o":{"a":1,"b":{"c":2,"d":1}}}"#,
      there: #"{"o":{"a":9,"b":{"c":1}}}"#, merged: #"{"o":{"a":9,"b":{"c":2}}}"#),
    // Both changed the same.
    Row(base: #"{"a":1}"#, here: #"{"a":2.0}"#, there: #"{"a":2}"#, merged: #"{"a":2}"#),
    Row(base: #"{"a":1}"#, here: "{}", there: "{}", merged: "{}"),
    Row(
      base: #"{"a":1}"#, here: #"{"a":2}"#, there: #"{"a":3}"#, merged: #"{"a":3}"#,
      clashes: [["a"]]),
    Row(base: #"{"a":1}"#, here: "{}", there: #"{"a":3}"#, merged: #"{"a":3}"#, clashes: [["a"]]),
    Row(base: #"{"a":1}"#, here: #"{"a":2}"#, there: "{}", merged: "{}", clashes: [["a"]]),
    // What was written in another way wasn't changed.
    Row(base: #"{"a":1}"#, here: #"{ "a" : 1.0 }"#, there: #"{"a":3}"#, merged: #"{"a":3}"#),
    // An array is a value.
    Row(
      base: #"{"a":[1]}"#, here: #"{"a":[1,2]}"#, there: #"{"a":[0,1]}"#, merged: #"{"a":[0,1]}"#,
      clashes: [["a"]]),
    // An object that one side removed and the other one changed inside clashes as a whole.
    Row(
      base: #"{"o":{"a":1,"b":1}}"#, here: "{}", there: #"{"o":{"a":2,"b":1}}"#,
      merged: #"{"o":{"a":2,"b":1}}"#, clashes: [["o"]]),
    Row(
      base: #"{"o":{"a":1}}"#, here: #"{"o":{"a":2}}"#, there: #"{"o":5}"#, merged: #"{"o":5}"#,
      clashes: [["o"]]),
    // Clashes inside leave the rest of the object alone.
    Row(
      base: #"{"o":{"a":1,"b":1}}"#, here: #"{"o":{"a":2,"b":2}}"#, there: #"{"o":{"a":3,"b":1}}"#,
      merged: #"{"o":{"a":3,"b":2}}"#, clashes: [["o", "a"]]),
    // Made on both sides.
    Row(
      base: nil, here: #"{"x":1,"a":1,"b":1}"#, there: #"{"a":1,"b":2,"y":1}"#,
      merged: #"{"a":1,"b":2,"y":1,"x":1}"#, clashes: [["b"]]),
    Row(
      base: nil, here: #"{"o":{"a":1,"c":1}}"#, there: #"{"o":{"b":2,"c":2}}"#,
      merged: #"{"o":{"b":2,"c":2,"a":1}}"#, clashes: [["o", "c"]]),
    Row(
      base: #"{"o":1}"#, here: #"{"o":{"a":1}}"#, there: #"{"o":{"b":1}}"#,
      merged: #"{"o":{"b":1,"a":1}}"#),
    // The server's order and writing, ours behind.
    Row(
      base: #"{"a":1,"b":1}"#, here: #"{"new":0,"b":2,"a":1}"#,
      there: #"{"b":1,"\u0061":1.0,"c":1}"#,
      merged: #"{"b":2,"\u0061":1.0,"c":1,"new":0}"#),
    Row(
      base: #"{"a":1,"o":{"b":1,"c":1}}"#, here: #"{"o":{"c":2,"b":1},"a":1}"#,
      there: #"{"a":1.0,"o":{"b":1e0,"c":1}}"#, merged: #"{"a":1.0,"o":{"b":1e0,"c":2}}"#),
    // What is no object.
    Row(base: "1", here: "2", there: "3", merged: "3", clashes: [.whole]),
    Row(base: "[]", here: "[]", there: "{}", merged: "{}"),
  ]

  func testEveryRowMergesAsItSays() throws {
    for row in rows {
      let base = try row.base.map { try DocumentValue(parsing: $0) }
      let here = try DocumentValue(parsing: row.here)
      let there = try DocumentValue(parsing: row.there)
      let merge = ThreeWayMerge(base: base, here: here, there: there) { _ in .there }
      XCTAssertEqual(merge.value.text, row.merged, "\(row)")
      XCTAssertEqual(merge.clashes.map(\.path), row.clashes, "\(row)")
      for clash in merge.clashes {
        XCTAssertEqual(clash.base, base?[clash.path], "\(row)")
        XCTAssertEqual(clash.here, here[clash.path], "\(row)")
        XCTAssertEqual(clash.there, there[clash.path], "\(row)")
      }
      let ours = ThreeWayMerge(base: base, here: here, there: there) { _ in .here }
      for clash in merge.clashes { XCTAssertEqual(ours.value[clash.path], clash.here, "\(row)") }
    }
  }

  func testWhatMeansTheSameAsTheServersStaysAsTheServerWroteIt() throws {
    let there = try DocumentValue(parsing: #"{ "a" : 2.0 , "b" : 1 }"#)
    let merge = ThreeWayMerge(base: ["a": 1, "b": 0], here: ["b": 1, "a": 2], there: there) { _ in
      .here
    }
    XCTAssertEqual(merge.value.text, there.text)
  }

  func testTimesOfMembersNeverClashAndNeverGoBack() {
    func times(_ a: DocumentValue, _ b: DocumentValue) -> DocumentValue {
      ["_times": ["a": a, "b": b]]
    }
    let merge = ThreeWayMerge(base: times(1, 1), here: times(5, 2), there: times(3, 4)) { _ in
      .there
    }
    XCTAssertEqual(merge.value, times(5, 4))
    XCTAssertEqual(merge.clashes, [])
    let kept = ThreeWayMerge(base: times(1, 1), here: times(5, 2), there: [:]) { _ in .there }
    XCTAssertEqual(kept.value, times(5, 2))
    XCTAssertEqual(kept.clashes, [])
  }

  /// On a thread of Swift's own, whose stack is small.
  func testTheDeepestDocumentsMerge() async throws {
    func deep(_ inside: String) throws -> DocumentValue {
      try DocumentValue(
        parsing: String(repeating: #"{"b":0,"a":"#, count: 511) + inside
          + String(repeating: "}", count: 511))
    }
    let (base, here, there) = (
      try deep(#"{"x":1,"y":1}"#), try deep(#"{"x":2,"y":1}"#), try deep(#"{"x":1,"y":2}"#)
    )
    let merged = await Task.detached {
      ThreeWayMerge(base: base, here: here, there: there) { _ in .there }.value
    }.value
    XCTAssertEqual(merged, try deep(#"{"x":2,"y":2}"#))
  }
}
