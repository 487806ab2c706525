/// Decides how many exchanges with one origin go on at once: more as long as that makes it faster,
/// and fewer when the server asks for rest (M14).
///
/// It doubles the number while what comes in a second grows by a tenth or more, and keeps the last
/// one that did; now and then it tries again, since networks change. An answer 429 or 503 halves it
/// (RFC 6585, section 4; RFC 9110, section 15.6.4).
struct AdaptiveLimit: Equatable {
  /// How many may go on at once.
  private(set) var limit: Int
  private let most: Int
  private var window: Window
  private var phase = Phase.rising(before: nil)

  private enum Phase: Equatable {
    /// Whether the present number is better than the one before is being found out.
    case rising(before: Step?)
    /// The number stays until then.
    case settled(until: Duration)
  }

  /// A number, and what came in a second with it.
  private struct Step: Equatable {
    var limit: Int
    var rate: Double
  }

  /// What came since a moment.
  private struct Window: Equatable {
    var start: Duration
    var count = 0
    var work = 0.0
  }

  private static let first = 8
  private static let shortest = Duration.milliseconds(100)
  private static let rest = Duration.seconds(10)
  private static let restAfterRefusal = Duration.seconds(30)
  /// What an exchange weighs beside the bytes of its body, in bytes: its latency and its headers.
  private static let exchangeWeight = 16_384.0
  private static let gain = 1.1

  /// A limit of at most `most`; the number to begin with is 8.
  init(atMost most: Int, at now: Duration) {
    self.most = max(1, most)
    limit = min(Self.first, self.most)
    window = Window(start: now)
  }

  /// An exchange has ended, with so many bytes of a body.
  mutating func ended(bytes: Int64, at now: Duration) {
    window.count += 1
    window.work += Double(bytes) + Self.exchangeWeight
    let took = now - window.start
    guard window.count >= 2 * limit, took >= Self.shortest else { return }
    judge(rate: window.work / (took / .seconds(1)), at: now)
    window = Window(start: now)
  }

  /// The server answered that it has too much to do.
  mutating func refused(at now: Duration) {
    limit = max(1, limit / 2)
    phase = .settled(until: now + Self.restAfterRefusal)
    window = Window(start: now)
  }

  private mutating func judge(rate: Double, at now: Duration) {
    switch phase {
    case .rising(let before?) where rate < before.rate * Self.gain:
      limit = before.limit
      phase = .settled(until: now + Self.rest)
    case .rising: rise(from: rate, at: now)
    case .settled(let end) where now >= end: rise(from: rate, at: now)
    case .settled: break
    }
  }

  private mutating func rise(from rate: Double, at now: Duration) {
    guard limit < most else {
      phase = .settled(until: now + Self.rest)
      return
    }
    phase = .rising(before: Step(limit: limit, rate: rate))
    limit = min(most, limit * 2)
  }
}
