import XCTest

@testable import Console

final class MetricTextTests: XCTestCase {
  private typealias Sample = MetricFamily.Sample
  private typealias Label = MetricFamily.Label

  func testAFamilyIsWrittenAsTheFormatHasIt() {
    let family = MetricFamily(
      "mirror_bytes", "Bytes of \\ a run\nand more \"quoted\".",
      [
        Sample([Label("mirror", "a\"b\\c\nd"), Label("kind", "é")], 12),
        Sample([], 0.5), Sample([], -3), Sample([], 1e20),
      ])
    XCTAssertEqual(
      family.text,
      """
      # HELP mirror_bytes Bytes of \\\\ a run\\nand more "quoted".
      # TYPE mirror_bytes gauge
      mirror_bytes{mirror="a\\"b\\\\c\\nd",kind="é"} 12
      mirror_bytes 0.5
      mirror_bytes -3
      mirror_bytes 1e+20

      """)
    XCTAssertEqual(MetricFamily("mirror_bytes", "Bytes.").text, "")
  }

  func testWhatIsWrittenIsReadAgain() throws {
    let awkward = ["", "a", "\u{301}x", "\r", "x\r\n", "}", ",", "=", "\" \\", "e\u{301}", "a b"]
    let families = [
      MetricFamily("one", "What \u{301} it is.", awkward.map { Sample([Label("mirror", $0)], 1) }),
      MetricFamily("two_2", "Else.", [Sample([Label("a", "1"), Label("b", "2")], 1.5)]),
    ]
    let text = families.map(\.text).joined()
    let read = try XCTUnwrap(MetricText.families(of: text))
    XCTAssertEqual(read, families)
    XCTAssertEqual(read.map(\.text).joined(), text)
    XCTAssertEqual(MetricText.families(of: ""), [])
  }

  func testWhatIsOtherwiseIsNotOurs() {
    let whole = MetricFamily("m", "H.", [Sample([Label("a", "x")], 1)]).text
    XCTAssertNotNil(MetricText.families(of: whole))
    for cut in 1..<whole.count {
      XCTAssertNil(MetricText.families(of: String(whole.dropLast(cut))), "cut by \(cut)")
      if cut == whole.count { break }
    }
    for text in [
      whole + whole, "m 1\n", "# HELP m H.\n# TYPE m counter\nm 1\n", whole + "n 1\n",
      whole + "\n", whole + "# remark\n", whole + "m{a=\"x\" 1\n", whole + "m{a=\"\\x\"} 1\n",
      whole + "m{1=\"x\"} 1\n", whole + "m one\n", whole + "m  1\n", whole + "m{} 1\n",
    ] {
      XCTAssertNil(MetricText.families(of: text), text)
    }
  }
}
