import SyncLock

/// The owner of a run: the performer of what ``RunState`` decides.
extension Synchronizer {
  /// Makes one transition under the lock, then does what it answered. Work for somebody of this
  /// priority is done with at least that.
  func perform(
    for priority: TaskPriority? = nil, _ transition: (inout State) -> [RunState.Action]
  ) {
    let (owner, effects) = state.withLock { state in
      let actions = transition(&state)
      let isHigher = state.run.hasOwner && Self.note(priority, in: &state)
      return (isHigher ? state.owner : nil, actions.map { effect(of: $0, in: &state) })
    }
    if let owner, let priority { Self.raise(owner, to: priority) }
    for effect in effects { effect() }
  }

  /// Remembers the highest priority that somebody asked for; answers whether this is it.
  private static func note(_ priority: TaskPriority?, in state: inout State) -> Bool {
    guard let priority, priority > state.priority ?? TaskPriority(rawValue: 0) else { return false }
    state.priority = priority
    return true
  }

  /// What an action does to the world, to be called once the lock is free.
  private func effect(
    of action: RunState.Action, in state: inout State
  ) -> @Sendable () -> Void {
    switch action {
    case .launchOwner:
      let priority = state.priority
      return { self.launchOwner(priority) }
    case .interruptOwner:
      let signal = state.signal
      return { signal.raise() }
    case .drainOwner:
      let signal = state.signal
      return { signal.raise(cancelling: false) }
    case .resume(let ids, let ending):
      for id in ids { state.book.forget(id) }
      let resumed = state.callers.take(ids, ending, of: state.history)
      return { for resume in resumed { resume() } }
    case .announceEnd(let outcome):
      return announcementOfEnd(outcome, of: state.history)
    }
  }

  private func announcementOfEnd(
    _ outcome: PassOutcome, of history: RunHistory<ID>
  ) -> @Sendable () -> Void {
    let report = SyncReport(passes: history.passes)
    let result = Callers<Processor.Item>.result(of: outcome, report)
    return {
      self.voice.announce(self, false, history.run)
      self.hub.announce(.runEnded(number: history.run, result))
    }
  }

  /// An unstructured task: several callers share a run, and none of them is its parent, since each
  /// may leave while it goes on. It has the task-locals of none of them, keeps the synchronizer
  /// alive as long as there is work, and is never cancelled itself: `commitDownloads` and
  /// `syncDidEnd` need a task that isn't. Cancelling goes through the signal to the work under it.
  private func launchOwner(_ priority: TaskPriority?) {
    let owner = Task.detached(executorPreference: executor, priority: priority) { await self.own() }
    let wanted = state.withLock { state in
      if state.run.hasOwner { state.owner = owner }
      return state.priority
    }
    if let wanted, wanted > priority ?? wanted { Self.raise(owner, to: wanted) }
  }

  private static func raise(_ owner: Task<Void, Never>, to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      owner.escalatePriority(to: priority)
    }
  }

  private func own() async {
    var step = free()
    while true {
      switch step {
      case .runPass(let first):
        step = await runPass(first: first)
      case .makePlan(let id):
        await takeTurn(of: id)
        step = free()
      case .sleep(let deadline):
        await sleep(until: deadline)
        step = free()
      case .askAgain:
        step = free()
      case .retire:
        return
      }
    }
  }

  private func free() -> RunState.OwnerStep {
    let now = timeline.now
    return state.withLock { state in
      let step = state.run.ownerIsFree(at: now)
      state.openBook(for: step, at: now)
      state.signal = StopSignal(isRaised: state.run.isCancelling, executor: executor)
      if step == .retire {
        state.owner = nil
        state.priority = nil
      }
      return step
    }
  }

  private func sleep(until deadline: Duration) async {
    let (signal, timeline) = (state.withLock { $0.signal }, timeline)
    // It throws only when it is interrupted; either way the next step is asked for.
    try? await signal.interrupting { try await timeline.sleep(until: deadline) }
  }

  private func runPass(first: Bool) async -> RunState.OwnerStep {
    if first { announceRun() }
    var pass = newPass(.sync, hub: hub, desk: self)
    let report = await pass.run()
    let now = timeline.now
    let (actions, step) = state.withLock { state in
      state.history.passEnded(report)
      state.missing = pass.missing
      let (actions, step) = state.run.passEnded(report?.outcome ?? .cancelled, at: now)
      state.openBook(for: step, at: now)
      return (actions, step)
    }
    perform { _ in actions }
    if step == .askAgain { state.withLock { $0.history.runEnded() } }
    return step
  }

  private func announceRun() {
    let run = state.withLock { $0.history.run }
    voice.announce(self, true, run)
    hub.announce(.runStarted(number: run))
  }

  /// A pass with the options as they are now; one of the kind `item` for this key alone.
  func newPass(
    _ kind: PassKind, of key: ID? = nil, hub: EventHub<ID>, desk: any PassDesk<Processor.Item>
  ) -> PassPerformer<Processor> {
    let (signal, options, number, allowed, missing) = state.withLock { state in
      (
        state.signal, state.options, state.history.nextInRun,
        kind == .sync ? state.allowed : [], state.missing
      )
    }
    return PassPerformer(
      kind, of: key, number: number, options: options, allowing: allowed, missing: missing,
      with: PassPerformer.Equipment(
        processor: processor, signal: signal, hub: hub, timeline: timeline, desk: desk,
        isCancellation: { [processor, voice] in
          if $0 is CancellationError || voice.isCancellation($0) { return true }
          return await processor.isCancellation($0)
        },
        downloadExecutor: downloadExecutor, makeMark: { self.makeMark() },
        callIsStuck: { self.callIsStuck(in: $0, of: $1) }))
  }
}
