/// Decides which item of a download stage starts next: a window that moves over the items, as wide
/// as there are workers.
struct DownloadWindow: Equatable {
  /// How one download ended.
  enum Settlement: Equatable {
    case succeeded
    case failed
    /// It threw `CancellationError` while the stage was being stopped or cancelled.
    case cutShort
  }

  /// Whether new downloads start.
  enum Phase: Equatable {
    /// They do. Goes to both others.
    case open
    /// A failure stopped the stage. Goes to `cancelled`.
    case stopped
    /// The run was cancelled. Stays.
    case cancelled
  }

  let count: Int
  let stopsOnFailure: Bool
  private(set) var phase = Phase.open
  private(set) var next = 0
  private(set) var inFlight = 0
  private(set) var failed = 0
  private(set) var cutShort = 0
  /// Whether anything was ever moved to the front: what follows needn't be looked at else.
  private var isReordered = false
  /// Places that are to start before all others, the next one last.
  private(set) var urgent: [Int] = []
  /// Places beyond `next` that have started.
  private var startedAhead: Set<Int> = []

  init(count: Int, stopsOnFailure: Bool) {
    self.count = count
    self.stopsOnFailure = stopsOnFailure
  }

  /// The place of the item to start now; `nil` when nothing starts any more.
  mutating func take() -> Int? {
    guard phase == .open else { return nil }
    if isReordered { return takeReordered() }
    guard next < count else { return nil }
    defer { next += 1 }
    inFlight += 1
    return next
  }

  /// Whether items are given in their order, one at least.
  var isInOrder: Bool { phase == .open && !isReordered && next < count }

  /// All items before this place were taken past the window. As many are in flight as before.
  mutating func advance(to place: Int) {
    precondition(place >= next && place <= count, "items are taken one after the other")
    next = place
  }

  /// Somebody waits for the item at this place: it starts next, unless it has started.
  mutating func promote(_ place: Int) {
    guard place >= next else { return }
    isReordered = true
    urgent.append(place)
  }

  private mutating func takeReordered() -> Int? {
    guard let place = takeUrgent() ?? takeInOrder() else { return nil }
    inFlight += 1
    return place
  }

  private mutating func takeUrgent() -> Int? {
    while let place = urgent.popLast() {
      if place >= next, startedAhead.insert(place).inserted { return place }
    }
    return nil
  }

  private mutating func takeInOrder() -> Int? {
    while !startedAhead.isEmpty, startedAhead.remove(next) != nil { next += 1 }
    guard next < count else { return nil }
    defer { next += 1 }
    return next
  }

  /// An item that was taken has ended.
  mutating func settle(_ settlement: Settlement) {
    precondition(inFlight > 0, "an item ended that was not in flight")
    inFlight -= 1
    switch settlement {
    case .succeeded: break
    case .failed:
      failed += 1
      if stopsOnFailure { stop() }
    case .cutShort: cutShort += 1
    }
  }

  /// An error ends the pass.
  mutating func stop() {
    if phase == .open { phase = .stopped }
  }

  mutating func cancel() {
    phase = .cancelled
  }

  /// How the stage ended; asked when nothing is in flight any more.
  var end: SyncPass.DownloadsEnd {
    let isComplete = startedCount == count && cutShort == 0
    switch phase {
    case .open: return .allTried(failures: failed > 0)
    case .stopped: return .stopped
    case .cancelled: return isComplete ? .allTried(failures: failed > 0) : .cancelled
    }
  }

  /// Whether the item at this place was taken.
  func isStarted(_ place: Int) -> Bool { place < next || startedAhead.contains(place) }

  private var startedCount: Int { next + startedAhead.count }

  /// Items that have ended, but for those that were cut short.
  var ended: Int { startedCount - inFlight - cutShort }

  var totals: ItemTotals { ItemTotals(finished: ended - failed, failed: failed, total: count) }
}
