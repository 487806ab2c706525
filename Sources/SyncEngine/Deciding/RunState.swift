/// Decides when passes run, and who is told what: the state of a synchronizer between passes.
///
/// A *run* is passes without a pause between them, each asked for before the one before it had
/// ended. One *owner* (a task) performs them; it asks this value what to do next whenever it is
/// free. Nothing here waits, reads a clock or calls anybody: events in, actions out.
struct RunState: Equatable {
  typealias CallerID = UInt64

  /// What the synchronizer is doing.
  enum Phase: Equatable {
    /// No run is under way; a coalescing window may be open. Goes to `running` or `planning`.
    case idle
    /// A run is under way. Goes to itself, to `draining`, to `cancelling`, or to `idle`.
    case running
    /// As `cancelling`, but what its pass has begun isn't cut short. Goes to `cancelling`, too.
    case draining(owed: Bool)
    /// The run was cancelled and its pass winds down; `owed` when a further pass had been asked
    /// for, which is dropped. Goes to `idle`, or to `running` for those who called meanwhile.
    case cancelling(owed: Bool)
    /// A plan is made for this caller, or, once it was told that a call is stuck, for nobody; who
    /// wants a sync meanwhile waits for its end. Goes to `idle`.
    case planning(CallerID?)
  }

  struct Waiting: Equatable {
    /// Callers are numbered as they call, and told in that order; each leaves in constant time.
    var callers: Set<CallerID> = []
    /// Whether a request waits: a caller that never leaves.
    var isRequested = false

    var isAnybody: Bool { !callers.isEmpty || isRequested }

    mutating func add(_ other: Waiting) {
      callers.formUnion(other.callers)
      isRequested = isRequested || other.isRequested
    }
  }

  /// The time in which requests are gathered, measured from the clock's origin.
  struct Window: Equatable {
    var opened: Duration
    var due: Duration
  }

  /// What those who wait are told.
  enum Ending: Equatable {
    case result(PassOutcome)
    case cancelledBeforeItBegan
    /// The caller's own task was cancelled.
    case left
    /// A call hasn't returned by twice its time limit, and nobody knows whether it ever does.
    case stuck
    /// Nothing is under way any more, for who waited for that.
    case drained
  }

  /// What is to be done at once, in this order.
  enum Action: Equatable {
    case launchOwner
    /// Cancels what the owner waits for.
    case interruptOwner
    /// Has the owner begin nothing more and wait for what it has begun.
    case drainOwner
    case resume([CallerID], Ending)
    case announceEnd(PassOutcome)
  }

  /// What the owner does next.
  enum OwnerStep: Equatable {
    /// Runs a pass; the first of a run is announced as the run's start.
    case runPass(first: Bool)
    case makePlan(CallerID)
    /// Waits for the window to close, unless it is interrupted.
    case sleep(until: Duration)
    case askAgain
    /// Ends; a new owner is launched when there is work.
    case retire
  }

  /// Whether everybody is told at the end of the run, and not at the end of their pass.
  let runsUntilQuiet: Bool
  var phase = Phase.idle
  /// Whether the owner exists, from `launchOwner` to `retire`.
  var hasOwner = false
  /// Whether the run has begun its first pass.
  var hasBegun = false
  /// Who waits for the pass under way, or for the first one of a run that has not begun.
  var present = Waiting()
  /// Who waits for the pass after it.
  var owed = Waiting()
  /// Who waits for a run after the one that is being cancelled, or after the plan.
  var next = Waiting()
  var plans: Set<CallerID> = []
  /// Who waits until nothing is under way.
  var drainers: Set<CallerID> = []
  /// Whether the last thing done was a plan: then a run goes first, so that neither starves.
  var hasPlannedLast = false
  /// The last caller of a run, or the caller of a plan, whose own task was cancelled and who waits
  /// for the end.
  var leaving: CallerID?
  /// How many calls of the pass or plan under way are stuck: while there are any, nobody waits.
  var stuckCalls = 0
  var window: Window?

  /// A synchronizer that is idle.
  init(runsUntilQuiet: Bool = false) {
    self.runsUntilQuiet = runsUntilQuiet
  }

  var isSyncing: Bool {
    switch phase {
    case .running, .draining, .cancelling: true
    case .idle, .planning: false
    }
  }

  /// Whether the run under way ends as soon as it can.
  var isCancelling: Bool {
    switch phase {
    case .draining, .cancelling: true
    case .idle, .running, .planning: false
    }
  }

  var isStuck: Bool { stuckCalls > 0 }

  var waiting: [CallerID] {
    [present.callers, owed.callers, next.callers, plans, drainers].flatMap { $0 }
  }
}
