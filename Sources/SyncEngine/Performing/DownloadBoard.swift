import SyncLock

/// What changes while a download stage runs, behind its lock.
///
/// It knows nothing of the items: the workers come to the lock twice an item, and a generic value
/// behind it would cost more than all they do there.
struct DownloadState {
  var window: DownloadWindow
  var ledger: ItemLedger
  /// What failed, in the order in which it happened: at a place, or in the stage as a whole.
  var failures: [(place: Int?, error: any Error)] = []
  /// Whether an item is there for good once it is done here, and not only after the commit.
  let commitsEach: Bool
  /// Places of items that somebody waits for until they are done here.
  private(set) var awaited: Set<Int> = []
  /// Whether an error has ended the pass: others of its kind aren't counted.
  var passIsEnding = false
  /// Whether somebody has observed the stage: then the hands have to be kept.
  var wasObserved = false
  /// What each worker has in hand of what began under an observer's eyes.
  var hands: [Hand]

  /// An item in a worker's hand.
  struct Hand {
    /// Its place; negative when the hand is empty.
    var place = -1
    /// The number of the attempt.
    var attempt = 0
    /// How much of it is there, where its processor tells.
    var bytes: ItemBytes?
  }

  init(window: DownloadWindow, ledger: ItemLedger, workers: Int, commitsEach: Bool) {
    self.window = window
    self.ledger = ledger
    self.commitsEach = commitsEach
    hands = Array(repeating: Hand(), count: workers)
  }

  /// The next item, unless the stage is to end.
  mutating func take(unless signal: StopSignal) -> Int? {
    if signal.isRaised { window.cancel() }
    return window.take()
  }

  /// A download succeeded; answers whether somebody is to be told that the item is there.
  @discardableResult
  mutating func succeed(_ place: Int, isLast: Bool) -> Bool {
    window.settle(.succeeded)
    if isLast { ledger.finish(place) }
    return !awaited.isEmpty && awaited.remove(place) != nil && ledger.isDone(place)
  }

  /// A download failed, and with it its item.
  mutating func fail(_ place: Int, with error: any Error) {
    ledger.fail(place)
    failures.append((place, error))
    awaited.remove(place)
  }

  /// Somebody waits for the item at this place: it starts next, unless it has started. Answers
  /// whether it is there for good already.
  mutating func promote(_ place: Int) -> Bool {
    if commitsEach {
      if ledger.isDone(place) { return true }
      awaited.insert(place)
    }
    window.promote(place)
    return false
  }

  var totals: ItemTotals {
    var totals = window.totals
    totals.bytesUnderWay = hands.reduce(0) { $0 + ($1.bytes?.done ?? 0) }
    return totals
  }
}

/// The state of a download stage, for its workers and for who wants an item soon.
final class DownloadBoard: Sendable {
  let state: Locked<DownloadState>

  init(window: DownloadWindow, ledger: ItemLedger, workers: Int, commitsEach: Bool) {
    state = Locked(
      DownloadState(
        window: window, ledger: ledger, workers: workers, commitsEach: commitsEach))
  }

  /// Somebody waits for the item at this place: it starts next, unless it has started. Answers
  /// whether it is there for good already.
  @discardableResult
  func promote(_ place: Int) -> Bool {
    state.withLock { $0.promote(place) }
  }
}
