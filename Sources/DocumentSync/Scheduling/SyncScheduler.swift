import SyncLock

/// What a schedule asks for syncs: the engine, which gathers requests and makes one more sync for
/// those that come during one.
package struct ScheduledSyncs: Sendable {
  /// Asks for a sync soon; returns at once.
  package var request: @Sendable () -> Void
  /// Makes a sync, or one more after the one under way, and waits for its end.
  package var sync: @Sendable () async throws -> Void
}

/// Makes syncs when it's time, and when something calls for one.
///
/// ```swift
/// async let schedule: Void = scheduler.run()
/// scheduler.trigger(.foreground)
/// await scheduler.stop()
/// ```
///
/// Where nobody is signed in, or the server can't be reached, nothing is sent, and nothing fails.
/// All members can be used from any thread. What it decides, `SyncSchedule` and `Connectivity` do.
public final class SyncScheduler: Sendable {
  struct State: Sendable {
    var schedule: SyncSchedule
    var connectivity: Connectivity
    /// Why those want a sync who wait for one that hasn't begun.
    var asked: [SyncReason] = []
    var occasion: SyncOccasion?
    var lastNumber = 0
    /// Whether no sync begins just now.
    var isHeld = false
    var before: [@Sendable ([SyncReason]) async throws -> Void] = []
    var after: [@Sendable ([SyncReason], (any Error)?) async -> Void] = []
  }

  let state: Watched<State>
  let account: Account?
  let timeline: Timeline
  private let engine: ScheduledSyncs
  private let random: @Sendable () -> Double
  private let isActive = Newest(false, tellsEach: true)

  /// A schedule that isn't started.
  ///
  /// - Parameters:
  ///   - account: under which syncs are made; `nil` where a server knows none.
  ///   - first: how long after the start the first sync is made.
  ///   - interval: from one to the next; `nil` for only the first one, and what is triggered.
  ///   - clock: what intervals and pauses are measured with.
  ///   - random: a number from 0 up to 1.
  package init(
    _ engine: ScheduledSyncs, account: Account?, first: Duration = .seconds(1),
    every interval: Duration? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.engine = engine
    self.account = account
    self.random = random
    timeline = Timeline(clock)
    state = Watched(
      State(
        schedule: SyncSchedule(rule: .init(first: max(first, .zero), interval: interval)),
        connectivity: Connectivity()))
  }

  /// Whether a sync is under way, first now and then each change, as a stream of its own for each
  /// reader.
  public var activity: AsyncStream<Bool> { isActive.values }

  /// Something calls for a sync. Those that come close together become one: it's made 2 s after the
  /// last of them, and 10 s after the first at the latest. ``SyncReason/networkBack`` also ends the
  /// pause that began when the server couldn't be reached.
  public func trigger(_ reason: SyncReason) {
    let now = timeline.now
    if reason == .networkBack { state.change { $0.connectivity.networkReturned(at: now) } }
    perform { $0.schedule.triggered(reason, $1) }
  }

  /// Makes one sync, and waits for its end: for the moment that a system gives a program in the
  /// background. No schedule needs to run.
  ///
  /// - Returns: whether one was made: not where nobody is signed in, where the server can't be
  ///   reached as far as is known, and after ``stop()``.
  @discardableResult
  public func syncOnce() async throws -> Bool {
    try? await account?.load()
    let now = timeline.now
    let isOfUse = state.change { [self] state in
      guard state.schedule.phase != .stopped, access(state, at: now) == .open else { return false }
      state.asked.append(.background)
      return true
    }
    if isOfUse { try await engine.sync() }
    return isOfUse
  }

  /// Runs the schedule, until ``stop()`` or until the task is cancelled, and with it the sync that
  /// it makes just then. How a sync ended, what runs after it is told.
  public func run() async {
    try? await account?.load()
    let start = timeline.now
    state.change { $0.schedule.started(at: start) }
    while !Task.isCancelled, state.state.schedule.phase == .running {
      await waitUntilNext()
      let now = timeline.now
      let action = perform { $0.schedule.woke(at: now, $1) }
      if action == .sync { try? await engine.sync() }
    }
    await stop()
  }

  /// Stops the schedule. The sync under way goes on to its end, for which this waits, unless it's
  /// called by what runs before or after that sync.
  public func stop() async {
    state.change { $0.schedule.stopped() }
    await ended()
  }

  // MARK: - What the engine's processor tells

  /// Somebody is about to wait for a sync: by hand, unless it's said otherwise.
  package func isWanted(_ reason: SyncReason = .manual) {
    state.change { $0.asked.append(reason) }
  }

