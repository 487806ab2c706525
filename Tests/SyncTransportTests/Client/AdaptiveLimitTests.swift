import SyncLock
import XCTest

@testable import SyncTransport

/// How many exchanges with one origin go on at once when nobody said.
final class AdaptiveLimitTests: XCTestCase {
  /// Exchanges with a server that works on at most `capacity` at once, each in 10 ms, and refuses
  /// at once what comes beyond `tolerance`, for so long. The number at the end, how many ended
  /// well, and how many were refused.
  private func run(
    capacity: Int, most: Int = 32, tolerance: Int = .max, seconds: Double, bytes: Int64 = 4_096
  ) -> (limit: Int, ended: Int, refused: Int) {
    var adaptive = AdaptiveLimit(atMost: most, at: .zero)
    var (now, ended, refused) = (0.0, 0, 0)
    var underWay: [Double] = []
    var pause = 0.0
    while now < seconds {
      while underWay.count < adaptive.limit, underWay.count < tolerance || now >= pause {
        adaptive.began(at: .seconds(now))
        if underWay.count < tolerance {
          underWay.append(now)
        } else {
          // All that are too many at this moment; they are tried again after half a second.
          adaptive.ended(
            bytes: 0, isRefusal: true, since: .seconds(now), at: .seconds(now))
          refused += 1
          if refused % 32 == 0 || underWay.count >= adaptive.limit { pause = now + 0.5 }
        }
      }
      now += 0.010 / Double(min(underWay.count, capacity))
      adaptive.ended(
        bytes: bytes, isRefusal: false, since: .seconds(underWay.removeFirst()),
        at: .seconds(now))
      ended += 1
    }
    return (adaptive.limit, ended, refused)
  }

  func testItFindsWhatIsFastest() {
    for (capacity, expected) in [(1, 8), (4, 8), (8, 8), (16, 16), (24, 32), (64, 32)] {
      XCTAssertEqual(run(capacity: capacity, seconds: 5).limit, expected, "\(capacity) at once")
    }
    for (capacity, expected) in [(24, 32), (40, 32), (64, 64), (100, 128), (500, 128)] {
      let limit = run(capacity: capacity, most: 128, seconds: 5).limit
      XCTAssertEqual(limit, expected, "\(capacity) at once, of 128")
    }
    XCTAssertEqual(run(capacity: 64, most: 48, seconds: 5).limit, 48)
    XCTAssertEqual(run(capacity: 64, most: 5, seconds: 5).limit, 5)
    XCTAssertEqual(run(capacity: 64, most: 0, seconds: 5).limit, 1)
  }

  func testItLosesLittleOnTheWay() {
    for capacity in [8, 16, 32] {
      let best = 5.0 * Double(capacity) / 0.010
      let ended = Double(run(capacity: capacity, seconds: 5).ended)
      XCTAssertGreaterThan(ended, 0.9 * best, "\(capacity) at once")
    }
  }

  /// Over a network with 40 ms to and fro, it settled on half of what would have been best for ten
  /// seconds when the machine had something else to do just as it looked.
  func testAPauseOfTheMachineDoesNotHoldItBack() {
    for pause in stride(from: 0.05, to: 1, by: 0.025) {
      var adaptive = AdaptiveLimit(atMost: 32, at: .zero)
      var underWay: [Double] = []
      var now = 0.0
      while now < 3 {
        while underWay.count < adaptive.limit {
          adaptive.began(at: .seconds(now))
          underWay.append(now)
        }
        let begun = underWay.removeFirst()
        now = max(now, begun + 0.040)
        if now >= pause, now < pause + 0.25 { now = pause + 0.25 }
        adaptive.ended(
          bytes: 4_096, isRefusal: false, since: .seconds(begun), at: .seconds(now))
      }
      XCTAssertEqual(adaptive.limit, 32, "a pause after \(pause) s")
    }
  }

