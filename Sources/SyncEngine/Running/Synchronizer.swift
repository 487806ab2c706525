import SyncLock
import Synchronization

/// Keeps a local collection equal to a remote one, in one direction: the remote is right, the
/// local copy follows.
///
/// You write a ``SyncProcessor``; the synchronizer decides when which of its methods is called:
///
/// ```swift
/// let synchronizer = Synchronizer(processor: notes)
/// let report = try await synchronizer.sync()
/// ```
///
/// All members can be used from any thread. However many callers ask at once, passes never
/// overlap: a call during a pass asks for one more pass after it, and everybody is told the result
/// of the first pass that began after their call.
///
/// A run has the priority of its most important caller (where the system can raise a task that is
/// under way: on Linux, and on Apple's from their versions 26 on) and the task-locals of nobody.
///
/// A synchronizer that is let go of while callers wait, a request is pending or a run is under way
/// stays alive until that is over.
public final class Synchronizer<Processor: SyncProcessor>: Syncing {
  /// The type of the items' keys.
  public typealias ID = Processor.Item.ID

  let processor: Processor
  let timeline: Timeline
  let executor: (any TaskExecutor)?
  let downloadExecutor: (any TaskExecutor)?
  let requestWindow: RequestWindow
  let hub: EventHub<ID>
  let voice: Voice
  let state: Locked<State>
  /// The number of the caller, or of the stuck call, that came last.
  let lastNumber = Atomic<RunState.CallerID>(0)

  /// What changes, behind the lock. Decisions are `run`'s and `book`'s; the rest is what they are
  /// carried out with.
  struct State {
    var options: SyncOptions
    /// Counts the changes of the options.
    var optionsVersion = 0
    var run: RunState
    var callers = Callers<Processor.Item>()
    /// Interrupts what the owner waits for.
    var signal = StopSignal(isRaised: false, executor: nil)
    /// The run's owner, and the highest priority that somebody asked for.
    var owner: Task<Void, Never>?
    var priority: TaskPriority?
    var history = RunHistory<ID>()
    /// Whether the next run is cancelled as it begins.
    var isNextRunCancelled = false

    /// In one step with the decision that a pass begins: who waits for it is known from then on.
    mutating func openBook(for step: RunState.OwnerStep, at now: Duration) {
      guard case .runPass(let isFirst) = step else { return }
      if isFirst { beginNumberedRun() }
      history.passBegins(at: now)
      book.passBegan(for: run.present.callers)
      allowed = run.present.callers.compactMap { callers.allowances.removeValue(forKey: $0) }
    }

    /// Removals that are allowed to the pass under way.
    var allowed: [Set<ID>] = []
    /// What is listed and not held, as of the last pass.
    var missing = MissingItems<ID>()

    /// Who waits for single items.
    var book = SeekerBook<ID>()
    /// What the pass under way says of a key, once its downloads are known.
    var lookup: PassLookup<Processor.Item>?
    /// The download stage under way.
    var board: DownloadBoard?
  }

