import TestSupport
import XCTest
@testable import SyncText

/// All days of the years 1 to 9999, counted one after the other: three and a half million, hence the
/// second that it takes.
final class CalendarTests: XCTestCase {
  func testEveryDayFollowsTheDayBefore() {
    var day = -719_162  // 1 January of the year 1
    var wrong = 0
    for year in 1...9_999 {
      for month in 1...12 {
        let length = Self.length(of: month, in: year)
        for date in 1...length {
          let back = CivilTime.date(ofDay: day)
          let isRight =
            CivilTime.days(year: year, month: month, day: date) == day && back.year == year
            && back.month == month && back.day == date
          if !isRight { wrong += 1 }
          day += 1
        }
        if CivilTime.days(year: year, month: month, day: length + 1) != nil { wrong += 1 }
      }
    }
    XCTAssertEqual(wrong, 0)
    XCTAssertEqual(day, 2_932_897, "1 January of the year 10000")
  }

  func testTheEndsOfYearsAndFebruariesAreReadAndWritten() {
    var day = -719_162
    for year in 1...9_999 {
      for month in 1...12 {
        let length = Self.length(of: month, in: year)
        let start = Int64(day) * 86_400_000
        day += length
        guard month < 3 || month == 12 else { continue }
        let text = Self.text(year, month, 1)
        XCTAssertEqual(Timestamp(text)?.milliseconds, start)
        XCTAssertEqual(Timestamp(milliseconds: start)?.text, text + "T00:00:00.000Z")
        let end = start + Int64(length) * 86_400_000 - 1
        let last = Self.text(year, month, length) + "T23:59:59.999Z"
        XCTAssertEqual(Timestamp(last)?.milliseconds, end)
        XCTAssertEqual(Timestamp(milliseconds: end)?.text, last)
      }
    }
    XCTAssertNil(Timestamp(milliseconds: -62_135_596_800_001))
    XCTAssertNil(Timestamp(milliseconds: 253_402_300_800_000))
  }

  func testAnyMomentIsReadAsItWasWritten() {
    var generator = SeededGenerator(seed: 27)
    for _ in 0..<20_000 {
      let milliseconds = Int64.random(
        in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
      let timestamp = Timestamp(milliseconds: milliseconds)
      XCTAssertEqual(timestamp?.milliseconds, milliseconds)
      XCTAssertEqual(timestamp.flatMap { Timestamp($0.text) }, timestamp)
    }
  }

  func testNoTextEndsTheProgram() {
    var generator = SeededGenerator(seed: 28)
    let seeds = TimestampTests.vectors.flatMap(\.texts) + TimestampTests.none
    for _ in 0..<20_000 {
      var bytes = Array((seeds.randomElement(using: &generator) ?? "").utf8)
      for _ in 0..<3 where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch generator.oneIn(3) {
        case true: bytes.remove(at: place)
        case false: bytes[place] = UInt8.random(in: 0x20...0x80, using: &generator)
        }
      }
      let timestamp = bytes.withUnsafeBufferPointer { Timestamp($0) }
      if let timestamp { XCTAssertEqual(Timestamp(timestamp.text), timestamp) }
    }
  }

  /// As the calendar's reform of 1582 has it, for all years.
  private static func length(of month: Int, in year: Int) -> Int {
    if month == 2 { return year % 400 == 0 || year % 4 == 0 && year % 100 != 0 ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
    let zeros = String(repeating: "0", count: 4 - String(year).count)
    return "\(zeros)\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }
}
