import Console
import XCTest

/// Numbers as people read them.
final class AmountsTests: XCTestCase {
  func testBytesHaveAtMostThreeDigitsAndAUnit() {
    for (bytes, text) in [
      (0, "0 B"), (999, "999 B"), (1_000, "1.0 KiB"), (1_536, "1.5 KiB"), (19_066_880, "18.2 MiB"),
      (5 << 40, "5.0 TiB"),
    ] {
      XCTAssertEqual(Amounts.bytes(Int64(bytes)), text)
    }
  }

  func testTimesAreAsLongAsTheyMatter() {
    for (seconds, text) in [
      (0.04, "0.0 s"), (9.94, "9.9 s"), (59.4, "59 s"), (185, "3 min 5 s"), (7_800, "2 h 10 min"),
      (1e12, "years"),
    ] {
      XCTAssertEqual(Amounts.time(.seconds(seconds)), text)
    }
  }

  func testThingsAreCounted() {
    XCTAssertEqual(Amounts.count(1, "item"), "1 item")
    XCTAssertEqual(Amounts.count(2, "entry", "entries"), "2 entries")
  }
}
