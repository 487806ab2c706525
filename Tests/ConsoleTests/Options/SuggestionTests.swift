import Console
import XCTest

/// What is offered to whoever mistyped a word.
final class SuggestionTests: XCTestCase {
  private let words = [
    "json", "quiet", "retries", "max-delete", "no-delete", "max-item-size", "previews",
    "previews-only", "trust-index",
  ]

  func testANearWordIsFound() {
    for (typed, meant) in [
      ("jsn", "json"), ("JSON", nil), ("quite", "quiet"), ("retires", "retries"),
      ("max-deletes", "max-delete"), ("preview", "previews"), ("trustindex", "trust-index"),
      ("nodelete", "no-delete"),
    ] {
      XCTAssertEqual(Suggestion.nearest(to: typed, among: words), meant, typed)
    }
  }

  func testTheOnlyWordThatGoesOnLikeThatIsFound() {
    XCTAssertEqual(Suggestion.nearest(to: "trust", among: words), "trust-index")
    XCTAssertEqual(Suggestion.nearest(to: "item", among: words), "max-item-size")
    XCTAssertNil(Suggestion.nearest(to: "del", among: words), "there are two")
  }

  func testNothingIsOfferedForAnotherWord() {
    for typed in ["recursive", "x", "", "fast"] {
      XCTAssertNil(Suggestion.nearest(to: typed, among: words), typed)
    }
    XCTAssertNil(Suggestion.nearest(to: "json", among: [String]()))
  }
}
