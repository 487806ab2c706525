import TestSupport
import XCTest

@testable import DocumentSync

/// The clock of a server, where ours is wrong.
final class ServerTimeTests: XCTestCase {
  private let now: Int64 = 1_700_000_000_000

  /// An answer of a server that is ahead by so many seconds, after a trip of so many.
  private func answer(ahead: Int64, trip: Int64 = 0) -> ServerTime.Heard {
    ServerTime.Heard(
      date: now + ahead * 1_000 - trip * 500, sentAt: now - trip * 1_000, receivedAt: now)
  }

  private func heard(_ differences: Int64...) -> ServerTime {
    var time = ServerTime()
    for ahead in differences { time.heard(answer(ahead: ahead)) }
    return time
  }

  func testADifferenceCountsOnlyBeyondALimitAndWhenASecondAnswerAgrees() {
    let rows: [(differences: [Int64], ahead: Int64, isDoubted: Bool)] = [
      ([], 0, false), ([0], 0, false), ([120], 0, false), ([-120, 119, 120], 0, false),
      ([121], 0, true), ([121, 121], 121, false), ([-121, -121], -121, false),
      ([3_600, 3_500], 3_500, false),
      // A portal spoke in between.
      ([0, 9_000, 0], 0, false), ([600, 600, 9_000], 600, true),
      ([600, 600, 9_000, 600], 600, false),
      // Two portals don't agree.
      ([9_000, -9_000], 0, true), ([9_000, -9_000, 9_000], 0, true),
      // Our clock was set right, or the server's was.
      ([600, 600, 0], 600, true), ([600, 600, 0, 0], 0, false),
      ([600, 600, 1_200, 1_200], 1_200, false),
      // It drifts, or a date has only seconds.
      ([600, 600, 601], 600, false), ([600, 600, 602], 602, false), ([600, 600, 560], 560, false),
      // It comes near to ours.
      ([130, 130, 119], 0, false),
    ]
    for row in rows {
      var time = ServerTime()
      for ahead in row.differences { time.heard(answer(ahead: ahead)) }
      XCTAssertEqual(time.ahead, row.ahead * 1_000, "\(row)")
      XCTAssertEqual(time.doubted != nil, row.isDoubted, "\(row)")
    }
  }

  func testHalfTheWayThereAndBackIsTakenOff() {
    var time = ServerTime()
    for _ in 0..<2 { time.heard(answer(ahead: 600, trip: 60)) }
    XCTAssertEqual(time.ahead, 600_000)
  }

  func testAnAnswerThatTookTooLongSaysNothing() {
    var time = ServerTime()
    for _ in 0..<2 { time.heard(answer(ahead: 600, trip: 241)) }
    time.heard(ServerTime.Heard(date: now + 900_000, sentAt: now + 1, receivedAt: now))
    time.heard(ServerTime.Heard(date: .max, sentAt: now, receivedAt: now))
    time.heard(ServerTime.Heard(date: .min, sentAt: now, receivedAt: now))
    time.heard(ServerTime.Heard(date: 0, sentAt: .min, receivedAt: .max))
    XCTAssertEqual(time.ahead, 0)
    for _ in 0..<2 { time.heard(answer(ahead: 600, trip: 239)) }
    XCTAssertEqual(time.ahead, 600_000)
  }

  func testStampsNeverGoBack() {
    XCTAssertEqual(heard().stamp(at: now, after: nil), now)
    XCTAssertEqual(heard(600, 600).stamp(at: now, after: nil), now + 600_000)
    XCTAssertEqual(heard().stamp(at: now, after: now - 1), now)
    XCTAssertEqual(heard().stamp(at: now, after: now), now + 1)
    XCTAssertEqual(heard(-600, -600).stamp(at: now, after: now), now + 1)
    XCTAssertEqual(heard().stamp(at: .max, after: .max), .max)
  }

  func testARandomWalkOfClocksGivesRisingStamps() {
    var random = SeededGenerator(seed: 43)
    for _ in 0..<500 {
      var (time, here, last) = (ServerTime(), now, Int64?.none)
      for _ in 0..<50 {
        here += Int64.random(in: -500_000...1_000_000, using: &random)
        let trip = Int64.random(in: -10...300_000, using: &random)
        let date = here + Int64.random(in: -900_000...900_000, using: &random)
        time.heard(ServerTime.Heard(date: date, sentAt: here - trip, receivedAt: here))
        XCTAssertTrue(time.ahead == 0 || abs(time.ahead) > 120_000)
        let stamp = time.stamp(at: here, after: last)
        if let last { XCTAssertGreaterThan(stamp, last) }
        last = stamp
      }
    }
  }
}