  /// A sync begins; what runs before it is run.
  ///
  /// - Returns: What it's for; `nil` if it's to send nothing, and to end well.
  /// - Throws: what a hook throws: then it's to send nothing, and to fail with that.
  package func syncBegins() async throws -> SyncOccasion? {
    try? await account?.load()
    guard let begun = try await occasion() else { return nil }
    isActive.put(true).tell()
    do {
      try await runBefore(begun)
      // A closure may have left something behind that goes on.
      try await state.wait { $0.isHeld ? nil : () }
    } catch {
      await syncEnded(error)
      throw error
    }
    return begun
  }

  /// What the sync that begins is for; `nil` if it's to send nothing. Waits while the schedule is
  /// held.
  private func occasion() async throws -> SyncOccasion? {
    while true {
      try await state.wait { $0.isHeld ? nil : () }
      let now = timeline.now
      let begun = state.change { [self] state -> SyncOccasion?? in
        if state.isHeld { return nil }
        defer { state.asked = [] }
        let reasons = state.schedule.syncBegins(access(state, at: now), asked: state.asked)
        guard let reasons else { return .some(nil) }
        state.lastNumber += 1
        state.connectivity.syncBegan()
        state.occasion = SyncOccasion(number: state.lastNumber, reasons: reasons)
        return state.occasion
      }
      if let begun { return begun }
    }
  }

  /// A sync has ended; what runs after it is run. Told once more, or of one that sent nothing, it's
  /// nothing.
  ///
  /// - Parameter rest: where trouble kept it from its work, for how long the server isn't to be
  ///   asked; `nil` where nothing is to be tried again.
  package func syncEnded(_ error: (any Error)?, restingFor rest: Duration? = nil) async {
    guard let occasion = state.state.occasion else { return }
    await runAfter(occasion, error)
    let (now, random) = (timeline.now, random())
    let hasEnded = state.change { [self] state in
      guard state.occasion == occasion else { return false }
      state.occasion = nil
      state.connectivity.syncEnded(at: now, random: random)
      let trouble = rest.map { SyncSchedule.Trouble(rest: $0, random: random) }
      state.schedule.syncEnded(access(state, at: now), trouble, at: now)
      return true
    }
    if hasEnded { isActive.put(false).tell() }
  }

  /// A request ended, and shows whether the server can be reached.
  func showed(_ sign: Connectivity.Sign) {
    let (now, random) = (timeline.now, random())
    perform { state, _ in
      let wasOnline = state.connectivity.isOnline
      state.connectivity.showed(sign, at: now, random: random)
      guard !wasOnline, state.connectivity.isOnline else { return .nothing }
      return state.schedule.accessChanged(.open)
    }
  }

  // MARK: - Performing

  @discardableResult
  private func perform(
    _ event: @Sendable (inout State, SyncSchedule.Access) -> SyncSchedule.Action
  ) -> SyncSchedule.Action {
    let now = timeline.now
    let action = state.change { [self] in event(&$0, access($0, at: now, asksWho: true)) }
    if action == .request { engine.request() }
    return action
  }

  private func access(
    _ state: State, at now: Duration, asksWho: Bool = false
  ) -> SyncSchedule.Access {
    if let account, !account.status.allowsTriggeredSyncs {
      // Where nobody knows yet who is signed in, there is use in a sync that asks.
      return asksWho && !account.isLoaded ? .open : .nobody
    }
    switch state.connectivity.permission(at: now) {
    case .open, .probe: return .open
    case .rest(let until): return .offline(until: until)
    }
  }

  /// Until it's time, or until the time has become another one.
  private func waitUntilNext() async {
    let next = state.state.schedule.next
    await withTaskGroup { [timeline, state] group in
      if let next {
        group.addTask { try? await timeline.sleep(until: next) }
      }
      group.addTask {
        _ = try? await state.wait { state in
          state.schedule.next != next || state.schedule.phase != .running ? () : nil
        }
      }
      await group.next()
      group.cancelAll()
    }
  }
}

/// What waits for syncs, and what syncs wait for.
extension SyncScheduler {
  /// Returns when no sync is under way; at once, if who asks is a part of the one that is.
  package func ended() async {
    if SyncMark.isWithin(self) { return }
    try? await state.wait { $0.occasion == nil ? () : nil }
  }

  /// Does what no sync may be under way for: one that wants to begin meanwhile waits for its end.
  ///
  /// Who is a part of a sync isn't kept from it by that one.
  ///
  /// - Returns: What `body` gives; `nil`, without running it, if a sync is under way.
  package func betweenSyncs<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result? {
    let isPart = SyncMark.isWithin(self)
    let isHeld = try await state.wait { state -> Bool? in
      if state.occasion != nil, !isPart { return false }
      if state.isHeld { return nil }
      state.isHeld = true
      return true
    }
    guard isHeld else { return nil }
    defer { state.change { $0.isHeld = false } }
    return try await body()
  }
}
