import SyncLock

/// What changes while a download stage runs, behind its lock.
///
/// It knows nothing of the items: a generic value behind the lock would cost more than all that
/// workers do there.
struct DownloadState {
  var window: DownloadWindow
  var ledger: ItemLedger
  /// What failed, in the order in which it happened: at a place, or in the stage as a whole.
  var failures: [(place: Int?, error: any Error)] = []
  /// Whether an item is there for good once it is done here, and not only after the commit.
  let commitsEach: Bool
  /// Places of items that somebody waits for until they are done here.
  private(set) var awaited: Set<Int> = []
  /// Places of items that were cut short.
  private var cutShort: [Int] = []
  /// Whether an error has ended the pass: others of its kind aren't counted.
  var passIsEnding = false
  /// Whether the lane past the lock is open: it was opened when the lock was last let go of.
  var isLaneOpen = false
  /// What each worker has in hand of what began under an observer's eyes.
  var hands: [Hand]
  /// Items that had failed and were tried anew.
  private var reopened: Set<Int> = []
  /// How the items stood when the stage began.
  private let ledgerBefore: ItemLedger
  /// Observers and workers that are to be told once the lock is free.
  var wakeups = Wakeups()
  /// What wakes the workers that have nothing to do.
  private var bells: [Int: AsyncStream<Never>.Continuation] = [:]

  /// How an item stands that somebody waits for.
  enum Promotion {
    /// It is there for good.
    case isThere
    /// It starts next, is under way, or waits for the commit.
    case comes
    /// It has failed, and isn't tried any more.
    case hasFailed
  }

  /// An item in a worker's hand.
  struct Hand {
    /// Its place; negative when the hand is empty.
    var place = -1
    var attempt = 0
    /// How much of it is there, where its processor tells.
    var bytes: ItemBytes?
  }

  init(window: DownloadWindow, ledger: ItemLedger, workers: Int, commitsEach: Bool) {
    self.window = window
    self.ledger = ledger
    ledgerBefore = ledger
    self.commitsEach = commitsEach
    hands = Array(repeating: Hand(), count: workers)
  }

  /// The next item, unless the stage is to end.
  mutating func take(unless signal: StopSignal, at now: Duration) -> Int? {
    if signal.isRaised { window.cancel() }
    return window.take(at: now)
  }

  /// A worker found nothing to do. Answers what it may expect; the bell rings when that changes.
  mutating func idle(
    _ worker: Int, bell: AsyncStream<Never>.Continuation
  ) -> DownloadWindow.Outlook {
    if window.outlook != .over { bells[worker] = bell }
    return window.outlook
  }

  /// Wakes the workers that have nothing to do.
  private mutating func ring() {
    for bell in bells.values { wakeups.add { bell.finish() } }
    bells = [:]
  }

  /// Nothing more starts.
  mutating func drain() {
    window.cancel()
    ring()
  }

  /// A download failed, and the item waits for another attempt.
  mutating func rest(_ place: Int, _ worker: Int, until due: Duration, holdsAll: Bool) {
    hands[worker] = Hand()
    window.rest(place, until: due, holdsAll: holdsAll)
    ring()
  }

  /// A download succeeded; answers whether somebody is to be told that the item is there.
  @discardableResult
  mutating func succeed(_ place: Int, isLast: Bool) -> Bool {
    window.settle(.succeeded)
    if isLast { ledger.finish(place) }
    return !awaited.isEmpty && awaited.remove(place) != nil && ledger.isDone(place)
  }

  /// A download was cut short. What had failed before stays failed.
  mutating func cutShort(_ place: Int) {
    window.settle(.cutShort)
    if reopened.contains(place) { ledger.fail(place) }
    cutShort.append(place)
  }

  /// A download failed, and with it its item.
  mutating func fail(_ place: Int, with error: any Error) {
    ledger.fail(place)
    failures.append((place, error))
    awaited.remove(place)
  }

