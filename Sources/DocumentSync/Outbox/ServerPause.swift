import SyncLock

/// How long a server is left alone.
///
/// Three waits: our own after trouble, which doubles from one trouble to the next; what the server
/// asked for with a refusal (`Retry-After`); and what it asked for in passing (`Backoff`), which
/// lets the pass under way finish. All are plain values that a store keeps, since they hold over
/// restarts.
///
/// Times are milliseconds since 1970. What a server asks for comes as a length, reckoned by its own
/// date if it named one, so that a server whose clock is wrong is understood all the same.
struct ServerPause: Sendable, Equatable {
  /// How long waits are.
  struct Rule: Sendable, Equatable {
    /// Our own first wait, at most. By default 500 ms.
    var first = Duration.milliseconds(500)
    /// Our own longest wait. By default 5 minutes.
    var longest = Duration.seconds(300)
    /// The longest wait that a server can ask for. By default a day.
    var longestAsked = Duration.seconds(86_400)
  }

  /// What a server asks for beside its answer.
  typealias Wishes = ServerWishes

  enum Permission: Sendable, Equatable {
    /// Everybody.
    case open
    /// A person may. Others wait so long, or until the network returns.
    case ownWait(Duration)
    /// Nobody until then, unless a person overrides it.
    case asked(until: Int64)
  }

  /// More than that aren't counted: waits have long reached their limit.
  private static let mostTroubles = 1_000

  /// How long waits are.
  let rule: Rule
  /// How many troubles in a row there were. As long as there are some, one request at a time shows
  /// whether the server has recovered.
  private(set) var troubles = 0
  /// Our own wait after the last trouble, also when it's over.
  private(set) var own: PauseWait?
  /// What the server asked for when it refused.
  private(set) var retryAfter: PauseWait?
  /// What the server asked for in passing.
  private(set) var backoff: PauseWait?

  init(rule: Rule = Rule()) {
    self.rule = rule
  }

  /// The pause that a store kept.
  init(
    troubles: Int, own: PauseWait?, retryAfter: PauseWait?, backoff: PauseWait?,
    rule: Rule = Rule()
  ) {
    self.rule = rule
    self.troubles = min(max(0, troubles), Self.mostTroubles)
    self.own = own
    self.retryAfter = retryAfter
    self.backoff = backoff
  }

  /// A request ended in trouble: answers how long to wait before the next one.
  ///
  /// What the server asked for counts as it is, up to a limit; otherwise the wait lies between half
  /// and all of a length that doubles with each trouble. A request that was under way already when
  /// the last trouble was met tells nothing new, but may bring a wish.
  ///
  /// - Parameters:
  ///   - now: when it ended.
  ///   - began: when it was sent.
  ///   - random: from 0 up to 1.
  mutating func troubled(
    at now: Int64, sentAt began: Int64, wishes: Wishes = Wishes(), random: Double
  ) -> Duration {
    clockRead(now)
    let isNew = began >= max(own?.from ?? .min, retryAfter?.from ?? .min)
    hear(wishes.backoff, as: \.backoff, at: now)
    hear(wishes.retryAfter, as: \.retryAfter, at: now)
    if isNew {
      let isAsked = wishes.retryAfter.map { $0 > .zero } ?? false
      let wait = ownBackoff.wait(after: troubles + 1, random: random)
      own = isAsked ? nil : PauseWait(wait, from: now)
      troubles = min(troubles + 1, Self.mostTroubles)
    }
    return max(own?.remaining(at: now) ?? .zero, retryAfter?.remaining(at: now) ?? .zero)
  }

  /// A request ended without trouble, be it with a refusal or a success.
  mutating func answered(at now: Int64, wishes: Wishes = Wishes()) {
    clockRead(now)
    hear(wishes.backoff, as: \.backoff, at: now)
    troubles = 0
    own = nil
  }

  /// The network is back: our own wait is over; what the server asked for isn't.
  ///
  /// The count of troubles stays, so that a network that comes and goes doesn't make us ask often.
  mutating func networkReturned() {
    own = nil
  }

  /// A person wants the server to be asked now.
  mutating func overridden() {
    own = nil
    retryAfter = nil
    backoff = nil
  }

  /// Somebody wants to send.
  ///
  /// - Parameter isUnderWay: whether it's part of a pass that has begun: `Backoff` lets it finish.
  mutating func permission(at now: Int64, isUnderWay: Bool) -> Permission {
    clockRead(now)
    if let asked = isUnderWay ? retryAfter : .longer(retryAfter, backoff) {
      return .asked(until: asked.until)
    }
    let left = own?.remaining(at: now) ?? .zero
    return left > .zero ? .ownWait(left) : .open
  }

  /// Forgets what was asked for and is over, and bears a clock that was put back.
  private mutating func clockRead(_ now: Int64) {
    own = own?.reckoned(at: now)
    for wait in [\Self.retryAfter, \.backoff] {
      let reckoned = self[keyPath: wait]?.reckoned(at: now)
      self[keyPath: wait] = reckoned.flatMap { $0.until > now ? $0 : nil }
    }
  }

  private mutating func hear(
    _ length: Duration?, as wait: WritableKeyPath<Self, PauseWait?>, at now: Int64
  ) {
    guard let length, length > .zero else { return }
    let asked = PauseWait(min(length, rule.longestAsked), from: now)
    self[keyPath: wait] = .longer(self[keyPath: wait], asked)
  }

  private var ownBackoff: Backoff { Backoff(first: rule.first, longest: rule.longest) }
}

/// A wait in wall clock time, with its beginning: a clock that is put back doesn't make it longer.
///
/// Times are milliseconds since 1970.
struct PauseWait: Sendable, Equatable {
  let from: Int64
  let until: Int64

  /// The wait between two times.
  init(from: Int64, until: Int64) {
    self.from = from
    self.until = max(from, until)
  }

  init(_ length: Duration, from now: Int64) {
    let (end, isOver) = now.addingReportingOverflow(length.wholeMilliseconds)
    self.init(from: now, until: isOver ? .max : end)
  }

  /// How much of it is left.
  func remaining(at now: Int64) -> Duration {
    if now >= until { return .zero }
    let (left, isOver) = until.subtractingReportingOverflow(max(now, from))
    return .milliseconds(isOver ? .max : left)
  }

  /// The same wait by a clock that may have been put back since: then what was left begins now.
  func reckoned(at now: Int64) -> PauseWait {
    now < from ? PauseWait(remaining(at: now), from: now) : self
  }

  static func longer(_ one: PauseWait?, _ other: PauseWait?) -> PauseWait? {
    guard let one, let other else { return one ?? other }
    return other.until > one.until ? other : one
  }
}

extension Duration {
  /// Its milliseconds, a fraction counted as a whole one; the most there are, if it has more.
  fileprivate var wholeMilliseconds: Int64 {
    let (seconds, rest) = components
    let (milliseconds, isOver) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !isOver else { return seconds < 0 ? .min : .max }
    let (part, extra) = rest.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    let (sum, isOverAgain) = milliseconds.addingReportingOverflow(part + (extra > 0 ? 1 : 0))
    return isOverAgain ? .max : sum
  }
}

/// What a server asks for beside its answer: lengths of time from the answer on.
package struct ServerWishes: Sendable, Hashable {
  /// The field `Retry-After`: with a refusal.
  package var retryAfter: Duration?
  /// The field `Backoff`: in passing.
  package var backoff: Duration?

  /// What a server asks for; nothing by default.
  package init(retryAfter: Duration? = nil, backoff: Duration? = nil) {
    self.retryAfter = retryAfter
    self.backoff = backoff
  }
}
