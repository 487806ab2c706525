/// Decides how many exchanges with one origin go on at once: more as long as that makes it faster,
/// and fewer when the server asks for rest.
///
/// It doubles the number while what comes in a second grows by a twentieth or more, and keeps the
/// last one that did; now and then it tries again, since networks change. Where small answers take
/// long, and about as long as each other, as from far away, it takes four times as many, up to 32:
/// to find out step by step would take longer than many a copy. Beyond 32 it has to grow
/// by half when the number is doubled: so many are for servers that are far away, and not for those
/// that have enough to do. That it didn't grow has to be seen three times: at first the handshakes
/// of new connections are in it, or a moment in which the machine did something else. After going
/// back it tries again in a second, and each time that it goes back, in twice as long, up to ten.
///
/// Where many answers are 429 or 503 (RFC 6585, section 4; RFC 9110, section 15.6.4) it halves the
/// number, and afterwards goes only half of the way back to the one that was too many. One item
/// that always fails changes nothing, and where all fail it doesn't rise.
struct AdaptiveLimit: Equatable {
  private(set) var limit: Int
  /// More than that were too many, or aren't allowed.
  private var ceiling: Int
  private var underWay = 0
  private var idleSince: Duration
  private var lastChange: Duration
  /// What began before this says nothing of the present number.
  private var changed: Duration
  private var window: Window
  private var phase = Phase.rising(before: nil)
  /// How long it stays where it is when it goes back the next time.
  private var rest = Self.shortestRest

  private enum Phase: Equatable {
    /// Whether the present number is better than the one before is being found out.
    case rising(before: Step?)
    /// It wasn't better so many times.
    case doubting(before: Step, times: Int)
    /// The number stays until then.
    case settled(until: Duration)
  }

  /// A number, and what came in a second with it.
  private struct Step: Equatable {
    var limit: Int
    var rate: Double
  }

  /// What came since a moment.
  ///
  /// Over a long way answers come in bursts, and how many of these fall into a short time is
  /// chance. So what has come is held against how many were under way on the average and how long
  /// each took, which makes the same in the long run (Little's law: J. D. C. Little, "A Proof for
  /// the Queuing Formula L = λW", 1961). In the short run either may be too much, and the lesser
  /// one counts.
  private struct Window: Equatable {
    var start: Duration
    /// The seconds of all exchanges since then; and of the ones that ended, each as a whole.
    var underWay = 0.0
    var ended = 0.0
    /// Whether as many go on at once as may: else it says nothing of their number.
    var wasFull = false
    var count = 0
    var refusals = 0
    var work = 0.0
    /// The longest time that one took, in seconds.
    var longest = 0.0

    /// Whether small answers take long, and about as long as each other: then it is likely to be
    /// the way that takes the time. At a server that works on one after the other, each waits for
    /// those before it.
    var isFarAway: Bool {
      let mean = ended / Double(count)
      return work <= Double(count) * AdaptiveLimit.smallExchange && mean >= AdaptiveLimit.farAway
        && mean >= 0.8 * longest
    }

    /// What comes in a second, by the time that the window has lasted.
    func rate(after seconds: Double) -> Double {
      work / seconds * min(1, underWay / ended)
    }
  }

  private static let first = 8
  private static let shortest = Duration.milliseconds(50)
  private static let longBreak = Duration.milliseconds(20)
  private static let shortestRest = Duration.seconds(1)
  private static let longestRest = Duration.seconds(10)
  private static let restAfterRefusal = Duration.seconds(30)
  /// What an exchange weighs beside the bytes of its body, in bytes: its latency and its headers.
  private static let exchangeWeight = 16_384.0
  /// So many seconds take the answers of a server that is far away.
  private static let farAway = 0.020
  /// What exchanges with small answers weigh at most.
  private static let smallExchange = 81_920.0
  /// Up to so many, any gain is welcome.
  private static let ordinary = 32

  /// A limit of at most `most`; the number to begin with is 8.
  init(atMost most: Int, at now: Duration) {
    ceiling = max(1, most)
    limit = min(Self.first, ceiling)
    (changed, idleSince, lastChange) = (now, now, now)
    window = Window(start: now)
  }

  /// Somebody allows so many at once, which may be more than was allowed so far.
  mutating func allow(_ most: Int) {
    ceiling = max(ceiling, most)
  }

  /// An exchange begins. Time in which there was none isn't the network's; and after a longer one
  /// something else begins, as the items do after their catalog.
  mutating func began(at now: Duration) {
    pass(to: now)
    if underWay == 0 {
      let idle = now - idleSince
      if idle < Self.longBreak { window.start += idle } else { window = Window(start: now) }
    }
    underWay += 1
    if underWay >= limit, !window.wasFull { window = Window(start: now, wasFull: true) }
  }

  /// An exchange that began at `start` has ended, with so many bytes of a body, or `nil` when it
  /// failed; `isRefusal` when the server answered that it has too much to do.
  mutating func ended(bytes: Int64?, isRefusal: Bool, since start: Duration, at now: Duration) {
    pass(to: now)
    underWay -= 1
    if underWay == 0 { idleSince = now }
    window.ended += (now - start) / .seconds(1)
    window.longest = max(window.longest, (now - start) / .seconds(1))
    window.count += 1
    if let bytes, !isRefusal { window.work += Double(bytes) + Self.exchangeWeight }
    if isRefusal, start >= changed { window.refusals += 1 }
    if window.refusals >= 2, window.refusals * 4 >= window.count { return fall(at: now) }
    let took = now - window.start
    guard window.wasFull, window.count >= limit, took >= Self.shortest else { return }
    if window.work > 0 { judge(rate: window.rate(after: took / .seconds(1)), at: now) }
    window = Window(start: now)
  }

  private mutating func pass(to now: Duration) {
    window.underWay += Double(underWay) * ((now - lastChange) / .seconds(1))
    lastChange = now
  }

  private mutating func fall(at now: Duration) {
    ceiling = max(1, (limit / 2 + limit) / 2)
    set(max(1, limit / 2), at: now)
    phase = .settled(until: now + Self.restAfterRefusal)
    window = Window(start: now)
  }

  private mutating func set(_ limit: Int, at now: Duration) {
    self.limit = limit
    changed = now
  }

  private mutating func judge(rate: Double, at now: Duration) {
    switch phase {
    case .rising(let before?) where rate < before.rate * gain(over: before):
      phase = .doubting(before: before, times: 1)
    case .doubting(let before, let times) where rate < before.rate * gain(over: before):
      guard times >= 2 else { return phase = .doubting(before: before, times: times + 1) }
      set(before.limit, at: now)
      phase = .settled(until: now + rest)
      rest = min(rest * 2, Self.longestRest)
    case .rising(let before):
      rest = Self.shortestRest
      rise(before == nil && window.isFarAway ? 4 : 2, from: rate, at: now)
    case .doubting:
      rest = Self.shortestRest
      rise(2, from: rate, at: now)
    case .settled(let end) where now >= end: rise(2, from: rate, at: now)
    case .settled: break
    }
  }

  /// How many times as much the present number has to bring as the one before.
  private func gain(over before: Step) -> Double {
    guard limit > Self.ordinary else { return 1.05 }
    return (1 + Double(limit) / Double(before.limit)) / 2
  }

  private mutating func rise(_ times: Int, from rate: Double, at now: Duration) {
    guard limit < ceiling else {
      phase = .settled(until: now + Self.longestRest)
      return
    }
    phase = .rising(before: Step(limit: limit, rate: rate))
    set(min(ceiling, limit * times), at: now)
  }
}