  /// How many exchanges end within a time with a server that answers after 40 ms, and later on a
  /// new connection, when each answer takes so long to handle: with a number that adapts, or with
  /// this one.
  private func endedFarAway(
    _ fixed: Int? = nil, seconds: Double, handshake: Double = 0.120, handling: Double = 0
  ) -> Int {
    var adaptive = AdaptiveLimit(atMost: 128, at: .zero)
    var underWay: [(begun: Double, end: Double)] = []
    var (now, ended, idleConnections) = (0.0, 0, 0)
    while now < seconds {
      while underWay.count < fixed ?? adaptive.limit {
        underWay.append((now, now + (idleConnections > 0 ? 0.040 : handshake)))
        idleConnections = max(0, idleConnections - 1)
        adaptive.began(at: .seconds(now))
      }
      underWay.sort { $0.end > $1.end }
      let next = underWay.removeLast()
      now = max(now + handling, next.end)
      (ended, idleConnections) = (ended + 1, idleConnections + 1)
      adaptive.ended(
        bytes: 4_096, isRefusal: false, since: .seconds(next.begun), at: .seconds(now))
    }
    return ended
  }

  func testFarAwayItIsSoonAsFastAsTheBestNumber() {
    for (seconds, share) in [(0.5, 0.35), (1.0, 0.7), (2, 0.85), (5, 0.93)] {
      let best = Double(endedFarAway(128, seconds: seconds))
      let found = Double(endedFarAway(seconds: seconds))
      XCTAssertGreaterThan(found, share * best, "\(seconds) s: \(found) of \(best)")
    }
  }

  /// At a server that works on one at a time, each waits for those before it.
  func testABusyServerIsNotTakenForOneThatIsFarAway() {
    var adaptive = AdaptiveLimit(atMost: 128, at: .zero)
    for _ in 0..<8 { adaptive.began(at: .zero) }
    for number in 1...8 {
      adaptive.ended(
        bytes: 4_096, isRefusal: false, since: .zero, at: .milliseconds(30 * number))
    }
    XCTAssertEqual(adaptive.limit, 16)
  }

  /// The limit after so many rounds in which as many as may begin at once and all end after 80 ms,
  /// but for one whose connection was there already.
  private func limitFarAway(after rounds: Int, bytes: Int64) -> Int {
    var adaptive = AdaptiveLimit(atMost: 256, at: .zero)
    for round in 0..<rounds {
      let (start, count) = (Duration.milliseconds(80 * round), adaptive.limit)
      for _ in 0..<count { adaptive.began(at: start) }
      for number in 0..<count {
        let time = Duration.milliseconds(number == 0 ? 40 : 80)
        adaptive.ended(bytes: bytes, isRefusal: false, since: start, at: start + time)
      }
    }
    return adaptive.limit
  }

  func testWhatIsFarAwayIsAskedForFourTimesAsMuchUpTo32() {
    XCTAssertEqual((1...4).map { limitFarAway(after: $0, bytes: 4_096) }, [32, 64, 128, 256])
    XCTAssertEqual(limitFarAway(after: 1, bytes: 65_536), 32)
    XCTAssertEqual((1...3).map { limitFarAway(after: $0, bytes: 1 << 20) }, [16, 32, 64])
  }

  /// Answers that take long as the server holds each of them back, eight at once at the most.
  func testALeapThatBroughtNothingIsTakenBack() {
    var adaptive = AdaptiveLimit(atMost: 128, at: .zero)
    var (now, most) = (Duration.zero, 0)
    for _ in 0..<6 {
      let count = adaptive.limit
      most = max(most, count)
      for _ in 0..<count { adaptive.began(at: now) }
      let end = now + .milliseconds(10 * count)
      for _ in 0..<count {
        adaptive.ended(bytes: 4_096, isRefusal: false, since: now, at: end)
      }
      now = end
    }
    XCTAssertEqual([most, adaptive.limit], [32, 8])
  }

  /// Within 50 ms, one burst of answers came or two, by chance: it took the difference for a loss,
  /// and settled on half of what was best.
  func testAnswersThatComeInBurstsDoNotDeceiveIt() {
    for handshake in [0.040, 0.080, 0.120, 0.160] {
      let best = Double(endedFarAway(128, seconds: 2, handshake: handshake, handling: 0.0002))
      let found = Double(endedFarAway(seconds: 2, handshake: handshake, handling: 0.0002))
      XCTAssertGreaterThan(found, 0.8 * best, "\(handshake) s: \(found) of \(best)")
    }
  }

