/// Decides which item of a download stage starts next: a window that moves over the items, as wide
/// as there are workers. What somebody waits for comes first, then what is due for another attempt,
/// then what is new.
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

  /// When something can start, for who found nothing.
  enum Outlook: Equatable {
    /// Nothing any more.
    case over
    /// At this time, or when something has changed; `nil`: only then.
    case later(Duration?)
  }

  let count: Int
  /// How many items are downloaded at once.
  let width: Int
  let stopsOnFailure: Bool
  private(set) var phase = Phase.open
  private(set) var next = 0
  private(set) var inFlight = 0
  private(set) var failed = 0
  private(set) var cutShort = 0
  /// Whether anything was ever moved to the front or put off: what follows needn't be looked at
  /// else.
  private var isReordered = false
  /// Places that are to start before all others, the next one last.
  private(set) var urgent: [Int] = []
  /// Places beyond `next` that have started.
  private var startedAhead: Set<Int> = []
  /// Items that wait for another attempt.
  private var resting = RestingItems()
  /// Places of items that have started before, and start again as soon as possible.
  private var again: Set<Int> = []
  /// How many attempts have failed of items that were given another one.
  private var failedAttempts: [Int: Int] = [:]
  /// Nothing starts before.
  private var heldUntil = Duration.zero

  init(count: Int, width: Int, stopsOnFailure: Bool) {
    self.count = count
    self.width = width
    self.stopsOnFailure = stopsOnFailure
  }

  /// The place of the item to start now; `nil` when nothing does, see ``outlook``.
  mutating func take(at now: Duration) -> Int? {
    guard phase == .open else { return nil }
    if isReordered { return takeReordered(at: now) }
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

  /// What is to be expected by who has just taken nothing.
  var outlook: Outlook {
    guard phase == .open else { return .over }
    if !urgent.isEmpty || startedCount < count && resting.count <= width {
      return .later(heldUntil)
    }
    if let due = resting.due { return .later(max(due, heldUntil)) }
    // As long as the stage goes on, somebody may ask for one that failed.
    return failed > 0 && inFlight > 0 ? .later(nil) : .over
  }

  /// Whether every worker is to end. What is under way when no more begins is waited for, unless
  /// a failure has stopped it.
  var isOver: Bool { phase == .stopped || inFlight == 0 && outlook == .over }

  /// Somebody waits for the item at this place: it starts next, unless it is under way or has
  /// ended. Its pause is over; that of the whole stage isn't.
  mutating func promote(_ place: Int) {
    if resting.remove(place) {
      again.insert(place)
    } else if place < next, !again.contains(place) {
      return
    }
    isReordered = true
    urgent.append(place)
  }

  /// An item that has failed is tried anew, as one that starts for the first time; answers whether
  /// the stage still goes on.
  mutating func reopen(_ place: Int) -> Bool {
    guard outlook != .over else { return false }
    failed -= 1
    failedAttempts[place] = nil
    again.insert(place)
    return true
  }

  private mutating func takeReordered(at now: Duration) -> Int? {
    guard now >= heldUntil else { return nil }
    guard let place = takeUrgent() ?? resting.take(at: now) ?? takeInOrder() else { return nil }
    inFlight += 1
    return place
  }

  private mutating func takeUrgent() -> Int? {
    while let place = urgent.popLast() {
      if again.remove(place) != nil { return place }
      if place >= next, startedAhead.insert(place).inserted { return place }
    }
    return nil
  }

  private mutating func takeInOrder() -> Int? {
    guard resting.count <= width else { return nil }
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

  /// An item that was taken waits for another attempt, and, if `holdsAll`, everything with it.
  mutating func rest(_ place: Int, until due: Duration, holdsAll: Bool) {
    precondition(inFlight > 0, "an item is put off that was not in flight")
    inFlight -= 1
    isReordered = true
    failedAttempts[place, default: 0] += 1
    resting.insert(place, dueAt: due)
    if holdsAll { heldUntil = max(heldUntil, due) }
  }

  /// The number of the attempt that an item in flight is in.
  func attempt(of place: Int) -> Int { failedAttempts[place, default: 0] + 1 }

  /// Takes the items for which no other attempt is made any more, since the stage ends.
  mutating func takeResting() -> [Int] {
    defer { again = [] }
    let places = resting.removeAll() + again.sorted()
    inFlight += places.count
    return places
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
  var ended: Int { startedCount - inFlight - cutShort - resting.count - again.count }

  var totals: ItemTotals { ItemTotals(finished: ended - failed, failed: failed, total: count) }
}
