import SyncLock

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let synchronizer = Synchronizer(processor: processor, clock: clock)
/// synchronizer.requestSync()
/// try await clock.sleepers(atLeast: 1)  // the coalescing window is open
/// clock.advance(by: .seconds(2))        // and now it closes
/// ```
///
/// Sleepers are woken in the order of their deadlines, those with equal deadlines in the order in
/// which they fell asleep. A sleeper that goes to sleep again counts from the time to which the
/// clock was moved: to see every round of something periodic, move the clock one round at a time
/// and wait for ``sleepers(atLeast:)`` in between.
public final class ManualClock: Clock {
  private let watched = Watched(State())

  /// A point in the time of a ``ManualClock``, as distance from the clock's beginning.
  public struct Instant: InstantProtocol {
    /// The distance from the beginning.
    public let sinceStart: Duration

    /// The instant that lies `sinceStart` after the clock's beginning.
    public init(sinceStart: Duration) {
      self.sinceStart = sinceStart
    }

    /// The instant that lies `duration` after this one.
    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceStart: sinceStart + duration)
    }

    /// How long it is from this instant to another.
    public func duration(to other: Instant) -> Duration {
      other.sinceStart - sinceStart
    }

    /// Whether the first of two instants is the earlier one.
    public static func < (one: Instant, other: Instant) -> Bool {
      one.sinceStart < other.sinceStart
    }
  }

  fileprivate struct Sleeper {
    let ticket: Int
    let deadline: Instant
  }

  fileprivate struct State {
    var now = Instant(sinceStart: .zero)
    /// Where the clock is being moved to.
    var goal = Instant(sinceStart: .zero)
    var lastTicket = 0
    /// In ascending order of deadlines.
    var sleepers: [Sleeper] = []
  }

  /// A clock at its beginning.
  public init() {}

  /// The time to which the clock was moved last.
  public var now: Instant { watched.change { $0.now } }

  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The deadlines of all who sleep right now, the nearest first.
  public var deadlines: [Instant] { watched.change { $0.sleepers.map(\.deadline) } }

  /// Sleeps until the clock has been moved to the deadline, or past it.
  ///
  /// The tolerance is ignored. Returns at once when the deadline isn't in the future.
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard let ticket = watched.change({ $0.fallAsleep(until: deadline) }) else { return }
    do {
      try await watched.wait { $0.isAsleep(ticket) ? nil : () }
    } catch {
      watched.change { $0.sleepers.removeAll { $0.ticket == ticket } }
      throw error
    }
  }

  /// Moves the clock forward and wakes those whose deadlines it reaches.
  public func advance(by duration: Duration) {
    // In one step, so that of two who move the clock at once neither is lost.
    let goal = watched.change { state in
      state.goal = max(state.goal, state.now).advanced(by: duration)
      return state.goal
    }
    advance(to: goal)
  }

  /// Moves the clock forward to an instant and wakes those whose deadlines it reaches. An instant
  /// in the past leaves the clock as it is: time doesn't run backwards here.
  public func advance(to instant: Instant) {
    // One sleeper at a time, each at its own deadline, so that they are woken in that order.
    while watched.change({ $0.goOn(to: instant) }) {}
  }

  /// Waits until at least `count` tasks sleep.
  ///
  /// There is no time limit: if nobody goes to sleep, this waits until its task is cancelled.
  /// - Throws: `CancellationError`, when the task is cancelled.
  public func sleepers(atLeast count: Int) async throws {
    try await watched.wait { $0.sleepers.count >= count ? () : nil }
  }
}

extension ManualClock.State {
  /// A bed; `nil` when the deadline is no longer ahead.
  fileprivate mutating func fallAsleep(until deadline: ManualClock.Instant) -> Int? {
    guard deadline > now else { return nil }
    lastTicket += 1
    let place = sleepers.firstIndex { $0.deadline > deadline } ?? sleepers.endIndex
    sleepers.insert(.init(ticket: lastTicket, deadline: deadline), at: place)
    return lastTicket
  }

  fileprivate func isAsleep(_ ticket: Int) -> Bool {
    sleepers.contains { $0.ticket == ticket }
  }

  /// Moves the clock to the nearest deadline on the way to `instant`, and wakes that sleeper; or,
  /// if there is none, to `instant`, in the same step: who falls asleep then finds the clock there.
  fileprivate mutating func goOn(to instant: ManualClock.Instant) -> Bool {
    guard let next = sleepers.first, next.deadline <= instant else {
      now = max(now, instant)
      return false
    }
    now = max(now, next.deadline)
    sleepers.removeFirst()
    return true
  }
}