  /// Makes a synchronizer that is idle.
  ///
  /// - Parameters:
  ///   - processor: The side of the synchronization that knows the items.
  ///   - options: How it works; can be changed later.
  ///   - requestWindow: How requests are gathered, see ``requestSync()``.
  ///   - runUntilQuiet: Whether everybody who calls `sync()` during a run is told at the end of its
  ///     last pass.
  ///   - clock: What the window, pauses, limits and the durations in reports are measured with.
  ///   - executor: The one that all tasks prefer: the seam for a simulated schedule.
  ///   - downloadExecutor: Another one for the download stages' workers: a transport's.
  ///   - voice: How it speaks beside its streams.
  package init(
    processor: Processor, options: SyncOptions, requestWindow: RequestWindow = RequestWindow(),
    runUntilQuiet: Bool = false, clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)?, downloadExecutor: (any TaskExecutor)? = nil,
    voice: Voice = .silent
  ) {
    self.processor = processor
    self.requestWindow = requestWindow
    self.executor = executor
    self.downloadExecutor = downloadExecutor
    self.voice = voice
    timeline = Timeline(clock)
    hub = EventHub(wording: voice.wording, timeline: timeline)
    state = Locked(State(options: options, run: RunState(runsUntilQuiet: runUntilQuiet)))
  }

  /// Whether a run is under way: true from before the first `syncWillBegin` until after the last
  /// `syncDidEnd`. A ``plan()`` is no run.
  public var isSyncing: Bool { state.withLock { $0.run.isSyncing } }

  /// All that happens from now on, as a stream of its own for each subscriber.
  ///
  /// A subscriber that reads slowly never slows the sync: item events that it doesn't read in time
  /// are counted and dropped, other events kept up to 1,024 unread, after which the stream ends
  /// with ``SyncEvent/overflowed``. The stream ends when the synchronizer goes away. Callers are
  /// told of a run's end before observers are: who subscribes right after `sync()` returned may
  /// still hear its `runEnded`.
  public var events: AsyncStream<SyncEvent<ID>> { hub.subscribe() }

  /// How it stands, first now and then after each change, as a stream of its own for each reader.
  ///
  /// A reader always sees the newest: what changed while it didn't look is skipped. The stream ends
  /// when the synchronizer goes away.
  public var status: AsyncStream<SyncStatus> { hub.status.subscribe() }

  /// Runs a pass and waits for its end, or asks for one more pass after the one under way.
  ///
  /// If your task is cancelled while it waits, the call throws `CancellationError`: at once if
  /// others wait for the same run; otherwise the run is cancelled too, and the call ends with it.
  ///
  /// - Returns: What was done for this call: the first pass that began after it. Of a synchronizer
  ///   that runs until it is quiet, the passes after that one, too.
  /// - Throws: ``SyncError`` with the same passes when the last of them didn't succeed, the run was
  ///   cancelled, or the call was made from within a stage of this very synchronizer;
  ///   `CancellationError` when the calling task was cancelled.
  @discardableResult
  public func sync() async throws -> SyncReport<ID> {
    try await waiting(in: .sync) { id, continuation, state in
      state.callers.wait(id, continuation, since: state.history.begun)
      return state.run.callerArrived(id)
    }
  }

  /// Syncs once more after a removal was refused, and lets exactly these items go:
  ///
  /// ```swift
  /// } catch let error as SyncError<String> where !error.refusedRemovals.isEmpty {
  ///   if await agree(toLosing: error.refusedRemovals) {
  ///     try await synchronizer.sync(allowing: error.refusedRemovals)
  ///   }
  /// }
  /// ```
  ///
  /// It counts for one pass, the first that begins after the call. If that pass would remove
  /// anything else, too, ``SyncOptions/removalLimit`` is asked about all of it as ever. What has
  /// come back to the source meanwhile stays.
  @discardableResult
  public func sync(allowing removals: Set<ID>) async throws -> SyncReport<ID> {
    try await waiting(in: .sync) { id, continuation, state in
      state.callers.wait(id, continuation, since: state.history.begun)
      state.callers.allowances[id] = removals
      return state.run.callerArrived(id)
    }
  }

  /// Syncs unless a pass that succeeded began less than `age` ago: for a view that appears and
  /// wants nothing older.
  ///
  /// A pass under way that began less than `age` ago is joined, and not followed by another. Ages
  /// are counted from the beginning of a pass, since what it lists may be as old.
  ///
  /// - Returns: What was done for this call, as of ``sync()``; `nil` if nothing had to be done.
  /// - Throws: As ``sync()``.
  @discardableResult
  public func sync(ifOlderThan age: Duration) async throws -> SyncReport<ID>? {
    let now = timeline.now
    let isYoung = { @Sendable (began: Duration?) in began.map { now - $0 < age } ?? false }
    let report = try await waiting(in: .sync) { id, continuation, state in
      if isYoung(state.history.lastSuccess) {  // told at once, of no pass
        state.callers.wait(id, continuation, since: state.history.begun)
        return [.resume([id], .result(.succeeded))]
      }
      let joins = isYoung(state.history.passBegan) && !state.run.isCancelling
      state.callers.wait(id, continuation, since: state.history.begun - (joins ? 1 : 0))
      return state.run.callerArrived(id, joins: joins)
    }
    return report.passes.isEmpty ? nil : report
  }

  /// Asks for a pass soon and returns at once. Requests that come within the request window become
  /// one run; a `sync()` meanwhile takes them along. Only ``cancel()`` takes a request back.
  public func requestSync() {
    let (now, priority) = (timeline.now, Task.currentPriority)
    perform(for: priority) { [requestWindow] in
      $0.run.requestMade(at: now, window: requestWindow.quiet, atMost: requestWindow.atMost)
    }
  }

  /// Cancels the run or the plan under way and drops requests; does nothing when there are none.
  ///
  /// Everybody who waits gets ``SyncError/Code/cancelled``, unless everything was done already.
  public func cancel() {
    perform { $0.run.cancelCalled() }
  }

  /// Ends the run or the plan under way without cutting anything short, drops requests, and returns
  /// when it has ended: for the moment before a program goes.
  ///
  /// No further stage and no further download begins. Calls that are under way aren't cancelled;
  /// what was downloaded is committed, and `syncDidEnd` is called as ever. Everybody who waits gets
  /// ``SyncError/Code/cancelled``, unless everything was done already. A ``sync()`` called
  /// meanwhile begins a run after it, and ``cancel()`` cuts short what takes too long. Returns at
  /// once when nothing is under way.
  ///
  /// If your task is cancelled while it waits, the call throws at once, and the end comes all the
  /// same.
  ///
  /// - Throws: ``SyncError`` when the call was made from within a stage of this very synchronizer,
  ///   or with the code ``SyncError/Code/stuck(stage:key:)`` when a call doesn't return;
  ///   `CancellationError` when the calling task was cancelled.
  public func drain() async throws {
    let _: SyncReport<ID> = try await waiting(in: .drain) { id, continuation, state in
      state.callers.wait(id, continuation, since: state.history.begun)
      return state.run.drainCalled(id)
    }
  }
}

/// How ``Synchronizer/requestSync()`` gathers requests.
public struct RequestWindow: Sendable, Equatable {
  /// How long after the last request the run begins. Default 2 s.
  public var quiet: Duration
  /// How long after the first request the run begins at the latest. Default 10 s.
  public var atMost: Duration

  /// A window; negative lengths count as zero.
  public init(quiet: Duration = .seconds(2), atMost: Duration = .seconds(10)) {
    self.quiet = max(quiet, .zero)
    self.atMost = max(atMost, .zero)
  }
}
