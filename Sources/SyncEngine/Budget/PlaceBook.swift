/// Decides who gets the places of a ``DownloadBudget``.
///
/// Each download stage that goes on has a *share*. A place goes to the share that holds the fewest
/// of those that wait, and of several to the one that has got none for the longest: however long
/// single downloads take, all have equally many under way.
struct PlaceBook: Equatable {
  typealias ShareID = Int
  typealias Ticket = Int

  private struct Share: Equatable {
    var held = 0
    /// Who waits, those who came first at the front.
    var waiting: [Ticket] = []
    /// The turn in which it got its last place, or joined.
    var turn: Int

    func comes(before other: Share) -> Bool { (held, turn) < (other.held, other.turn) }
  }

  private(set) var places: Int
  private(set) var free: Int
  private(set) var waitingCount = 0
  private var shares: [ShareID: Share] = [:]
  /// Counts who joined and who got a place.
  private var turn = 0

  init(places: Int) {
    (self.places, free) = (places, places)
  }

  /// Whether a share that ends a download has to look whether it may keep its place.
  var isContended: Bool { waitingCount > 0 && shares.count > 1 }

  mutating func join() -> ShareID {
    turn += 1
    shares[turn] = Share(turn: turn)
    return turn
  }

  /// A stage has ended; answers who waited for it in vain, and who gets what it held.
  mutating func leave(_ share: ShareID) -> (vain: [Ticket], granted: [Ticket]) {
    guard let left = shares.removeValue(forKey: share) else { return ([], []) }
    free += left.held
    waitingCount -= left.waiting.count
    return (left.waiting, grant())
  }

  /// Somebody wants a place; answers whether it has one. Else it waits.
  mutating func ask(_ ticket: Ticket, for share: ShareID) -> Bool {
    guard shares[share] != nil else { return false }
    shares[share]?.waiting.append(ticket)
    waitingCount += 1
    return grant() == [ticket]
  }

  /// A place isn't needed any more; answers who gets it.
  mutating func giveBack(_ share: ShareID) -> [Ticket] {
    guard let held = shares[share]?.held, held > 0 else { return [] }
    shares[share]?.held -= 1
    free += 1
    return grant()
  }

  /// Somebody doesn't wait any more.
  mutating func forget(_ ticket: Ticket, of share: ShareID) {
    guard let index = shares[share]?.waiting.firstIndex(of: ticket) else { return }
    shares[share]?.waiting.remove(at: index)
    waitingCount -= 1
  }

  /// There are so many places; fewer than there were changes nothing. Answers who gets them.
  mutating func raise(to count: Int) -> [Ticket] {
    free += max(0, count - places)
    places = max(places, count)
    return grant()
  }

  /// Whether a share that gave a place back would get it again. If so, it is as if it had: the next
  /// time it comes after those who got none since.
  mutating func mayKeep(_ share: ShareID) -> Bool {
    guard isContended, var without = shares[share] else { return true }
    without.held -= 1
    let isBetter = shares.contains {
      $0.key != share && !$0.value.waiting.isEmpty && $0.value.comes(before: without)
    }
    if isBetter { return false }
    turn += 1
    shares[share]?.turn = turn
    return true
  }

  /// Whether the stage of this share goes on.
  func has(_ share: ShareID) -> Bool { shares[share] != nil }

  /// A stage begins nothing more; answers who waited for it in vain.
  mutating func refuse(_ share: ShareID) -> [Ticket] {
    let vain = shares[share]?.waiting ?? []
    shares[share]?.waiting = []
    waitingCount -= vain.count
    return vain
  }

  /// A place is taken without waiting; so there may be fewer free ones than none.
  mutating func takeAgain(_ share: ShareID) {
    guard shares[share] != nil else { return }
    shares[share]?.held += 1
    free -= 1
  }

  /// Gives the free places to those who wait.
  private mutating func grant() -> [Ticket] {
    var granted: [Ticket] = []
    while free > 0, waitingCount > 0 {
      let waiting = shares.filter { !$0.value.waiting.isEmpty }
      guard let next = waiting.min(by: { $0.value.comes(before: $1.value) })?.key else { break }
      turn += 1
      shares[next]?.turn = turn
      shares[next]?.held += 1
      if let ticket = shares[next]?.waiting.removeFirst() { granted.append(ticket) }
      waitingCount -= 1
      free -= 1
    }
    return granted
  }
}
