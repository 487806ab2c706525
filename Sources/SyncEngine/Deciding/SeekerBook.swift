/// Remembers who waits for which item (`ensure`), and decides what they are told.
///
/// Which pass a seeker waits for is ``RunState``'s to say; the book is told, in the same step.
struct SeekerBook<ID: Hashable & Sendable> {
  typealias SeekerID = RunState.CallerID

  /// How an item stands in a pass, once its downloads are known.
  enum Standing: Equatable {
    /// It is held, and as the source has it.
    case current
    /// The source doesn't name it, and it isn't held.
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
    /// It is held; the source can't be asked.
    case heldUnchecked
    case notListed(ID)
    case leftOut(ID)
    case failed(SyncFailure<ID>)
  }

  /// What is to be done, in this order.
  enum Action {
    case tell(SeekerID, Answer)
    /// The item at this place is to be downloaded next, also when it has failed.
    case promote(Int)
    /// The seeker waits for the next pass.
    case putOff(SeekerID)
  }

  /// Whether a pass is under way that can still say something of its items.
  private(set) var isOpen = false
  /// Counts the passes, so that what was found out for one isn't taken for another.
  private(set) var pass = 0
  /// Everybody who waits, for whichever pass.
  private var keys: [SeekerID: ID] = [:]
  /// Who is content with what is held if the list can't be had.
  private var content: Set<SeekerID> = []
  /// Who waits for the pass under way, and nothing is known yet.
  private var open: Set<SeekerID> = []
  /// Who waits for the item at a place of the pass's downloads, and the other way round.
  private var places: [Int: Set<SeekerID>] = [:]
  private var placeOf: [SeekerID: Int] = [:]
  private var failures: [Int: SyncFailure<ID>] = [:]

  /// The keys of the pass under way of which nothing is known yet.
  var sought: [(SeekerID, ID)] {
    open.compactMap { id in keys[id].map { (id, $0) } }
  }

  /// The list can't be had: answers the keys that may be held unchecked. Who comes from now on
  /// waits for the next pass.
  mutating func listFailed() -> Set<ID> {
    isOpen = false
    return content.isEmpty ? [] : Set(open.intersection(content).compactMap { keys[$0] })
  }

  /// Somebody asks for an item of the pass under way, if that `isJoined`, or else of a later one.
  mutating func arrived(
    _ id: SeekerID, seeking key: ID, isJoined: Bool, isContentWithHeld: Bool = false
  ) {
    keys[id] = key
    if isContentWithHeld { content.insert(id) }
    if isJoined { open.insert(id) }
  }

  /// Nothing needs to be remembered of a seeker.
  mutating func forget(_ id: SeekerID) {
    guard keys.removeValue(forKey: id) != nil else { return }
    content.remove(id)
    open.remove(id)
    guard let place = placeOf.removeValue(forKey: id) else { return }
    places[place]?.remove(id)
    if places[place]?.isEmpty == true { places[place] = nil }
  }

  /// A pass began, for which these wait.
  mutating func passBegan(for callers: Set<SeekerID>) {
    pass += 1
    isOpen = true
    open = keys.isEmpty ? [] : callers.filter { keys[$0] != nil }
    (places, placeOf, failures) = ([:], [:], [:])
  }

  /// Of the keys that need no check, these are held.
  mutating func found(held: Set<ID>) -> [Action] {
    let told = open.intersection(content).filter { keys[$0].map(held.contains) == true }
    open.subtract(told)
    return told.sorted().map { .tell($0, .heldUnchecked) }
  }

  /// It was found out how a seeker's item stands.
  mutating func found(_ standing: Standing, for id: SeekerID) -> [Action] {
    guard isOpen, open.remove(id) != nil, let key = keys[id] else { return [] }
    switch standing {
    case .current: return [.tell(id, .held)]
    case .notListed: return [.tell(id, .notListed(key))]
    case .leftOut: return [.tell(id, .leftOut(key))]
    case .unknown: return [.putOff(id)]
    case .download(let place):
      if let failure = failures[place], failure.stage == .commitDownloads {
        return [.tell(id, .failed(failure))]
      }
      places[place, default: []].insert(id)
      placeOf[id] = place
      return [.promote(place)]
    }
  }

  /// The places that somebody waits for, those who asked first at the front.
  var soughtPlaces: [Int] {
    places.map { ($0.key, $0.value.min() ?? 0) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// An item is there for good, before the downloads were committed.
  mutating func arrived(at place: Int) -> [Action] {
    (places.removeValue(forKey: place) ?? []).sorted().map { .tell($0, .held) }
  }

  mutating func failed(_ place: Int, with failure: SyncFailure<ID>) -> [Action] {
    failures[place] = failure
    return (places.removeValue(forKey: place) ?? []).sorted().map { .tell($0, .failed(failure)) }
  }

  /// The item at this place has failed before and isn't tried anew.
  mutating func stillFailed(_ place: Int) -> [Action] {
    failures[place].map { failed(place, with: $0) } ?? []
  }

  /// The downloads were committed; `ledger` says which of them succeeded. Who came too late to be
  /// told is put off; who waits for what was neither done nor failed is told the pass's result.
  mutating func committed(_ ledger: ItemLedger) -> [Action] {
    let done = places.filter { ledger.isDone($0.key) }
    for place in done.keys { places[place] = nil }
    return done.values.joined().sorted().map { .tell($0, .held) } + closed(putsOff: true)
  }

  /// The pass can't say anything any more. If it has come that far without an error, who still
  /// knows nothing is put off; else the pass's result is theirs, too.
  mutating func closed(putsOff: Bool) -> [Action] {
    guard isOpen else { return [] }
    isOpen = false
    defer { open = [] }
    return putsOff ? open.sorted().map { .putOff($0) } : []
  }
}
