import DocumentSync
import XCTest

final class MemberMergerTests: XCTestCase {
  private func lines(_ base: String?, _ here: String, _ there: String) -> String? {
    MemberMerger.lines.merge(
      base.map { DocumentValue($0) }, DocumentValue(here), DocumentValue(there))?
      .string
  }

  func testLinesOfBothAreTakenUnlessTheyTouch() {
    let table: [(base: String?, here: String, there: String, merged: String?)] = [
      ("a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"), ("a\nb\nc", "a\nc", "a\nb\nc\nd", "a\nc\nd"),
      ("a\nb\nc", "x\na\nb\nc", "a\nb\nc\ny", "x\na\nb\nc\ny"), ("b", "b\nc", "a\nb", "a\nb\nc"),
      ("a\nb\nc\n", "a\nb\nc\nd\n", "z\na\nb\nc\n", "z\na\nb\nc\nd\n"),
      ("a\nb\nc", "a\nc", "a\nc", "a\nc"), ("a\nb\nc", "a\nX\nc", "a\nX\nc", "a\nX\nc"),
      ("a\nb\nc\nd\ne", "A\nb\nc\nd\nE", "a\nb\nC\nd\ne", "A\nb\nC\nd\nE"),
      ("a\nb\nc\nd\ne", "b\nc\nd\nx\ne\nf", "a\nb\nd\ne", "b\nd\nx\ne\nf"),
      ("a\nb\nc", "a\nX\nc", "a\nY\nc", nil), ("a\nb\nc", "a\nX\nc", "a\nc", nil),
      ("a\nb", "A\nb", "a\nB", nil), ("a\nb", "a\nx\nb", "a\ny\nb", nil), ("", "x", "y", nil),
      ("a", "", "a", ""), ("a\nb\nc", "a\nb\nc", "", ""), (nil, "a", "b", nil),
      ("\u{E9}\nb\nc", "e\u{301}\nb\nc", "\u{E9}\nb\nC", "e\u{301}\nb\nC"),
      ("a\r\nb\r\nc", "A\r\nb\r\nc", "a\r\nb\r\nC", "A\r\nb\r\nC"),
    ]
    for (base, here, there, merged) in table {
      let row = "\(base ?? "none") | \(here) | \(there)"
      XCTAssertEqual(
        lines(base, here, there).map { Array($0.utf8) }, merged.map { Array($0.utf8) }, row)
      XCTAssertEqual(
        lines(base, there, here).map { Array($0.utf8) }, merged.map { Array($0.utf8) }, row)
    }
    XCTAssertNil(MemberMerger.lines.merge("a", 1, "b"))
    XCTAssertNil(MemberMerger.lines.merge(["a"], "a", "b"))
  }

  func testALongTextMadeAnewIsOneEdit() {
    let old = (0..<4_000).map { "line \($0)" }
    let new = ["head"] + (0..<4_000).map { "other \($0)" } + ["line 3999"]
    let base = (["head"] + old).joined(separator: "\n")
    XCTAssertEqual(
      lines(base, new.joined(separator: "\n"), base + "\nend"),
      (new + ["end"]).joined(separator: "\n"))
  }

  func testTagsAreUnitedAndRemovedOnesGo() {
    let table:
      [(base: DocumentValue?, here: DocumentValue, there: DocumentValue, merged: DocumentValue?)] =
        [
          (["a", "b"], ["a", "c"], ["d", "b", "a"], ["d", "a", "c"]),
          (["a"], [], ["a", "b"], ["b"]), (["a"], ["a", "b"], [], ["b"]),
          (["a"], ["b"], ["b"], ["b"]),
          (nil, ["a", "b"], ["b", "c"], ["b", "c", "a"]), ("x", ["a"], ["b"], ["b", "a"]),
          ([1], [1.0, 2], [1, ["k": 1]], [1, ["k": 1], 2]),
          (["a"], ["a", "b", "b"], ["a"], ["a", "b"]),
          (["a"], "a", ["b"], nil), (["a"], ["a"], .null, nil),
        ]
    for (base, here, there, merged) in table {
      let value = MemberMerger.tags.merge(base, here, there)
      XCTAssertEqual(value?.text, merged?.text, "\(base?.text ?? "none") | \(here) | \(there)")
    }
  }

  func testCountersAddWhatBothAdded() throws {
    let table: [(base: String?, here: String, there: String, merged: String?)] = [
      ("5", "6", "8", "9"), ("5", "6", "6", "7"), ("5", "-2", "5", "-2"), ("1.0", "2e0", "3", "4"),
      ("0.1", "0.3", "0.2", "0.4"), ("0", "0.75", "0.25", "1"), ("0", "-0.01", "0", "-0.01"),
      ("9223372036854775806", "9223372036854775807", "9223372036854775806", "9223372036854775807"),
      ("9223372036854775806", "9223372036854775807", "9223372036854775807", nil),
      ("-9223372036854775808", "-9223372036854775808", "0", "0"), ("0", "1e300", "1", nil),
      ("0", "0.123456789012345", "1", nil), ("0", "0.12345678901234", "1", "1.12345678901234"),
      ("0", "1e-300", "0", nil), ("0", "1e99999999999999999999", "0", nil),
      (nil, "1", "2", nil), (#""1""#, "1", "2", nil), ("0", "null", "2", nil),
      ("0", "1", "{}", nil),
    ]
    for (base, here, there, merged) in table {
      guard let mine = try? DocumentValue(parsing: here) else { continue }
      let value = MemberMerger.counter.merge(
        try base.map { try DocumentValue(parsing: $0) }, mine,
        try DocumentValue(parsing: there))
      XCTAssertEqual(value?.text, merged, "\(base ?? "none") | \(here) | \(there)")
    }
  }
}
