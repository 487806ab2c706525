import XCTest

@testable import SyncTransport

/// How many exchanges with one origin go on at once when nobody said (M14).
final class AdaptiveLimitTests: XCTestCase {
  /// Exchanges with a server that works on at most `capacity` at once, each in 10 ms, for so long.
  /// The number at the end, and how many ended.
  private func run(
    capacity: Int, most: Int = 32, seconds: Double, bytes: Int64 = 4_096,
    refusingAt refusal: Double? = nil
  ) -> (limit: Int, ended: Int) {
    var adaptive = AdaptiveLimit(atMost: most, at: .zero)
    var (now, ended, hasRefused) = (0.0, 0, false)
    while now < seconds {
      now += 0.010 / Double(min(adaptive.limit, capacity))
      if let refusal, now >= refusal, !hasRefused {
        hasRefused = true
        adaptive.refused(at: .seconds(now))
      } else {
        adaptive.ended(bytes: bytes, at: .seconds(now))
        ended += 1
      }
    }
    return (adaptive.limit, ended)
  }

  func testM14_itFindsWhatIsFastest() {
    for (capacity, expected) in [(1, 8), (4, 8), (8, 8), (16, 16), (24, 32), (64, 32)] {
      XCTAssertEqual(run(capacity: capacity, seconds: 5).limit, expected, "\(capacity) at once")
    }
    XCTAssertEqual(run(capacity: 64, most: 5, seconds: 5).limit, 5)
    XCTAssertEqual(run(capacity: 64, most: 0, seconds: 5).limit, 1)
  }

  func testM14_itLosesLittleOnTheWay() {
    for capacity in [8, 16, 32] {
      let best = 5.0 * Double(capacity) / 0.010
      let ended = Double(run(capacity: capacity, seconds: 5).ended)
      XCTAssertGreaterThan(ended, 0.9 * best, "\(capacity) at once")
    }
  }

  func testM14_itTriesAgainNowAndThen() {
    var adaptive = AdaptiveLimit(atMost: 32, at: .zero)
    var now = 0.0
    // A network that gets better after a while.
    while now < 60 {
      let capacity = now < 20 ? 8 : 32
      now += 0.010 / Double(min(adaptive.limit, capacity))
      adaptive.ended(bytes: 0, at: .seconds(now))
    }
    XCTAssertEqual(adaptive.limit, 32)
  }

  func testM14_itHalvesWhenTheServerAsksForRestAndStaysThereForAWhile() {
    XCTAssertEqual(run(capacity: 64, seconds: 6, refusingAt: 5).limit, 16)
    XCTAssertEqual(run(capacity: 64, seconds: 34, refusingAt: 5).limit, 16)
    XCTAssertEqual(run(capacity: 64, seconds: 60, refusingAt: 5).limit, 32)
    var adaptive = AdaptiveLimit(atMost: 32, at: .zero)
    for _ in 0..<10 { adaptive.refused(at: .zero) }
    XCTAssertEqual(adaptive.limit, 1)
  }

  func testM14_fewSlowExchangesChangeNothing() {
    var adaptive = AdaptiveLimit(atMost: 32, at: .zero)
    for second in 1...15 { adaptive.ended(bytes: 1 << 30, at: .seconds(second)) }
    XCTAssertEqual(adaptive.limit, 8)
  }

  func testM14_onlyWhereNoNumberWasGivenTheDeskAdapts() {
    var policy = ClientPolicy()
    policy.requestsPerOrigin = 32
    for adapts in [false, true] {
      policy.adaptsRequests = adapts
      let desk = OriginDesk(policy, at: .zero)
      XCTAssertEqual(desk.semaphore.permits, adapts ? 8 : 32)
      desk.noteEnd(bytes: 0, isRefusal: true, at: .zero)
      XCTAssertEqual(desk.semaphore.permits, adapts ? 4 : 32)
    }
  }
}
