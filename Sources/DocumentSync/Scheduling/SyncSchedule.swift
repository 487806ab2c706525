import SyncLock

/// Decides when syncs are asked for that nobody waits for, and what for.
///
/// Triggers that come close together are gathered by the engine's request window, and one that
/// comes during a sync makes one more. Here is what the engine knows nothing of: reasons,
/// intervals, and whether there is any use in asking. Times are durations since some beginning.
struct SyncSchedule: Sendable, Equatable {
  /// When syncs are made without being asked for.
  struct Rule: Sendable, Equatable {
    /// How long after the start the first one is made. By default 1 s.
    var first = Duration.seconds(1)
    /// From one to the next; `nil`: only the first one. By default none.
    var interval: Duration?
    /// How long a server in trouble is left alone, at most, after the first sync that it didn't let
    /// do its work; twice as long after each further one. By default 5 s.
    var firstPause = Duration.seconds(5)
    /// The longest such pause of our own. By default 5 minutes.
    var longestPause = Duration.seconds(300)
  }

  /// A sync that trouble kept from its work, so that one more is to be made.
  struct Trouble: Sendable, Equatable {
    /// For how long the server isn't to be asked, as far as is known.
    var rest: Duration
    /// From 0 up to 1.
    var random: Double
  }

  /// What a schedule is doing.
  enum Phase: Sendable, Equatable, CaseIterable {
    /// It wasn't started. What triggers a sync is remembered for the first one. Goes to `running`,
    /// or to `stopped`.
    case idle
    /// It runs. Goes to `stopped`.
    case running
    /// It was stopped: no sync begins. Goes to `running`.
    case stopped
  }

  /// Whether there is any use in asking for a sync that nobody waits for.
  enum Access: Sendable, Equatable {
    /// There is.
    case open
    /// Nobody is signed in, or the server refuses who is.
    case nobody
    /// The server can't be reached before that time, as far as is known; `nil`: as long as another
    /// sync tries.
    case offline(until: Duration?)
  }

  enum Action: Sendable, Equatable {
    case nothing
    /// The engine is asked for a sync, which gathers what else comes soon.
    case request
    /// A sync is made at once.
    case sync
  }

  /// When syncs are made without being asked for.
  let rule: Rule
  private(set) var phase = Phase.idle
  /// What the next sync is for, in the order in which it came up.
  private(set) var reasons: [SyncReason] = []
  private(set) var underWay: [SyncReason]?
  /// When it's time for the next one.
  private(set) var due: Duration?
  /// When what couldn't be asked for offline, or met a server in trouble, is asked for again.
  private(set) var heldUntil: Duration?
  private(set) var troubles = 0
  private var isFirst = true

  /// A schedule that isn't started.
  init(rule: Rule = Rule()) {
    self.rule = rule
  }

  /// When it's to be told the time next.
  var next: Duration? {
    guard phase == .running else { return nil }
    return [due, heldUntil].compactMap { $0 }.min()
  }

  var isSyncing: Bool { underWay != nil }

  // MARK: - What is told

  mutating func started(at now: Duration) {
    guard phase != .running else { return }
    phase = .running
    (due, isFirst) = (now + rule.first, true)
  }

  /// It was stopped: what nobody waits for is forgotten, the sync under way goes on to its end.
  mutating func stopped() {
    phase = .stopped
    (reasons, due, heldUntil) = ([], nil, nil)
  }

  /// Something calls for a sync.
  mutating func triggered(_ reason: SyncReason, _ access: Access) -> Action {
    switch (phase, access) {
    case (.stopped, _): return .nothing
    case (.idle, _):
      add(reason)
      return .nothing
    case (.running, .nobody): return .nothing
    case (.running, .offline(let until)):
      add(reason)
      heldUntil = until
      return .nothing
    case (.running, .open):
      add(reason)
      heldUntil = nil
      return .request
    }
  }

  /// The time is told.
  mutating func woke(at now: Duration, _ access: Access) -> Action {
    guard phase == .running else { return .nothing }
    let isHeldOver = heldUntil.map { $0 <= now } ?? false
    let isDue = due.map { $0 <= now } ?? false
    guard isHeldOver || isDue else { return .nothing }
    if isDue {
      add(isFirst ? .launch : .timer)
      isFirst = false
      due = due.flatMap { due in
        rule.interval.map { Self.next(after: now, from: due, every: $0) }
      }
    }
    return accessChanged(access) == .request ? .sync : .nothing
  }

  /// Whether there is any use in asking has changed.
  mutating func accessChanged(_ access: Access) -> Action {
    guard phase == .running, !reasons.isEmpty else { return .nothing }
    switch access {
    case .open:
      heldUntil = nil
      return .request
    case .nobody:
      (reasons, heldUntil) = ([], nil)
      return .nothing
    case .offline(let until):
      heldUntil = until
      return .nothing
    }
  }

  /// The engine begins a sync: answers what it's for, or `nil` if it's to do nothing.
  ///
  /// - Parameter asked: why somebody waits for it, if somebody does.
  mutating func syncBegins(_ access: Access, asked: [SyncReason] = []) -> [SyncReason]? {
    for reason in asked where phase != .stopped || reason.isByHand { add(reason) }
    let isByHand = reasons.contains(where: \.isByHand)
    let isAllowed = isByHand || phase != .stopped && access == .open
    guard isAllowed, !reasons.isEmpty else {
      if access == .nobody || phase == .stopped { (reasons, heldUntil) = ([], nil) }
      if case .offline(let until) = access { hold(until: until) }
      return nil
    }
    underWay = reasons
    (reasons, heldUntil) = ([], nil)
    return underWay
  }

  /// The sync has ended. If the server couldn't be reached, or was in trouble, what it was for is
  /// held: what somebody asked for by hand and wasn't done goes on by the timer.
  mutating func syncEnded(
    _ access: Access, _ trouble: Trouble? = nil, at now: Duration = .zero
  ) {
    let ended = underWay ?? []
    underWay = nil
    troubles = trouble == nil ? 0 : troubles + 1
    guard phase == .running else { return }
    var held = ended.filter { !$0.isByHand }
    if held.isEmpty, trouble != nil { held = [.timer] }
    switch (access, trouble) {
    case (.offline(let until), _): keep(held, until: until)
    case (.open, let trouble?):
      let own = Backoff(first: rule.firstPause, longest: rule.longestPause)
        .wait(after: troubles, random: trouble.random)
      keep(held, until: now + max(own, trouble.rest))
    case (.open, nil), (.nobody, _): break
    }
  }

  private mutating func keep(_ held: [SyncReason], until: Duration?) {
    reasons = held + reasons.filter { !held.contains($0) }
    hold(until: until)
  }

  private mutating func hold(until: Duration?) {
    if phase == .running, !reasons.isEmpty { heldUntil = until }
  }

  private mutating func add(_ reason: SyncReason) {
    if !reasons.contains(reason) { reasons.append(reason) }
  }

  /// Intervals that were slept through are left out.
  private static func next(
    after now: Duration, from due: Duration, every interval: Duration
  ) -> Duration {
    let interval = max(interval, .milliseconds(1))
    return due + interval * (Int64((now - due) / interval) + 1)
  }
}
