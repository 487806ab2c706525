/// What callers do.
extension RunState {
  /// Somebody called `sync()`; who `joins` is content with the pass under way.
  mutating func callerArrived(_ id: CallerID, joins: Bool = false) -> [Action] {
    if joins, phase == .running, hasBegun { return callerJoined(id) }
    if isStuck { return [.resume([id], .stuck)] }
    let caller = Waiting(callers: [id], isRequested: window != nil)
    window = nil
    switch phase {
    case .idle:
      next.add(caller)
      if plans.isEmpty { beginRun() }
      return wakeOwner()
    case .running:
      if hasBegun { owed.add(caller) } else { present.add(caller) }
      return []
    case .draining, .cancelling, .planning:
      next.add(caller)
      return []
    }
  }

  /// Somebody waits for the pass under way, and not for the next.
  mutating func callerJoined(_ id: CallerID) -> [Action] {
    if isStuck { return [.resume([id], .stuck)] }
    present.callers.insert(id)
    return []
  }

  /// A seeker has been told how its item stands, and waits no more.
  mutating func seekerWasTold(_ id: CallerID) { _ = remove(id) }

  /// The pass under way can't say what a seeker wants to know; the next one will, or one for its
  /// item alone.
  mutating func seekerPutOff(_ id: CallerID, isAlone: Bool = false) {
    guard let caller = present.callers.remove(id) else { return }
    if isAlone, !isCancelling { plans.insert(caller) } else { owed.callers.insert(caller) }
  }

  /// Somebody called `plan()`, or wants one item alone.
  mutating func planArrived(_ id: CallerID) -> [Action] {
    if isStuck { return [.resume([id], .stuck)] }
    plans.insert(id)
    return phase == .idle ? wakeOwner() : []
  }

  /// The task of a caller was cancelled; answers whether that is all: it is told that it has left.
  /// Else it has changed nothing, and ``callerLeft(_:)`` says what is to be done.
  mutating func leftAtOnce(_ id: CallerID) -> Bool {
    leaving != id && phase != .planning(id) && !isLastOfRun(id) && remove(id)
  }

  /// The task of a caller was cancelled; it may have been told already, or not have arrived.
  mutating func callerLeft(_ id: CallerID) -> [Action] {
    if leftAtOnce(id) { return [.resume([id], .left)] }
    if leaving == id { return [] }
    if phase == .planning(id) {
      leaving = id
      return [.interruptOwner]
    }
    guard isLastOfRun(id) else { return [] }
    leaving = id
    return beginCancelling()
  }

  /// Somebody called `requestSync()`: the window opens, or closes later.
  mutating func requestMade(
    at now: Duration, window length: Duration, atMost limit: Duration
  ) -> [Action] {
    let opened = window?.opened ?? now
    window = Window(opened: opened, due: min(now + length, opened + limit))
    return hasOwner ? [] : wakeOwner()
  }

  /// Somebody called `cancel()`.
  mutating func cancelCalled() -> [Action] {
    let told = dropWhatHasNotBegun()
    switch phase {
    case .idle: return told
    case .planning: return told + [.interruptOwner]
    case .running, .draining, .cancelling: return told + beginCancelling()
    }
  }

  /// Somebody called `drain()`, and waits for the end of what is under way.
  mutating func drainCalled(_ id: CallerID) -> [Action] {
    var actions = dropWhatHasNotBegun()
    switch phase {
    case .idle: return actions + [.resume([id], .drained)]
    case .planning: actions.append(.drainOwner)
    case .running:
      phase = .draining(owed: owed.isAnybody)
      actions.append(.drainOwner)
    case .draining, .cancelling: break
    }
    if isStuck { return actions + [.resume([id], .stuck)] }
    drainers.insert(id)
    return actions
  }
}

extension RunState {
  /// Whether nobody else waits for the run that this caller waits for.
  private func isLastOfRun(_ id: CallerID) -> Bool {
    guard isSyncing, !present.isRequested, !owed.isRequested else { return false }
    if case .draining = phase { return false }
    guard present.callers.count + owed.callers.count == 1 else { return false }
    return present.callers.contains(id) || owed.callers.contains(id)
  }

  /// Forgets a caller; answers whether it was known.
  private mutating func remove(_ id: CallerID) -> Bool {
    present.callers.remove(id) != nil || owed.callers.remove(id) != nil
      || next.callers.remove(id) != nil || plans.remove(id) != nil || drainers.remove(id) != nil
  }

  /// Has the owner look for work, from its sleep or from nothing.
  private mutating func wakeOwner() -> [Action] {
    defer { hasOwner = true }
    return [hasOwner ? .interruptOwner : .launchOwner]
  }

  /// The run under way was cancelled, and nothing else.
  mutating func beginCancelling() -> [Action] {
    switch phase {
    case .running: phase = .cancelling(owed: owed.isAnybody)
    case .draining(let owed): phase = .cancelling(owed: owed)
    case .idle, .cancelling, .planning: return []
    }
    return [.interruptOwner]
  }

  /// Drops requests, and who waits for a run or plan that has not begun.
  private mutating func dropWhatHasNotBegun() -> [Action] {
    let isAsleep = phase == .idle && window != nil
    let dropped = next.callers.union(plans).sorted()
    (window, next, plans) = (nil, Waiting(), [])
    let told: [Action] = dropped.isEmpty ? [] : [.resume(dropped, .cancelledBeforeItBegan)]
    return isAsleep ? told + [.interruptOwner] : told
  }
}
