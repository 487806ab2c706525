import SyncLock

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
/// overlap: a call during a pass asks for one more pass after it, and everybody who waits gets the
/// result of the last one. (Callers that never stop asking keep a run going.)
///
/// A synchronizer that is let go of while callers wait, a request is pending or a run is under way
/// stays alive until that is over.
public final class Synchronizer<Processor: SyncProcessor>: Sendable {
  /// The type of the items' keys.
  public typealias ID = Processor.Item.ID

  let processor: Processor
  let timeline: Timeline
  let executor: (any TaskExecutor)?
  let downloadExecutor: (any TaskExecutor)?
  let requestWindow: RequestWindow
  let hub = EventHub<ID>()
  let state: Locked<State>

  /// What changes, behind the lock. Decisions are `run`'s; the rest is what they are made with.
  struct State {
    var options: SyncOptions
    var run = RunState()
    var continuations: [RunState.CallerID: CheckedContinuation<SyncReport<ID>, any Error>] = [:]
    var lastCaller: RunState.CallerID = 0
    /// Interrupts what the owner waits for.
    var signal = StopSignal(isRaised: false, executor: nil)
    /// The passes of the run under way that have ended.
    var passes: [PassReport<ID>] = []
  }

  /// Makes a synchronizer that is idle.
  ///
  /// - Parameters:
  ///   - processor: Your side of the synchronization.
  ///   - options: How it works; can be changed later.
  ///   - requestWindow: How requests are gathered, see ``requestSync()``.
  ///   - clock: What the window and the durations in reports are measured with.
  public convenience init(
    processor: Processor, options: SyncOptions = SyncOptions(),
    requestWindow: RequestWindow = RequestWindow(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      processor: processor, options: options, requestWindow: requestWindow, clock: clock,
      executor: nil)
  }

  /// The same, with the executor that all tasks prefer: the seam for a simulated schedule. The
  /// download stages' workers may be given another one: a transport's.
  package init(
    processor: Processor, options: SyncOptions, requestWindow: RequestWindow,
    clock: some Clock<Duration>, executor: (any TaskExecutor)?,
    downloadExecutor: (any TaskExecutor)? = nil
  ) {
    self.processor = processor
    self.requestWindow = requestWindow
    self.executor = executor
    self.downloadExecutor = downloadExecutor
    timeline = Timeline(clock)
    state = Locked(State(options: options))
  }

  /// How passes work; read once at the start of each.
  public var options: SyncOptions {
    get { state.withLock { $0.options } }
    set { state.withLock { $0.options = newValue } }
  }

  /// Whether a run is under way: true from before the first `syncWillBegin` until after the last
  /// `syncDidEnd`.
  public var isSyncing: Bool { state.withLock { $0.run.isSyncing } }

  /// All that happens from now on, as a stream of its own for each subscriber.
  ///
  /// A subscriber that reads slowly never slows the sync: item events that it doesn't read in time
  /// are counted and dropped, other events kept up to 1,024 unread, after which the stream ends
  /// with ``SyncEvent/overflowed``. The stream ends when the synchronizer goes away.
  public var events: AsyncStream<SyncEvent<ID>> { hub.subscribe() }

  /// Runs a pass and waits for its end, or asks for one more pass after the one under way.
  ///
  /// If your task is cancelled while it waits, the call throws `CancellationError`: at once if
  /// others wait for the same run; otherwise the run is cancelled too, and the call ends with it.
  ///
  /// - Returns: What the run did, every pass of it.
  /// - Throws: ``SyncError`` when the last pass didn't succeed or the run was cancelled,
  ///   `CancellationError` when the calling task was.
  @discardableResult
  public func sync() async throws -> SyncReport<ID> {
    let id = state.withLock { state in
      state.lastCaller += 1
      return state.lastCaller
    }
    defer { state.withLock { $0.run.callerIsGone(id) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        perform { state in
          state.continuations[id] = continuation
          return state.run.callerArrived(id)
        }
      }
    } onCancel: {
      perform { $0.run.callerLeft(id) }
    }
  }

  /// Asks for a pass soon and returns at once. Requests that come within the request window become
  /// one run; a `sync()` meanwhile takes them along. Only ``cancel()`` takes a request back.
  public func requestSync() {
    let now = timeline.now
    perform { [requestWindow] in
      $0.run.requestMade(at: now, window: requestWindow.quiet, atMost: requestWindow.atMost)
    }
  }

  /// Cancels the run under way and drops requests; does nothing when there are none.
  ///
  /// Everybody who waits gets ``SyncError/Code/cancelled``, unless everything was done already.
  public func cancel() {
    perform { $0.run.cancelCalled() }
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
