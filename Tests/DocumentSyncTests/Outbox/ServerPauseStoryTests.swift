import TestSupport
import XCTest

@testable import DocumentSync

/// Ways through a `ServerPause` that are longer than one event.
final class ServerPauseStoryTests: XCTestCase {
  func testOurOwnWaitDoublesUpToItsLimitAndBeginsAnewAfterAnAnswer() {
    var pause = ServerPause()
    var now: Int64 = 0
    var waits: [Duration] = []
    for _ in 0..<12 {
      let wait = pause.troubled(at: now, sentAt: now, random: 1)
      waits.append(wait)
      now += 1_000_000
    }
    let expected = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000]
    XCTAssertEqual(waits, expected.map { .milliseconds($0) } + [.seconds(300), .seconds(300)])
    pause.answered(at: now)
    XCTAssertEqual(pause.troubles, 0)
    XCTAssertEqual(pause.troubled(at: now, sentAt: now, random: 1), .milliseconds(500))
  }

  func testManyTroublesDoNotOverflow() {
    var pause = ServerPause(troubles: .max, own: nil, retryAfter: nil, backoff: nil)
    XCTAssertEqual(pause.troubled(at: 0, sentAt: 0, random: 1), .seconds(300))
  }

  func testOurOwnWaitIsSpreadOverItsSecondHalf() {
    for (random, milliseconds) in [(0.0, 250), (0.5, 375), (1, 500), (-3, 250), (7, 500)] {
      var pause = ServerPause()
      let wait = pause.troubled(at: 0, sentAt: 0, random: random)
      XCTAssertEqual(wait, .milliseconds(milliseconds), "\(random)")
    }
  }

  func testWhatTheServerAsksForCountsInsteadOfOurOwnWait() {
    var pause = ServerPause()
    _ = pause.troubled(at: 0, sentAt: 0, random: 1)
    let wishes = ServerPause.Wishes(retryAfter: .milliseconds(100))
    XCTAssertEqual(
      pause.troubled(at: 1_000, sentAt: 900, wishes: wishes, random: 1), .milliseconds(100))
    XCTAssertNil(pause.own)
  }

  func testAServerThatAsksForNoTimeAtAllIsLeftAloneAllTheSame() {
    for length in [Duration.zero, .seconds(-5)] {
      var pause = ServerPause()
      let wishes = ServerPause.Wishes(retryAfter: length, backoff: length)
      XCTAssertEqual(
        pause.troubled(at: 0, sentAt: 0, wishes: wishes, random: 1), .milliseconds(500))
      XCTAssertNil(pause.backoff)
    }
  }

  func testNoServerCanAskForMoreThanADay() {
    var pause = ServerPause()
    let wishes = ServerPause.Wishes(retryAfter: .seconds(Int64.max), backoff: .seconds(Int64.max))
    XCTAssertEqual(pause.troubled(at: 0, sentAt: 0, wishes: wishes, random: 1), .seconds(86_400))
    XCTAssertEqual(pause.backoff?.until, 86_400_000)
  }

  func testAShorterWishDoesNotTakeALongerOneBack() {
    var pause = ServerPause()
    pause.answered(at: 0, wishes: .init(backoff: .seconds(60)))
    pause.answered(at: 0, wishes: .init(backoff: .seconds(10)))
    XCTAssertEqual(pause.backoff?.until, 60_000)
  }

  func testRequestsSideBySideThatMeetTheSameTroubleCountAsOne() {
    var pause = ServerPause()
    XCTAssertEqual(pause.troubled(at: 1_000, sentAt: 900, random: 1), .milliseconds(500))
    XCTAssertEqual(pause.troubled(at: 1_100, sentAt: 950, random: 1), .milliseconds(400))
    XCTAssertEqual(pause.troubles, 1)
    let wishes = ServerPause.Wishes(retryAfter: .seconds(5))
    XCTAssertEqual(pause.troubled(at: 1_100, sentAt: 950, wishes: wishes, random: 1), .seconds(5))
    XCTAssertEqual(pause.troubles, 1)
  }

  func testATroubleAfterTheClockWasPutBackIsANewOne() {
    for wishes in [ServerPause.Wishes(), .init(retryAfter: .seconds(5))] {
      var pause = ServerPause()
      _ = pause.troubled(at: 1_000_000, sentAt: 1_000_000, wishes: wishes, random: 1)
      _ = pause.troubled(at: 10, sentAt: 10, random: 1)
      XCTAssertEqual(pause.troubles, 2)
    }
  }

  func testANetworkThatComesAndGoesIsNotAskedMoreOften() {
    var pause = ServerPause()
    for troubles in 1...4 {
      _ = pause.troubled(at: 0, sentAt: 0, random: 1)
      pause.networkReturned()
      XCTAssertEqual(pause.troubles, troubles)
      XCTAssertEqual(pause.permission(at: 0, isUnderWay: false), .open)
    }
    XCTAssertEqual(pause.troubled(at: 0, sentAt: 0, random: 1), .seconds(8))
  }

  func testWhateverHappensNoWaitIsLongerThanWhatWasAskedForOrAllowed() {
    for seed in 1...1_000 {
      var random = SeededGenerator(seed: UInt64(seed))
      var pause = ServerPause()
      var (now, longest) = (Int64(0), Duration.seconds(300))
      for _ in 0..<60 {
        now += Int64.random(in: -20_000...60_000, using: &random)
        let length = Duration.seconds(Int.random(in: -5...2_000, using: &random))
        let wishes = ServerPause.Wishes(
          retryAfter: random.oneIn(4) ? length : nil, backoff: random.oneIn(4) ? length : nil)
        if wishes != .init() { longest = max(longest, length) }
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          let sent = now - Int64.random(in: 0...5_000, using: &random)
          let wait = pause.troubled(
            at: now, sentAt: sent, wishes: wishes, random: Double.random(in: 0..<1, using: &random))
          XCTAssertLessThanOrEqual(wait, longest, "seed \(seed)")
        case 2: pause.answered(at: now, wishes: wishes)
        case 3: pause.networkReturned()
        default: if random.oneIn(5) { pause.overridden() }
        }
        switch pause.permission(at: now, isUnderWay: random.oneIn(2)) {
        case .open: break
        case .ownWait(let wait):
          XCTAssertTrue(wait > .zero && wait <= .seconds(300), "seed \(seed)")
          XCTAssertGreaterThan(pause.troubles, 0, "seed \(seed)")
        case .asked(let until):
          XCTAssertGreaterThan(until, now, "seed \(seed)")
          XCTAssertLessThanOrEqual(.milliseconds(until - now), longest, "seed \(seed)")
        }
      }
    }
  }
}
