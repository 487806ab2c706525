import Console
import XCTest

/// Texts in the columns of a terminal.
final class WrappingTests: XCTestCase {
  func testNoLineIsWiderThanItsWidthUnlessAWordIs() {
    XCTAssertEqual(
      Wrapping.lines(of: "one two\nthree  incomprehensibilities", width: 9),
      ["one two", "three", "incomprehensibilities"])
    XCTAssertEqual(Wrapping.lines(of: "", width: 9), [])
  }

  func testWhatIsIndentedKeepsItsLines() {
    XCTAssertEqual(Wrapping.paragraphs("a\nb\n\n  c\n  d", width: 80), "a b\n\n  c\n  d")
  }

  func testATableIndentsWhatGoesOnAndGivesALongNameALine() {
    XCTAssertEqual(
      Wrapping.table(
        [("a", "one two three four five six"), ("b2345678901234", "short")], width: 40),
      """
        a               one two three four
                        five six
        b2345678901234  short
      """)
    XCTAssertEqual(
      Wrapping.table([("a", "one"), ("b234567890123456789", "two")], width: 40),
      """
        a                 one
        b234567890123456789
                          two
      """)
  }
}
