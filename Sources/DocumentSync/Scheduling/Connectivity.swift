import SyncLock

/// Whether a server can be reached, as requests show it: no system is asked.
///
/// While it can't, syncs that nobody asked for by hand rest, for a pause that grows. When it is
/// over, one sync is the probe. Times are durations since some beginning.
struct Connectivity: Sendable, Equatable {
  /// How long it rests after so many tries.
  private static let backoff = Backoff(first: .seconds(5), longest: .seconds(300))
  /// How many requests in a row without an answer mean that it can't be reached: a connection that
  /// ends in the middle of an answer says little. One that can't be made is enough.
  private static let silences = 2

  /// What a request shows.
  enum Sign: Sendable, Equatable, CaseIterable {
    /// A server answered, whatever it said.
    case answered
    /// No server was reached: its name wasn't found, or no connection made.
    case unreachable
    /// No answer came.
    case silent
  }

  enum Phase: Sendable, Equatable {
    /// It can be reached; so many requests in a row had no answer. Goes to `offline`.
    case online(silences: Int)
    /// It can't, after so many tries; until then it rests. Goes to `probing`, or to `online` where
    /// a request that was under way is answered, or one by hand.
    case offline(tries: Int, until: Duration)
    /// One sync tries. Goes to `online` or `offline`.
    case probing(tries: Int)
  }

  /// Whether a sync may begin.
  enum Permission: Sendable, Equatable {
    /// It may.
    case open
    /// It may, and shows whether the server can be reached again.
    case probe
    /// Not before that time; `nil`: as long as another one tries.
    case rest(until: Duration?)
  }

  private(set) var phase = Phase.online(silences: 0)

  /// Whether it can be reached, as far as is known.
  var isOnline: Bool {
    switch phase {
    case .online: true
    case .offline, .probing: false
    }
  }

  /// A request ended.
  ///
  /// - Parameter random: from 0 up to 1.
  mutating func showed(_ sign: Sign, at now: Duration, random: Double) {
    switch (phase, sign) {
    case (_, .answered): phase = .online(silences: 0)
    case (.online(let silences), .silent) where silences + 1 < Self.silences:
      phase = .online(silences: silences + 1)
    case (.online, .unreachable), (.online, .silent): rest(after: 1, at: now, random: random)
    // It was under way already.
    case (.offline, .unreachable), (.offline, .silent): break
    case (.probing(let tries), .unreachable), (.probing(let tries), .silent):
      rest(after: tries + 1, at: now, random: random)
    }
  }

  /// The system says that the network is back: the rest is over, and a probe shows whether that is
  /// so. Pauses stay as long as they were, so that a network that comes and goes doesn't make us
  /// ask often.
  mutating func networkReturned(at now: Duration) {
    switch phase {
    case .online: phase = .online(silences: 0)
    case .offline(let tries, _): phase = .offline(tries: tries, until: now)
    case .probing: break
    }
  }

  /// Whether a sync may begin now; nothing changes by the question.
  func permission(at now: Duration) -> Permission {
    switch phase {
    case .online: .open
    case .offline(_, let until): until > now ? .rest(until: until) : .probe
    case .probing: .rest(until: nil)
    }
  }

  /// A sync begins. One by hand is a probe, too.
  mutating func syncBegan() {
    if case .offline(let tries, _) = phase { phase = .probing(tries: tries) }
  }

  /// A sync has ended. If it was a probe and showed nothing, it goes on resting.
  mutating func syncEnded(at now: Duration, random: Double) {
    if case .probing(let tries) = phase { rest(after: tries, at: now, random: random) }
  }

  private mutating func rest(after tries: Int, at now: Duration, random: Double) {
    let pause = Self.backoff.wait(after: tries, random: random)
    phase = .offline(tries: tries, until: now + pause)
  }
}
