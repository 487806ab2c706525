import XCTest

@testable import Console

/// The line that shows how far work is.
final class ProgressLineTests: XCTestCase {
  private let reading = ProgressMeter.Reading(
    progress: {
      var progress = WorkProgress(
        "contents",
        .init(itemsDone: 1_234, itemsTotal: 56_789, bytesDone: 19_066_880, bytesTotal: 1 << 30))
      progress.remark = "3 failed"
      return progress
    }(), percent: 1, rate: 12.3 * 1_048_576, timeLeft: .seconds(185))

  func testItFitsAnyWidth() {
    var without = reading
    without.rate = nil
    without.timeLeft = nil
    var unknown = reading
    unknown.percent = nil
    unknown.progress.amount?.itemsTotal = nil
    unknown.progress.amount?.bytesTotal = nil
    let named = ProgressMeter.Reading(progress: WorkProgress("moving what vanished to quarantine"))
    for reading in [reading, without, unknown, named] {
      for width in 8...200 {
        let line = ProgressLine.text(reading, width: width)
        XCTAssertLessThanOrEqual(line.count, width)
        XCTAssertFalse(line.isEmpty, "\(width)")
      }
      XCTAssertLessThanOrEqual(ProgressLine.text(reading, width: 0).count, 0)
    }
  }

  func testMoreRoomTellsMore() {
    for (width, line) in [
      (
        160,
        """
        contents  [>                                       ]    1%  1234 of 56789 items  \
        18.2 MiB of 1.0 GiB  12.3 MiB/s  3 min 10 s left  3 failed
        """
      ),
      (80, "contents  [>           ]    1%  1234/56789  18.2M/1.0G  12.3M/s  3m10s  3 failed"),
      (50, "1% 1234/56789 18.2M/1.0G 12.3M/s 3m10s 3 failed"),
      (40, "1% 18.2M/1.0G 12.3M/s 3m10s 3 failed"),
      (30, "1% 12.3M/s 3m10s 3 failed"),
      (11, "1% 3 failed"),
      (8, "1%"),
    ] {
      XCTAssertEqual(ProgressLine.text(reading, width: width), line, "\(width)")
    }
  }

  func testAtFortyColumnsRateAndTimeLeftAreThere() {
    var reading = reading
    reading.progress.remark = ""
    reading.percent = 100
    let line = ProgressLine.text(reading, width: 39)
    XCTAssertTrue(line.contains("12.3M/s 3m10s"), line)
  }

  func testALogHasItAllInWords() {
    XCTAssertEqual(
      ProgressLine.plainText(reading),
      """
      contents: 1%, 1234 of 56789 items, 18.2 MiB of 1.0 GiB, 12.3 MiB/s, 3 min 10 s left, 3 failed
      """)
    XCTAssertEqual(ProgressLine.plainText(.init(progress: WorkProgress("looking"))), "looking")
  }
}
