import SyncLock
import Synchronization

/// Keeps the status for any number of readers. Each looks it up when it reads: who reads slowly
/// skips what lay between, and nothing is made for who doesn't read.
final class StatusBoard: Sendable {
  /// What people are told of an error.
  typealias Wording = @Sendable (any Error) -> String

  /// How far a download stage is. Asked under no lock.
  typealias Totals = @Sendable () -> ItemTotals

  private struct State {
    private var status = SyncStatus()
    /// The download stage under way, and how many there have been.
    var totals: Totals?
    var stageCount = 0
    /// The downloads of the pass under way.
    private var tally = PassTally()
    /// When the last run that succeeded ended.
    private var lastSuccess: Duration?

    mutating func apply<ID>(_ event: SyncEvent<ID>, message: String?, at now: Duration) {
      status.apply(event, message: message)
      if case .stageEntered(let stage) = event { count { $0.enter(stage) } }
      if case .passStarted = event { count { $0 = PassTally() } }
      if case .runEnded(_, let result) = event {
        count { $0 = PassTally() }
        if case .success = result { lastSuccess = now }
      }
    }

    /// The stage of a call that is stuck.
    var stuckStage: SyncStage? {
      get { status.stuckStage }
      set { status.stuckStage = newValue }
    }

    /// The status as it is at this moment.
    func status(at now: Duration) -> SyncStatus {
      var status = status
      status.sinceSuccess = lastSuccess.map { now - $0 }
      return status
    }

    /// The download stage under way is this far.
    mutating func take(_ totals: ItemTotals) {
      status.totals = totals
      count { $0.take(ended: totals.ended) }
    }

    mutating func count(_ change: (inout PassTally) -> Void) {
      change(&tally)
      (status.done, status.toDo, status.fraction) = (tally.done, tally.total, tally.fraction)
    }
  }

  private let state = Locked(State())
  private let readers = StreamHub<NewsMark>()
  private let looks = LookFlag()
  /// Told when the first reader comes, and when the last one is gone.
  private let observers: ObserverCount
  private let wording: Wording
  private let timeline: Timeline

  init(_ observers: ObserverCount, wording: @escaping Wording, timeline: Timeline) {
    self.observers = observers
    self.wording = wording
    self.timeline = timeline
  }

  /// Takes in an event that is not about a single item; tell those that it returns when no lock is
  /// held.
  func put<ID>(_ event: SyncEvent<ID>) -> Wakeups {
    // Outside the lock, since others' code is called: the error's own, and the translation.
    let message: String? = if case .runEnded(_, let end) = event { message(of: end) } else { nil }
    let now = timeline.now
    state.withLock { $0.apply(event, message: message, at: now) }
    return readers.put(())
  }

  /// What is to be said of a run that ended so.
  private func message<ID>(of end: Result<SyncReport<ID>, SyncError<ID>>) -> String? {
    switch end {
    case .success(let report): report.isComplete == false ? SyncSentence.incomplete.localized : nil
    case .failure(let error): wording(error)
    }
  }

  /// A call is stuck, or none is any more. Tell those that it returns when no lock is held.
  func put(stuckStage: SyncStage?) -> Wakeups {
    state.withLock { $0.stuckStage = stuckStage }
    return readers.put(())
  }

  /// A pass is about to tell its plan: so many items are downloaded in each of these stages.
  func expect(items: Int, in stages: [SyncStage]) {
    state.withLock { $0.count { $0 = PassTally(items: items, in: stages) } }
  }

  /// A download stage begins that says how far it is.
  func downloadsBegin(_ totals: @escaping Totals) {
    state.withLock { state in
      state.totals = totals
      state.stageCount += 1
    }
    itemsChanged().tell()
  }

  /// The download stage has ended, this far.
  func downloadsEnd(_ totals: ItemTotals) {
    // What it held is let go of when the lock is free.
    _ = state.withLock { state in
      state.take(totals)
      return state.totals.take()
    }
  }

  /// The stage under way has got further. May be called under a lock; tell those that it returns
  /// when none is held. Most changes of many come before a reader has looked at the last one.
  func itemsChanged() -> Wakeups { looks.take() ? readers.put(()) : Wakeups() }

  /// The present status, then each newer one.
  func subscribe() -> AsyncStream<SyncStatus> {
    observers.add(1)
    return readers.stream(NewsMark()) { [observers] in
      observers.add(-1)
    } reading: { [state, timeline, looks] in
      looks.set()
      return Self.look(at: state, timeline.now)
    }
  }

  /// The status of one moment. How far its stage is then is kept, so that who looks next sees no
  /// less; unless the stage has ended meanwhile, which says itself how far it came.
  private static func look(at state: Locked<State>, _ now: Duration) -> SyncStatus {
    var found = state.withLock { $0 }
    guard let totals = found.totals?() else { return found.status(at: now) }
    found.take(totals)
    return state.withLock { state in
      guard state.totals != nil, state.stageCount == found.stageCount else {
        return found.status(at: now)
      }
      state.take(totals)
      return state.status(at: now)
    }
  }
}

/// Whether a reader has looked since readers were last told that items have changed.
///
/// It is set before the look, and items change and take it under the lock of their stage, which the
/// look takes, too: who looks sees the change, or is told of it.
private final class LookFlag: Sendable {
  private let isSet = Atomic(false)

  func set() { isSet.store(true, ordering: .releasing) }

  /// Lowers the flag; answers whether it was up.
  func take() -> Bool {
    isSet.load(ordering: .relaxed) && isSet.exchange(false, ordering: .acquiringAndReleasing)
  }
}
