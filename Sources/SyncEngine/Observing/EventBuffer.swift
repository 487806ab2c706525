import SyncLock

/// Decides which events wait for a subscriber that doesn't read as fast as they come.
///
/// Item events beyond ``itemLimit`` are counted and dropped; the count takes their place in the
/// line. All others are kept up to ``boundaryLimit``, after which the stream ends with
/// `overflowed`.
struct EventBuffer<ID: Hashable & Sendable>: Backlog {
  /// Item events that may wait.
  static var itemLimit: Int { 256 }
  /// Other events that may wait.
  static var boundaryLimit: Int { 1_024 }

  private var waiting: ArraySlice<SyncEvent<ID>> = []
  private var waitingItems = 0
  private var waitingGaps = 0
  /// Item events that were dropped after the last that waits. The gap grows until somebody has read
  /// what item events wait before it, so that a slow reader sees few long gaps rather than many
  /// short ones.
  private var gap = 0
  private(set) var isClosed = false

  mutating func append(_ event: SyncEvent<ID>) {
    guard !isClosed else { return }
    if event.isItemEvent, leavesOutNext() { return }
    closeGap()
    if event.isItemEvent {
      waitingItems += 1
      waiting.append(event)
    } else if waiting.count - waitingItems - waitingGaps < Self.boundaryLimit {
      waiting.append(event)
    } else {
      waiting.append(.overflowed)
      isClosed = true
    }
  }

  /// Gives the oldest event out; `nil` when none waits.
  mutating func popFirst() -> SyncEvent<ID>? {
    if waiting.isEmpty { closeGap() }
    let event = waiting.popFirst()
    if event?.isItemEvent == true { waitingItems -= 1 }
    if case .itemEventsDropped = event { waitingGaps -= 1 }
    return event
  }

  mutating func leavesOutNext() -> Bool {
    let isFull = waitingItems >= Self.itemLimit || gap > 0 && waitingItems > 0
    if isFull { gap += 1 }
    return isFull
  }

  private mutating func closeGap() {
    guard gap > 0 else { return }
    waiting.append(.itemEventsDropped(gap))
    waitingGaps += 1
    gap = 0
  }
}

extension SyncEvent {
  /// Whether this event may be dropped for a slow subscriber.
  var isItemEvent: Bool {
    switch self {
    case .itemStarted, .itemProgressed, .itemFinished, .itemFailed, .itemCutShort: true
    case .runStarted, .passStarted, .stageEntered, .planned, .passEnded, .runEnded,
      .itemEventsDropped, .overflowed:
      false
    }
  }
}