  func testItTriesAgainNowAndThen() {
    var adaptive = AdaptiveLimit(atMost: 32, at: .zero)
    var now = 0.0
    // A network that gets better after a while; as many as may are always under way.
    var (before, underWay) = (0, 0)
    while now < 60 {
      for _ in underWay..<max(underWay, adaptive.limit) { adaptive.began(at: .seconds(now)) }
      underWay = max(underWay, adaptive.limit) - 1
      now += 0.010 / Double(min(adaptive.limit, now < 20 ? 8 : 32))
      adaptive.ended(bytes: 0, isRefusal: false, since: .seconds(now), at: .seconds(now))
      if now < 20 { before = max(before, adaptive.limit) }
    }
    XCTAssertEqual(before, 16, "it tried twice as many, and nothing beyond")
    XCTAssertEqual(adaptive.limit, 32)
  }

  func testAServerThatRefusesWhatIsBeyondItsLimitIsKeptBusyAndHardlyAskedForMore() {
    for tolerance in [2, 5, 10, 16, 20] {
      let result = run(capacity: 64, tolerance: tolerance, seconds: 300)
      XCTAssertLessThanOrEqual(result.limit, tolerance)
      XCTAssertGreaterThan(2 * result.limit, tolerance, "\(tolerance) at once: \(result)")
      XCTAssertLessThan(result.refused, 200, "\(tolerance) at once: \(result)")
    }
  }

  func testAnItemThatAlwaysFailsChangesNothing() {
    var adaptive = AdaptiveLimit(atMost: 32, at: .zero)
    var now = 0.0
    for round in 0..<2_000 {
      for place in 0..<adaptive.limit {
        adaptive.began(at: .seconds(now))
        let isRefusal = round % 20 == 0 && place == 0
        adaptive.ended(
          bytes: 100, isRefusal: isRefusal, since: .seconds(now), at: .seconds(now + 0.010))
      }
      now += 0.010
    }
    XCTAssertGreaterThanOrEqual(adaptive.limit, 8)
  }

  func testTimeWithoutWorkIsNotTheNetworks() {
    var adaptive = AdaptiveLimit(atMost: 32, at: .zero)
    // The catalog; then it is read for a long time.
    adaptive.began(at: .zero)
    adaptive.ended(bytes: 1_000, isRefusal: false, since: .zero, at: .seconds(0.010))
    var now = 20.0
    for _ in 0..<600 {
      let count = adaptive.limit
      for _ in 0..<count { adaptive.began(at: .seconds(now)) }
      for _ in 0..<count {
        now += 0.010 / 8
        adaptive.ended(bytes: 4_096, isRefusal: false, since: .seconds(now), at: .seconds(now))
      }
    }
    XCTAssertEqual(adaptive.limit, 8, "the server works on eight at once, and the rest waits")
  }

  func testFewSlowExchangesChangeNothing() {
    var adaptive = AdaptiveLimit(atMost: 32, at: .zero)
    for second in 1...100 {
      adaptive.began(at: .seconds(second - 1))
      adaptive.ended(
        bytes: 1 << 30, isRefusal: false, since: .seconds(second - 1), at: .seconds(second))
    }
    XCTAssertEqual(adaptive.limit, 8)
  }

  func testAServerThatAlwaysFailsIsNotAskedForMore() {
    var adaptive = AdaptiveLimit(atMost: 32, at: .zero)
    for round in 0..<1_000 {
      for _ in 0..<8 { adaptive.began(at: .milliseconds(round * 10)) }
      for _ in 0..<8 {
        adaptive.ended(
          bytes: nil, isRefusal: false, since: .milliseconds(round * 10),
          at: .milliseconds(round * 10 + 9))
      }
      XCTAssertEqual(adaptive.limit, 8)
    }
  }

  func testOnlyWhereNoNumberWasGivenTheDeskAdapts() {
    var policy = ClientPolicy()
    policy.requestsPerOrigin = 32
    for adapts in [false, true] {
      policy.adaptsRequests = adapts
      let gate = OriginGate()
      gate.enter(policy, at: .zero).1.tell()
      XCTAssertEqual(gate.semaphore.permits, adapts ? 8 : 32)
      for _ in 0..<3 { gate.noteBegin(at: .zero) }
      for _ in 0..<2 { gate.noteEnd(ExchangeEnd(failedAfter: 429), since: .zero, at: .zero) }
      // It began before the number was halved.
      gate.noteEnd(ExchangeEnd(failedAfter: 503), since: .seconds(-1), at: .seconds(1))
      XCTAssertEqual(gate.semaphore.permits, adapts ? 4 : 32)
    }
  }
}
