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
}
