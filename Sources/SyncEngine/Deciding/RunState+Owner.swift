/// What the owner asks.
extension RunState {
  /// The owner has begun, woke from its sleep, or has ended a run or a plan.
  mutating func ownerIsFree(at now: Duration) -> OwnerStep {
    guard phase == .idle else {
      hasBegun = true
      return .runPass(first: true)
    }
    if takeWindow(dueAt: now) { next.isRequested = true }
    if let id = plans.min(), !(hasPlannedLast && next.isAnybody) {
      hasPlannedLast = true
      plans.remove(id)
      phase = .planning(id)
      return .makePlan(id)
    }
    hasPlannedLast = false
    if next.isAnybody {
      beginRun()
      hasBegun = true
      return .runPass(first: true)
    }
    if let due = window?.due { return .sleep(until: due) }
    hasOwner = false
    return .retire
  }

  /// A pass is over. What is answered first is done before what is answered second.
  mutating func passEnded(_ outcome: PassOutcome, at now: Duration) -> ([Action], OwnerStep) {
    switch phase {
    case .running:
      if takeWindow(dueAt: now) { owed.isRequested = true }
      guard owed.isAnybody, plans.isEmpty || runsUntilQuiet else { return endRun(outcome) }
      return (beginFurtherPass(after: outcome), .runPass(first: false))
    case .draining(let wasOwed), .cancelling(let wasOwed):
      // Who was put off since is owed a pass, too.
      let isCutShort = wasOwed || owed.isAnybody || outcome != .succeeded
      return endRun(isCutShort ? .cancelled : .succeeded)
    case .idle, .planning:
      preconditionFailure("a pass ended that was not under way")
    }
  }

  /// A plan is over; its caller is told next, unless it is told here that it has left.
  mutating func planEnded() -> [Action] {
    phase = .idle
    defer { leaving = nil }
    return (leaving.map { [.resume([$0], .left)] } ?? []) + tellDrainers()
  }

  /// A call of the pass or plan under way hasn't returned by twice its time limit: everybody is
  /// told, also who waits for a later pass, since none begins before it returns. Requests wait on.
  mutating func callIsStuck() -> [Action] {
    stuckCalls += 1
    var told = Set(waiting)
    (present.callers, owed.callers, next.callers, plans, drainers) = ([], [], [], [], [])
    if case .planning(let id?) = phase {
      told.insert(id)
      phase = .planning(nil)
    }
    var actions: [Action] = []
    if let leaving {
      told.remove(leaving)
      actions = [.resume([leaving], .left)]
    }
    leaving = nil
    return told.isEmpty ? actions : actions + [.resume(told.sorted(), .stuck)]
  }

  /// A call that was stuck has returned: the pass or plan goes on, for those who come now.
  mutating func stuckCallReturned() { stuckCalls -= 1 }

  /// Those who wait for the next run wait for this one from now on.
  mutating func beginRun() {
    present = next
    next = Waiting()
    hasBegun = false
    phase = .running
  }

  /// Closes the window if it is time.
  private mutating func takeWindow(dueAt now: Duration) -> Bool {
    guard let due = window?.due, due <= now else { return false }
    window = nil
    return true
  }

  private mutating func beginFurtherPass(after outcome: PassOutcome) -> [Action] {
    var answered: Set<CallerID> = []
    if runsUntilQuiet {
      present.add(owed)
    } else {
      answered = present.callers
      present = owed
    }
    owed = Waiting()
    return answered.isEmpty ? [] : [.resume(answered.sorted(), .result(outcome))]
  }

  private mutating func endRun(_ outcome: PassOutcome) -> ([Action], OwnerStep) {
    var told = present.callers
    if isCancelling {
      told.formUnion(owed.callers)
    } else {
      next.add(owed)  // a plan comes between
    }
    var actions: [Action] = []
    if let leaving {
      actions = [.resume([leaving], .left)]  // it was the only one
    } else if !told.isEmpty {
      actions = [.resume(told.sorted(), .result(outcome))]
    }
    present = Waiting()
    owed = Waiting()
    leaving = nil
    hasBegun = false
    phase = .idle
    return (actions + tellDrainers() + [.announceEnd(outcome)], .askAgain)
  }

  private mutating func tellDrainers() -> [Action] {
    defer { drainers = [] }
    return drainers.isEmpty ? [] : [.resume(drainers.sorted(), .drained)]
  }
}
