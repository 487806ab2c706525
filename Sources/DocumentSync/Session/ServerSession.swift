import SyncLock

/// What is said between one sync and its server: makes it wait its turn, tries again what may be
/// tried again, and keeps how long the server is to be left alone.
///
/// What it decides, ``SessionState`` does.
final class ServerSession: Sendable {
  let store: DocumentStore
  let server: String
  let seams: SessionSeams
  private let state: Locked<SessionState>
  private let last = Locked<EndpointCall?>(nil)

  /// What was answered last that was trouble, or why nothing more is asked.
  var lastTrouble: EndpointCall? { last.withLock { $0 } }

  /// A sync is to begin.
  init(
    _ store: DocumentStore, server: String, _ caller: SessionState.Caller, seams: SessionSeams
  ) async throws {
    let pause = try await store.read { try $0.pause(of: server) }
    self.store = store
    self.server = server
    self.seams = seams
    state = Locked(SessionState(pause: pause, caller, at: seams.now()))
  }

  /// Whether the server was in trouble when it was last heard of.
  var isProbing: Bool { state.withLock { $0.isProbing } }

  /// Whether a push is to leave a server in trouble alone, see ``SessionState``.
  func pushLeaves(isFollowed: Bool) -> Bool {
    state.withLock { $0.pushLeaves(isFollowed: isFollowed) }
  }

  /// For how long the server isn't to be asked again.
  var rest: Duration { state.withLock { [now = seams.now()] in $0.rest(at: now) } }

  /// Whether nothing is asked from the beginning.
  var isHeldUp: Bool { state.withLock { $0.end != nil } }

  /// Returns when a request may be made.
  ///
  /// - Throws: why none may be made any more.
  func turn() async throws {
    while true {
      switch state.withLock({ [now = seams.now()] in $0.turn(at: now) }) {
      case .now: return
      case .wait(let length): try await seams.sleep(length)
      case .over(let error): throw error
      }
    }
  }

  /// A request ended: what follows from it holds from now on.
  func ended(
    _ notice: ServerNotice, _ notes: CallNotes, sentAt began: Int64, in collection: String,
    as endpointError: EndpointError? = nil
  ) async throws {
    let now = seams.now()
    if notice != .answers, let call = notes.call { last.withLock { $0 = call.noted(at: now) } }
    let pause = state.withLock { [random = seams.random()] state -> ServerPause? in
      let before = state.pause
      state.ended(notice, wishes: notes.wishes, sentAt: began, at: now, random: random) {
        endpointError.map { DocumentSyncError($0, in: collection) } ?? $0.error(in: collection)
      }
      return state.pause == before ? nil : state.pause
    }
    if let pause { try await store.sync { try $0.setPause(pause, of: server) } }
  }

  /// Asks until there is an answer, as often as one sync may.
  ///
  /// - Throws: why there is none: a ``DocumentSyncError``, or `CancellationError`.
  func ask<Reply>(
    about collection: String, notes: (Reply) -> CallNotes,
    _ question: () async throws -> Reply
  ) async throws -> Reply {
    while true {
      if let reply = try await askOnce(about: collection, notes: notes, question) { return reply }
    }
  }

  /// Asks once, when a request may be made; `nil` if that came to nothing, and may be tried again.
  ///
  /// - Throws: why nothing more is asked: a ``DocumentSyncError``, or `CancellationError`.
  func askOnce<Reply>(
    about collection: String, notes: (Reply) -> CallNotes,
    _ question: () async throws -> Reply
  ) async throws -> Reply? {
    try await turn()
    let began = seams.now()
    do {
      let reply = try await question()
      try await ended(.answers, notes(reply), sentAt: began, in: collection)
      return reply
    } catch let error as EndpointError {
      let notice = error.notice
      try await ended(notice, error.notes, sentAt: began, in: collection, as: error)
      if case .mustStop = notice { throw DocumentSyncError(error, in: collection) }
      return nil
    }
  }
}

extension ServerNotice {
  /// Why a sync ends with it, if it does.
  fileprivate func error(in collection: String) -> DocumentSyncError? {
    switch self {
    case .answers: nil
    case .isInTrouble(let trouble): DocumentSyncError(trouble)
    case .mustStop(let reason): DocumentSyncError(reason, in: collection)
    }
  }
}

/// What a sync takes from the world: the time, waits, and chance.
struct SessionSeams: Sendable {
  /// What time it is, in milliseconds since 1970.
  var now: @Sendable () -> Int64 = WallClock.milliseconds
  /// Returns after so long; throws when the task is cancelled.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// A number from 0 up to 1.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
}

/// When a server may be asked within one sync, and when the sync is over: decided by what it
/// answered so far.
///
/// Times are milliseconds since 1970, by the clock here.
struct SessionState: Sendable, Equatable {
  /// Who wants the sync.
  struct Caller: Sendable, Equatable {
    /// Whether a person asked for it: then our own wait is over.
    var isPerson = true
    var overridesWait = false
  }

  /// What may be done now.
  enum Next: Sendable, Equatable {
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

  var isProbing: Bool { pause.troubles > 0 }

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
  mutating func turn(at now: Int64) -> Next {
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