  /// Somebody waits for the item at this place: it starts next, unless it has started. If it has
  /// failed in this stage, it is tried anew as long as the stage goes on.
  mutating func promote(_ place: Int) -> Promotion {
    if ledger.isFailed(place) {
      guard !ledgerBefore.isFailed(place), window.reopen(place) else { return .hasFailed }
      ledger.reopen(place)
      reopened.insert(place)
    }
    if commitsEach {
      if ledger.isDone(place) { return .isThere }
      awaited.insert(place)
    }
    window.promote(place)
    ring()
    return .comes
  }

  /// What failed in the end: of an item that was tried anew, the last of its failures, unless it
  /// came after all.
  var lastFailures: [(place: Int?, error: any Error)] {
    if reopened.isEmpty { return failures }
    var known: Set<Int> = []
    let last = failures.reversed().filter { failure in
      guard let place = failure.place, reopened.contains(place) else { return true }
      return ledger.isFailed(place) && known.insert(place).inserted
    }
    return last.reversed()
  }

  /// How every item fared; asked when nothing is in flight any more. What was started and neither
  /// failed nor was cut short has succeeded, also where nobody came here to say so.
  func ending(isLast: Bool) -> ItemLedger {
    guard isLast else { return ledger }
    var ledger = ledger
    for place in 0..<window.count where window.isStarted(place) { ledger.finish(place) }
    for place in cutShort where ledger.isDone(place) { ledger.reopen(place) }
    return ledger
  }

  var totals: ItemTotals {
    var totals = window.totals
    totals.bytesUnderWay = hands.reduce(0) { $0 + ($1.bytes?.done ?? 0) }
    return totals
  }
}

/// The state of a download stage, for its workers and for who wants an item soon.
final class DownloadBoard: Sendable {
  private let state: Locked<DownloadState>
  /// Whether the lane may be used: not where somebody is to be told of single items.
  private let hasLane: Bool
  private let lane: DownloadLane

  init(window: DownloadWindow, ledger: ItemLedger, workers: Int, commitsEach: Bool) {
    hasLane = !commitsEach
    lane = DownloadLane(count: window.count)
    state = Locked(
      DownloadState(
        window: window, ledger: ledger, workers: workers, commitsEach: commitsEach))
  }

  /// Runs `body` with exclusive access to the state, then tells whom it has found to be told.
  func withLock<Result>(_ body: (inout DownloadState) -> sending Result) -> sending Result {
    var wakeups = Wakeups()
    // Also when the body makes somebody be told who asks for this lock at once.
    defer { if !wakeups.isEmpty { wakeups.tell() } }
    return state.withLock { state in
      if state.isLaneOpen { state.window.advance(to: lane.close()) }
      defer {
        state.isLaneOpen = hasLane && state.window.isInOrder
        if state.isLaneOpen { lane.open(at: state.window.next) }
        if !state.wakeups.isEmpty { wakeups = state.wakeups.take() }
      }
      return body(&state)
    }
  }

  /// What a worker asks after each item that it downloaded plainly: the next of the lane if it may
  /// be used, or else what `settle` says.
  ///
  /// Made here, where nothing is generic: to look up its types would take longer than the rest.
  func next(
    unless signal: StopSignal, _ observers: ObserverCount, _ budgetPlace: DownloadPlace?,
    settle: @escaping @Sendable (Int) -> DownloadTurn
  ) -> @Sendable (Int) -> DownloadTurn {
    { [lane] place in
      guard !observers.isAny, !signal.isRaised, budgetPlace?.mayKeep != false,
        let next = lane.take()
      else { return settle(place) }
      return .plain(next)
    }
  }

  /// Somebody waits for the item at this place: it starts next, unless it has started.
  @discardableResult
  func promote(_ place: Int) -> DownloadState.Promotion {
    withLock { $0.promote(place) }
  }

  /// Starts nothing more; what is under way goes on.
  func drain() { withLock { $0.drain() } }
}
