import SyncText
import XCTest

/// Bytes as people read them.
final class ByteAmountTests: XCTestCase {
  func testBytesHaveAtMostThreeDigitsBeforeThePointAndAUnit() {
    for (bytes, text) in [
      (0, "0 B"), (999, "999 B"), (1_000, "1.0 KiB"), (1_536, "1.5 KiB"), (102_400, "100 KiB"),
      (19_066_880, "18.2 MiB"), (5 << 40, "5.0 TiB"), (1 << 60, "1048576 TiB"),
    ] {
      XCTAssertEqual(ByteAmount.text(Int64(bytes)), text)
    }
  }

  func testTwoAmountsThatWouldReadTheSameAreSaidToTheByte() {
    XCTAssertTrue(ByteAmount.texts(1_536, 1_540) == ("1536 B", "1540 B"))
    XCTAssertTrue(ByteAmount.texts(1_536, 4_096) == ("1.5 KiB", "4.0 KiB"))
    XCTAssertTrue(ByteAmount.texts(4_096, 4_096) == ("4.0 KiB", "4.0 KiB"))
  }
}
