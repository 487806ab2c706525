import SyncLock

/// The owner of a run: the performer of what ``RunState`` decides.
extension Synchronizer {
  /// Makes one transition under the lock, then does what it answered.
  func perform(_ transition: (inout State) -> [RunState.Action]) {
    let effects = state.withLock { state in
      let actions = transition(&state)
      return actions.map { effect(of: $0, in: &state) }
    }
    for effect in effects { effect() }
  }

  /// What an action does to the world, to be called once the lock is free.
  private func effect(
    of action: RunState.Action, in state: inout State
  ) -> @Sendable () -> Void {
    switch action {
    case .launchOwner:
      return { self.launchOwner() }
    case .interruptOwner:
      let signal = state.signal
      return { signal.raise() }
    case .resume(let callers, let ending):
      let continuations = callers.compactMap { state.continuations.removeValue(forKey: $0) }
      let result = Self.result(for: ending, passes: state.passes)
      return { for continuation in continuations { continuation.resume(with: result) } }
    case .announceEnd(let outcome):
      let result = Self.result(of: outcome, passes: state.passes)
      return {
        self.announceStatus()
        self.hub.publish(.runEnded(result))
      }
    }
  }

  private static func result(
    for ending: RunState.Ending, passes: [PassReport<ID>]
  ) -> Result<SyncReport<ID>, any Error> {
    switch ending {
    case .result(let outcome): result(of: outcome, passes: passes).mapError { $0 }
    case .cancelledBeforeItBegan: .failure(SyncError<ID>(code: .cancelled, report: SyncReport()))
    case .left: .failure(CancellationError())
    }
  }

  private static func result(
    of outcome: PassOutcome, passes: [PassReport<ID>]
  ) -> Result<SyncReport<ID>, SyncError<ID>> {
    let report = SyncReport(passes: passes)
    return switch outcome {
    case .succeeded: .success(report)
    case .failed: .failure(SyncError(code: .failed, report: report))
    case .cancelled: .failure(SyncError(code: .cancelled, report: report))
    case .removalRefused(let count, let local):
      .failure(SyncError(code: .removalRefused(count: count, of: local), report: report))
    }
  }

  /// An unstructured task: several callers share a run, and none of them is its parent, since each
  /// may leave while it goes on. It lives as long as there is work, keeps the synchronizer alive
  /// meanwhile, and is never cancelled itself: `commitDownloads` and `syncDidEnd` need a task that
  /// isn't. Cancelling goes through the signal to the work under it.
  private func launchOwner() {
    Task(executorPreference: executor) { await self.own() }
  }

  private func own() async {
    var step = free()
    while true {
      switch step {
      case .runPass(let first):
        step = await runPass(first: first)
      case .sleep(let deadline):
        await sleep(until: deadline)
        step = free()
      case .endRun(let actions):
        end(with: actions)
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
      state.signal = StopSignal(isRaised: state.run.isCancelling, executor: executor)
      return step
    }
  }

  private func sleep(until deadline: Duration) async {
    let (signal, timeline) = (state.withLock { $0.signal }, timeline)
    // It throws only when it is interrupted; either way the next step is asked for.
    try? await signal.interrupting { try await timeline.sleep(until: deadline) }
  }

  private func runPass(first: Bool) async -> RunState.OwnerStep {
    if first {
      announceStatus()
      hub.publish(.runStarted)
    }
    let (signal, options, number) = state.withLock { ($0.signal, $0.options, $0.passes.count + 1) }
    hub.publish(.passStarted(number: number))
    var pass = PassPerformer(
      processor: processor, options: options, signal: signal, hub: hub, timeline: timeline,
      downloadExecutor: downloadExecutor)
    let report = await pass.run()
    hub.publish(.passEnded(report))
    let now = timeline.now
    return state.withLock { state in
      state.passes.append(report)
      return state.run.passEnded(report.outcome, at: now)
    }
  }

  private func end(with actions: [RunState.Action]) {
    let effects = state.withLock { state in
      defer { state.passes = [] }
      return actions.map { effect(of: $0, in: &state) }
    }
    for effect in effects { effect() }
  }
}
