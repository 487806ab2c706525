/// Decides when passes run, and who is told what: the state of a synchronizer between passes.
///
/// A *run* is the passes that one group of callers waits for. One *owner* (a task) performs them;
/// it asks this value what to do next whenever it is free. Nothing here waits, reads a clock or
/// calls anybody: events in, actions out.
struct RunState: Equatable {
  typealias CallerID = UInt64

  /// What the synchronizer is doing.
  enum Phase: Equatable {
    /// No run is under way; a coalescing window may be open. Goes to `running`.
    case idle
    /// A run is under way; `again` when one more pass was asked for since the present one began.
    /// Goes to itself, to `cancelling`, or to `idle`.
    case running(again: Bool)
    /// The run was cancelled and its pass winds down; `owed` when a further pass had been asked
    /// for, which is dropped. Goes to `idle`, or to `running` for those who called meanwhile.
    case cancelling(owed: Bool)
  }

  /// The time in which requests are gathered, measured from the clock's origin.
  struct Window: Equatable {
    var opened: Duration
    var due: Duration
  }

  /// What those who wait are told.
  enum Ending: Equatable {
    /// The result of the run.
    case result(PassOutcome)
    /// The run was cancelled before it began.
    case cancelledBeforeItBegan
    /// The caller's own task was cancelled.
    case left
  }

  /// What is to be done at once, in this order.
  enum Action: Equatable {
    case launchOwner
    case interruptOwner
    case resume([CallerID], Ending)
    case announceEnd(PassOutcome)
  }

  /// What the owner does next.
  enum OwnerStep: Equatable {
    /// Runs a pass; the first of a run is announced as the run's start.
    case runPass(first: Bool)
    /// Waits for the window to close, unless it is interrupted.
    case sleep(until: Duration)
    /// Performs the actions that end the run, then asks again.
    case endRun([Action])
    /// Ends; a new owner is launched when there is work.
    case retire
  }

  private(set) var phase = Phase.idle
  /// Whether the owner exists, from `launchOwner` to `retire`.
  private(set) var hasOwner = false
  /// Whether the run has begun its first pass.
  private(set) var hasBegun = false
  /// Who waits for the run under way, in the order of the calls.
  private(set) var callers: [CallerID] = []
  /// Whether a request waits for the run under way: a caller that never leaves.
  private(set) var isRequested = false
  /// The last caller of a run, whose own task was cancelled and who waits for the run's end.
  private(set) var leaving: CallerID?
  /// Who called while a cancelled run was winding down.
  private(set) var nextCallers: [CallerID] = []
  private(set) var nextIsRequested = false
  /// Callers that were cancelled before their call arrived.
  private(set) var absent: Set<CallerID> = []
  private(set) var window: Window?

  var isSyncing: Bool { phase != .idle }

  var isCancelling: Bool {
    switch phase {
    case .cancelling: true
    case .idle, .running: false
    }
  }
}

extension RunState {
  /// Somebody called `sync()`.
  mutating func callerArrived(_ id: CallerID) -> [Action] {
    if absent.remove(id) != nil { return [.resume([id], .left)] }
    let absorbed = window != nil
    window = nil
    switch phase {
    case .idle:
      nextCallers.append(id)
      nextIsRequested = nextIsRequested || absorbed
      beginRun()
      return hasOwner ? [.interruptOwner] : launchOwner()
    case .running:
      callers.append(id)
      isRequested = isRequested || absorbed
      phase = .running(again: hasBegun)
      return []
    case .cancelling:
      nextCallers.append(id)
      nextIsRequested = nextIsRequested || absorbed
      return []
    }
  }

  /// The task of a caller was cancelled; it may have been resumed already, or not have arrived.
  mutating func callerLeft(_ id: CallerID) -> [Action] {
    if let place = nextCallers.firstIndex(of: id) {
      nextCallers.remove(at: place)
      return [.resume([id], .left)]
    }
    guard let place = callers.firstIndex(of: id) else {
      absent.insert(id)
      return []
    }
    if callers.count == 1, !isRequested {
      leaving = id
      return beginCancelling()
    }
    callers.remove(at: place)
    return [.resume([id], .left)]
  }

  /// The call with this number is over; nothing needs to be remembered of it.
  mutating func callerIsGone(_ id: CallerID) {
    absent.remove(id)
  }

  /// Somebody called `requestSync()`: the window opens, or closes later.
  mutating func requestMade(
    at now: Duration, window length: Duration, atMost limit: Duration
  ) -> [Action] {
    let opened = window?.opened ?? now
    window = Window(opened: opened, due: min(now + length, opened + limit))
    return hasOwner ? [] : launchOwner()
  }

  /// Somebody called `cancel()`.
  mutating func cancelCalled() -> [Action] {
    let hadWindow = window != nil
    window = nil
    let dropped = nextCallers
    nextCallers = []
    nextIsRequested = false
    let told: [Action] = dropped.isEmpty ? [] : [.resume(dropped, .cancelledBeforeItBegan)]
    switch phase {
    case .idle: return hadWindow ? told + [.interruptOwner] : told
    case .running, .cancelling: return told + beginCancelling()
    }
  }

  /// The owner has begun, woke from its sleep, or has ended a run.
  mutating func ownerIsFree(at now: Duration) -> OwnerStep {
    if phase == .idle {
      if let due = window?.due, due <= now {
        window = nil
        nextIsRequested = true
      }
      if !nextCallers.isEmpty || nextIsRequested {
        beginRun()
      } else if let due = window?.due {
        return .sleep(until: due)
      } else {
        hasOwner = false
        return .retire
      }
    }
    hasBegun = true
    return .runPass(first: true)
  }

  /// A pass is over.
  mutating func passEnded(_ outcome: PassOutcome, at now: Duration) -> OwnerStep {
    switch phase {
    case .running(let again):
      let isDue = window.map { $0.due <= now } ?? false
      if isDue {
        window = nil
        isRequested = true
      }
      guard again || isDue else { return endRun(outcome) }
      phase = .running(again: false)
      return .runPass(first: false)
    case .cancelling(let owed):
      return endRun(owed || outcome != .succeeded ? .cancelled : .succeeded)
    case .idle:
      preconditionFailure("a pass ended that was not under way")
    }
  }
}

extension RunState {
  /// Those who wait for the next run wait for this one from now on.
  private mutating func beginRun() {
    callers = nextCallers
    isRequested = nextIsRequested
    nextCallers = []
    nextIsRequested = false
    hasBegun = false
    phase = .running(again: false)
  }

  private mutating func launchOwner() -> [Action] {
    hasOwner = true
    return [.launchOwner]
  }

  private mutating func beginCancelling() -> [Action] {
    guard case .running(let again) = phase else { return [] }
    phase = .cancelling(owed: again)
    return [.interruptOwner]
  }

  private mutating func endRun(_ outcome: PassOutcome) -> OwnerStep {
    var actions: [Action] = []
    if let leaving {
      actions = [.resume([leaving], .left)]  // it was the only one
    } else if !callers.isEmpty {
      actions = [.resume(callers, .result(outcome))]
    }
    callers = []
    leaving = nil
    isRequested = false
    hasBegun = false
    phase = .idle
    return .endRun(actions + [.announceEnd(outcome)])
  }
}
