import Console
import XCTest

/// What a person sees of how far work is.
final class ProgressMeterTests: XCTestCase {
  private func progress(
    _ items: Int, of total: Int?, _ bytes: Int64, of bytesTotal: Int64?
  ) -> WorkProgress {
    WorkProgress(
      "contents",
      .init(itemsDone: items, itemsTotal: total, bytesDone: bytes, bytesTotal: bytesTotal))
  }

  func testThePerCentIsThatOfTheBytesRoundedDown() {
    var meter = ProgressMeter()
    XCTAssertEqual(meter.read(progress(0, of: 9, 0, of: 1_000), at: .zero).percent, 0)
    XCTAssertEqual(meter.read(progress(8, of: 9, 419, of: 1_000), at: .seconds(1)).percent, 41)
  }

  func testItIsNeverTheWholeBeforeEveryItemIsDone() {
    var meter = ProgressMeter()
    // Of some items no size is known.
    XCTAssertEqual(meter.read(progress(8, of: 9, 2_000, of: 1_000), at: .zero).percent, 99)
    XCTAssertEqual(meter.read(progress(9, of: 9, 900, of: 1_000), at: .zero).percent, 100)
  }

  func testWithoutSizesItIsThatOfTheItemsAndWithoutBothThereIsNone() {
    var meter = ProgressMeter()
    XCTAssertEqual(meter.read(progress(1, of: 4, 99, of: nil), at: .zero).percent, 25)
    XCTAssertNil(meter.read(progress(1, of: nil, 99, of: nil), at: .zero).percent)
    XCTAssertNil(meter.read(WorkProgress("looking"), at: .zero).percent)
  }

  func testItNeverGoesBack() {
    var meter = ProgressMeter()
    var last = 0
    var bytes: Int64 = 0
    for step in 0..<200 {
      // Now and then a body starts over, or the total grows.
      bytes += step.isMultiple(of: 7) ? -300 : 90
      let total: Int64 = step > 100 ? 12_000 : 10_000
      let percent = meter.read(
        progress(step, of: 200, max(bytes, 0), of: total), at: .milliseconds(100 * step)
      ).percent
      XCTAssertGreaterThanOrEqual(percent ?? -1, last)
      last = percent ?? last
    }
  }

  func testTheRateIsThatOfTheLastWhileAndIsCalm() throws {
    var meter = ProgressMeter()
    var rates: [Double] = []
    for step in 0...300 {
      // A megabyte a second in jerks: five pieces at once, then nothing for half a second.
      let bytes = Int64(step / 5 * 500_000)
      let reading = meter.read(
        progress(step, of: 999, bytes, of: 1 << 40), at: .milliseconds(100 * step))
      if step < 15 { XCTAssertNil(reading.rate, "nothing is guessed from the first moments") }
      if step > 100 { rates.append(try XCTUnwrap(reading.rate)) }
    }
    XCTAssertGreaterThan(try XCTUnwrap(rates.min()), 900_000)
    XCTAssertLessThan(try XCTUnwrap(rates.max()), 1_100_000)
    // Then nothing comes any more, and half a minute later that is seen.
    for step in 301...600 {
      rates.append(
        meter.read(progress(300, of: 999, 30_000_000, of: 1 << 40), at: .milliseconds(100 * step))
          .rate ?? 0)
    }
    XCTAssertLessThan(try XCTUnwrap(rates.last), 10_000)
  }

  func testTheTimeLeftGoesByWhatIsLeftAndTheRate() throws {
    var meter = ProgressMeter()
    var byItems = ProgressMeter()
    for second in 0...20 {
      let left = meter.read(
        progress(second, of: 100, Int64(second) * 1_000, of: 100_000), at: .seconds(second)
      ).timeLeft
      let leftOfItems = byItems.read(
        progress(second, of: 100, 0, of: nil), at: .seconds(second)
      ).timeLeft
      guard second > 1 else { continue }
      let expected = Double(100 - second)
      XCTAssertEqual(try XCTUnwrap(left) / .seconds(1), expected, accuracy: 1)
      XCTAssertEqual(try XCTUnwrap(leftOfItems) / .seconds(1), expected, accuracy: 1)
    }
    XCTAssertNil(
      meter.read(progress(100, of: 100, 100_000, of: 100_000), at: .seconds(21)).timeLeft)
  }
}
