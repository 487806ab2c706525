/// When a server may be asked within one sync, and when the sync is over: decided by what it
/// answered so far.
///
/// Times are milliseconds since 1970, by the clock here.
struct TalkState: Sendable, Equatable {
  /// Who wants the sync.
  struct Caller: Sendable, Equatable {
    /// Whether a person asked for it: then our own wait is over.
    var isPerson = true
    /// Whether the person overrides what the server asked for.
    var overridesWait = false
  }

  /// What may be done now.
  enum Turn: Sendable, Equatable {
    /// The next request may be made.
    case now
    /// After this time it may be asked for again.
    case wait(Duration)
    /// Nothing more is asked in this sync.
    case over(DocumentSyncError)
  }

  /// How long the server is left alone.
  private(set) var pause: ServerPause
  /// How often it's tried in one sync.
  private(set) var budget = TryBudget()
  /// Why nothing more is asked.
  private(set) var end: DocumentSyncError?

  /// A sync is to begin.
  init(pause: ServerPause, _ caller: Caller, at now: Int64) {
    self.pause = pause
    if caller.overridesWait { self.pause.overridden() }
    if caller.isPerson { self.pause.networkReturned() }
    switch self.pause.permission(at: now, isUnderWay: false) {
    case .open: break
    case .ownWait(let left): end = .mustWait(until: now + left.milliseconds)
    case .asked(let until): end = .mustWait(until: until)
    }
  }

  /// Whether the server was in trouble when it was last heard of.
  var isProbing: Bool { pause.troubles > 0 }

  /// Whether the last request was answered, by a server in trouble.
  private(set) var isTroubleTold = false

  /// For how long the server is to be left alone before another sync.
  mutating func rest(at now: Int64) -> Duration {
    switch pause.permission(at: now, isUnderWay: false) {
    case .open: .zero
    case .ownWait(let left): left
    case .asked(let until): .milliseconds(until - now)
    }
  }

  /// Whether a push is to leave a server in trouble alone.
  ///
  /// - Parameter isFollowed: whether a list is asked for after it: the last try is that one's, and
  ///   shows whether the trouble is the server's or that of what is sent. Else what the server
  ///   answered is trouble of what is sent.
  mutating func pushLeaves(isFollowed: Bool) -> Bool {
    guard isFollowed || isTroubleTold else { return false }
    if end == nil { return budget.made >= budget.tries - 1 }
    // After much trouble our own wait is too long for another try, which the list's isn't.
    guard case .inTrouble = end else { return false }
    end = nil
    pause.networkReturned()
    return true
  }

  /// Somebody wants to make a request.
  mutating func turn(at now: Int64) -> Turn {
    if let end { return .over(end) }
    switch pause.permission(at: now, isUnderWay: true) {
    case .open: return .now
    case .ownWait(let left): return .wait(left)
    case .asked(let until):
      let left = Duration.milliseconds(until - now)
      if left <= budget.span { return .wait(left) }
      end = .mustWait(until: until)
      return .over(.mustWait(until: until))
    }
  }

  /// A request ended.
  ///
  /// - Parameters:
  ///   - error: why the sync is over, if what was said means that.
  ///   - random: from 0 up to 1.
  mutating func ended(
    _ notice: ServerNotice, wishes: ServerWishes, sentAt began: Int64, at now: Int64,
    random: Double, error: (ServerNotice) -> DocumentSyncError?
  ) {
    switch notice {
    case .answers:
      pause.answered(at: now, wishes: wishes)
      budget.answered()
    case .isInTrouble(let trouble):
      if case .status = trouble { isTroubleTold = true } else { isTroubleTold = false }
      let wait = pause.troubled(at: now, sentAt: began, wishes: wishes, random: random)
      let next = budget.troubled(
        at: .milliseconds(now), sentAt: .milliseconds(began), wait: wait)
      guard next == nil, end == nil else { break }
      end = pause.retryAfter.map { .mustWait(until: $0.until) } ?? error(notice)
    case .mustStop:
      pause.answered(at: now, wishes: wishes)
      if let stop = error(notice), stop.isOfServer { end = end ?? stop }
    }
  }
}

/// How often one sync asks a server that is in trouble.
///
/// Any answer without trouble begins it anew. Times are measured from the clock's origin.
struct TryBudget: Sendable, Equatable {
  /// The most tries in a row. By default 3.
  var tries = 3
  /// The time in which they must be made. By default 10 s.
  var span = Duration.seconds(10)
  private(set) var made = 0
  /// When the first one of them was sent.
  private(set) var since: Duration?

  /// A request ended in trouble: answers when the next try is made, or `nil` if the sync ends.
  ///
  /// - Parameters:
  ///   - now: when it ended.
  ///   - began: when it was sent.
  ///   - wait: how long the server is to be left alone.
  mutating func troubled(at now: Duration, sentAt began: Duration, wait: Duration) -> Duration? {
    made += 1
    let start = since ?? began
    since = start
    let next = now + wait
    return made < tries && next - start < span ? next : nil
  }

  /// A request ended without trouble.
  mutating func answered() {
    made = 0
    since = nil
  }
}
