import XCTest

@testable import DocumentSync

/// What is like what.
final class LikeTests: QueryTestCase {
  private func isLike(_ text: String, _ pattern: String) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { text in
      Array(pattern.utf8).withUnsafeBufferPointer { LikePattern.matches(text, $0) }
    }
  }

  func testAPatternHoldsForTheWholeTextAndCaseCounts() {
    for (text, pattern, expected) in [
      ("milk", "milk", true), ("milk", "mil", false), ("milk", "MILK", false), ("", "", true),
      ("", "%", true), ("milk", "%", true), ("milk", "m%k", true), ("milk", "%i%", true),
      ("milk", "____", true), ("milk", "___", false), ("milk", "_____", false),
      ("mississippi", "%iss%ip%", true), ("mississippi", "m%iss%iss%iss%", false),
      ("50%", #"50\%"#, true), ("500", #"50\%"#, false), ("a_b", #"a\_b"#, true),
      ("axb", #"a\_b"#, false), (#"a\b"#, #"a\\b"#, true), (#"a\"#, #"a\"#, true),
      ("axb", #"a\xb"#, true), ("é😀", "__", true), ("é😀", "___", false), ("aé", "%_", true),
      ("a*b?[c]", "a*b?[c]", true), ("aab", "a*b", false), ("😀", "%😀", true), ("ab", "%%b%", true),
    ] {
      XCTAssertEqual(isLike(text, pattern), expected, "\(text) like \(pattern)")
    }
  }

  func testOnlyStringsAreLikeSomething() async throws {
    let store = try await store(of: [
      "a": #"{"s":"10"}"#, "b": #"{"s":10}"#, "c": #"{"s":"Mc\u0044onald"}"#, "d": #"{"s":null}"#,
      "e": #"{"s":"a\u0000b"}"#, "f": #"{"s":"100%"}"#,
    ])
    try await assertFinds(where: "s like %", ["a", "c", "e", "f"], in: store)
    try await assertFinds(where: #"s like "1%""#, ["a", "f"], in: store)
    try await assertFinds(where: "s like McD%", ["c"], in: store)
    try await assertFinds(where: "s like a_b", ["e"], in: store)
    try await assertFinds(where: #"s like %0\%"#, ["f"], in: store)
    try await assertFinds(where: "s like a", [], in: store)
    try await assertFinds(where: "s = %", [], in: store)
  }

  func testAPatternsPrefixIsWhatAllItsTextsBeginWith() {
    for (pattern, prefix) in [
      ("abc", "abc"), ("ab%c", "ab"), ("_bc", ""), (#"a\%b%"#, "a%b"), (#"a\"#, #"a\"#),
    ] {
      XCTAssertEqual(LikePattern.prefix(of: pattern.utf8), Array(prefix.utf8), pattern)
    }
  }
}
