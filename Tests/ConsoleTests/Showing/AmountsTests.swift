import Console
import XCTest

/// Numbers as people read them.
final class AmountsTests: XCTestCase {
  func testBytesHaveAUnitAndAShortFormWhereThereIsLittleRoom() {
    for (bytes, text, short) in [
      (999, "999 B", "999B"), (1_536, "1.5 KiB", "1.5K"), (19_066_880, "18.2 MiB", "18.2M"),
    ] {
      XCTAssertEqual(Amounts.bytes(Int64(bytes)), text)
      XCTAssertEqual(Amounts.shortBytes(Int64(bytes)), short)
    }
  }

  func testATimeThatIsGuessedIsSaidInSteps() {
    for (seconds, text, short) in [
      (0.2, "1 s", "1s"), (7.4, "8 s", "8s"), (33, "35 s", "35s"), (57, "1 min", "1m"),
      (185, "3 min 10 s", "3m10s"), (594, "10 min", "10m"), (3_590, "1 h", "1h"),
      (7_700, "2 h 10 min", "2h10m"), (1e12, "years", "years"),
    ] {
      XCTAssertEqual(Amounts.guessedTime(.seconds(seconds)), text)
      XCTAssertEqual(Amounts.shortGuessedTime(.seconds(seconds)), short)
    }
  }

  func testTimesAreAsLongAsTheyMatter() {
    for (seconds, text) in [
      (0.04, "0.0 s"), (9.94, "9.9 s"), (59.4, "59 s"), (185, "3 min 5 s"), (7_800, "2 h 10 min"),
      (172_799, "47 h 59 min"), (183_600, "2 days 3 h"), (604_800, "7 days"), (1e12, "years"),
    ] {
      XCTAssertEqual(Amounts.time(.seconds(seconds)), text)
    }
  }

  func testThingsAreCounted() {
    XCTAssertEqual(Amounts.count(1, "item"), "1 item")
    XCTAssertEqual(Amounts.count(2, "entry", "entries"), "2 entries")
  }
}
