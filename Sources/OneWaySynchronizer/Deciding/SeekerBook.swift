/// Remembers who waits for which item (`ensure`), and decides what they are told.
///
/// A seeker waits for one pass: the one under way if that can still say something of its item,
/// else the next.
struct SeekerBook<ID: Hashable & Sendable> {
  typealias SeekerID = RunState.CallerID

  /// How an item stands in a pass, once its downloads are known.
  enum Standing: Equatable {
    /// It is held, and as the source has it.
    case current
    /// The source doesn't name it.
    case notListed
    /// It isn't among the downloads, though it would have to be.
    case leftOut
    /// It is downloaded: its place among the downloads.
    case download(Int)
    /// The list says nothing of it, and the local side wasn't asked.
    case unknown
  }

  /// What a seeker is told.
  enum Answer {
    /// The item is held, and as the source has it.
    case held
    case notListed(ID)
    case leftOut(ID)
    case failed(SyncFailure<ID>)
  }

  /// What is to be done, in this order.
  enum Action {
    case tell(SeekerID, Answer)
    /// The item at this place is to be downloaded next.
    case promote(Int)
    /// The seeker waits for the next pass.
    case putOff(SeekerID)
  }

  private struct Seeker {
    let key: ID
    var place: Int?
  }

  /// Whether a pass is under way that can still say something of its items.
  private(set) var isOpen = false
  /// Counts the passes, so that what was found out for one isn't taken for another.
  private(set) var pass = 0
  private var present: [SeekerID: Seeker] = [:]
  private var next: [SeekerID: Seeker] = [:]

  /// The keys that nothing is known of yet.
  var sought: [SeekerID: ID] { present.filter { $0.value.place == nil }.mapValues(\.key) }

  /// Somebody asks for an item; answers whether it waits for the pass under way. It doesn't if the
  /// pass can't say anything any more, or is being cancelled and so can't be joined.
  mutating func arrived(_ id: SeekerID, seeking key: ID, canJoin: Bool) -> Bool {
    guard isOpen, canJoin else {
      next[id] = Seeker(key: key)
      return false
    }
    present[id] = Seeker(key: key)
    return true
  }

  /// Nothing needs to be remembered of a seeker.
  mutating func forget(_ id: SeekerID) {
    present[id] = nil
    next[id] = nil
  }

  /// A pass began.
  mutating func passBegan() {
    pass += 1
    isOpen = true
    present = next
    next = [:]
  }

  /// It was found out how a seeker's item stands.
  mutating func found(_ standing: Standing, for id: SeekerID) -> [Action] {
    guard let seeker = present[id] else { return [] }
    switch standing {
    case .current: return [tell(id, .held)]
    case .notListed: return [tell(id, .notListed(seeker.key))]
    case .leftOut: return [tell(id, .leftOut(seeker.key))]
    case .download(let place):
      present[id]?.place = place
      return [.promote(place)]
    case .unknown:
      present[id] = nil
      next[id] = Seeker(key: seeker.key)
      return [.putOff(id)]
    }
  }

  /// The places that somebody waits for, those who asked first at the front.
  var soughtPlaces: [Int] {
    present.sorted { $0.key < $1.key }.compactMap(\.value.place)
  }

  /// An item failed.
  mutating func failed(_ place: Int, with failure: SyncFailure<ID>) -> [Action] {
    present.keys.sorted().filter { present[$0]?.place == place }
      .map { tell($0, .failed(failure)) }
  }

  /// The downloads were committed; `ledger` says which of them succeeded. Nothing more is said in
  /// this pass: who is left is told its result.
  mutating func committed(_ ledger: ItemLedger) -> [Action] {
    isOpen = false
    return present.keys.sorted()
      .filter { present[$0]?.place.map(ledger.isDone) ?? false }
      .map { tell($0, .held) }
  }

  /// The pass ends without a commit.
  mutating func closed() {
    isOpen = false
  }

  private mutating func tell(_ id: SeekerID, _ answer: Answer) -> Action {
    present[id] = nil
    return .tell(id, answer)
  }
}
