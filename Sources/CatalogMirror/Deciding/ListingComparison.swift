import SyncDatabase
import SyncFolder
import SyncText

/// What a listing means for what the index holds: what ``MirrorPass/listed(_:of:)`` is told.
struct ListingComparison: Sendable {
  /// The listing; what can't stand beside a known entry is unusable in it.
  var listing: Listing
  /// What the index has of the items that something may have to be done of: those that the listing
  /// names anew, those that it lacks, and those that aren't held as they are listed.
  var rows: [CatalogKey: IndexedItem] = [:]
  /// Items that are listed as before and of which something isn't held, with their positions in the
  /// listing, in their order.
  var incomplete: [(position: UInt32, key: CatalogKey)] = []
  /// Items that a complete listing lacks, or that a list of changes says are gone; `nil` when
  /// nothing is known to be gone.
  var vanished: Set<CatalogKey>?
  /// How many items the index knows, without ``outside``.
  var count = 0
  /// How many items are known and outside the scope, so that they stay.
  var outside = 0
  /// Whether something that is listed as it is held is outside the scope.
  var passesOverListed = false
  /// How many of those that vanished are outside the scope, and go for that.
  var leaving = 0
  /// Items that a complete listing lacks and that stay, since nothing is to be removed.
  private(set) var kept = 0
  /// Files that bear the name of a digest, of indices that a repository has no longer: they stay
  /// until its next state is there. `nil` where none of it is known.
  var superseded: Set<CatalogKey>?

  /// Whether the scope leaves out anything that is listed.
  var isFiltered: Bool { passesOverListed || !listing.leftOut.isEmpty }

  /// A comparison with nothing at all, as long as there is no index.
  init(_ listing: Listing) {
    self.listing = listing
    switch listing.completeness {
    case .complete, .changes: vanished = []
    case .partial: vanished = nil
    }
  }

  /// The comparison with a listing of so many items, all of them known and held as they are listed.
  init(_ listing: Listing, ofAllHeld count: Int) {
    self.init(listing)
    self.count = count
  }

  /// Removes nothing that couldn't be looked at, and so can't be moved away: it fails as an item.
  mutating func keep(_ unseen: some Sequence<CatalogKey>) {
    for key in unseen where vanished?.remove(key) != nil { incomplete.append((.max, key)) }
  }

  mutating func limit(to removal: MirrorOptions.MaximumRemoval) {
    guard removal == .never, let vanished else { return }
    kept = vanished.count
    self.vanished = nil
  }
}

extension IndexAccess {
  /// Compares a listing with every item, in one walk through them in the order of their keys; only
  /// those that something may have to be done of are held. On a file system that folds no names; on
  /// others no line may be known.
  ///
  /// - Parameters:
  ///   - findings: What the look at the files found; `nil` when there was none.
  ///   - scope: What the listing was made for, and whether what is outside goes.
  ///   - survey: What was found of the items since the index was opened, if all were looked at.
  ///   - folding: How the file system folds names. Where it does, every listed key stays in the
  ///     listing, since no file goes whose name is that of a listed one.
  /// - Throws: ``CatalogError/duplicateKey(_:)`` for an entry that is known and listed anew as
  ///   well, or known twice, inside the scope or not; `.damaged` for an item that isn't as it was
  ///   recorded, whether anything is to be done of it or not.
  func compare(
    _ listing: Listing, _ findings: LookFindings?, _ wants: ItemNeed.Wants,
    within scope: HeldScope = HeldScope(), after survey: ItemSurvey? = nil,
    folding: NameFolding = .none
  ) throws -> ListingComparison {
    if let survey, findings == nil, scope.boundary.isEverywhere, survey.isAll(of: listing, wants) {
      return ListingComparison(listing, ofAllHeld: survey.count)
    }
    var walk = ListingWalk(listing, findings?.incomplete, wants, scope, folding)
    if listing.concernsMany(of: survey) {
      try walkRows(wereChecked: survey != nil) { key, lacks, row in
        try walk.take(
          key, lacks, entry: { try CatalogEntry(row) }, item: { try IndexedItem(row) })
      }
    } else {
      let items = ItemWalk(
        question: survey?.openQuestion ?? .all, givesExtent: scope.boundary.asksForMoreThanKeys)
      try walkItems(items) { bytes, lacks, row in
        let key = CatalogKey(bytes: Array(bytes))
        try walk.take(
          key, lacks, entry: { extent(of: key, in: row) }, item: { try knownItem(key) })
      }
    }
    guard var comparison = walk.end() else { throw lacksItems }
    // A known entry that collides with a later one was passed over.
    for key in comparison.listing.unusable.compactMap(\.key) where comparison.rows[key] == nil {
      comparison.rows[key] = try item(key)
    }
    return comparison
  }

  private func knownItem(_ key: CatalogKey) throws -> IndexedItem {
    guard let item = try item(key) else { throw lacksItems }
    return item
  }

  private var lacksItems: DatabaseError {
    DatabaseError(
      code: .damaged, message: "it lacks items that it had a moment ago", path: connection.path)
  }
}

extension Listing {
  /// Leaves out the entries that are known.
  fileprivate mutating func drop(_ isKnown: [Bool]) {
    let stays = entries.indices.filter { !isKnown[$0] }
    (entries, positions) = (entries.at(stays), stays.map { positions[$0] })
  }

  /// Whether so many items may concern it that a walk had better read each whole than look for it.
  fileprivate func concernsMany(of survey: ItemSurvey?) -> Bool {
    // What a list of changes doesn't name is as it was.
    let unlisted =
      if case .changes = completeness { 0 } else { (survey?.count ?? 0) - known.count }
    return max(entries.count, unlisted) > max(1_000, known.count / 8)
  }
}

/// The walk of one comparison, item by item in the byte order of their keys.
private struct ListingWalk {
  private var comparison: ListingComparison
  private let outside: HeldScope.Sieve
  private let removesOutside: Bool
  /// What a look at the files found not to be held as it is listed; `nil` where there was none.
  private let incomplete: Set<CatalogKey>?
  private let wants: ItemNeed.Wants
  private var known: KnownPositions
  /// Sorted only if there is an item at all.
  private lazy var named = NamedPlaces(comparison.listing)
  private let unseen: UnseenPrefixes
  /// What the source only repeats, and where nobody asks it for anything.
  private let repeated: UnseenPrefixes
  /// What a list of changes says is gone; `nil` where absence says it.
  private let removed: RemovedKeys?
  /// How many items were taken, inside the scope or not.
  private var taken = 0
  private let leftOut: Set<CatalogKey>
  private var knownOutside: Set<UInt32> = []
  /// Without known lines, everything was held against everything before.
  private var nesting: PathNesting<(key: CatalogKey, place: ListedPlace)>?
  private var collisions: [ListedPlace: CatalogKey] = [:]
  /// Which entries are those of the index in every word, and held; empty where they aren't looked
  /// for. They become known ones: of a million that haven't changed, none is kept in memory.
  private var isSame: [Bool]

  init(
    _ listing: Listing, _ incomplete: Set<CatalogKey>?, _ wants: ItemNeed.Wants, _ scope: HeldScope,
    _ folding: NameFolding
  ) {
    comparison = ListingComparison(listing)
    outside = HeldScope.Sieve(scope, listing)
    removesOutside = scope.removesOutside
    (self.incomplete, self.wants) = (incomplete, wants)
    known = KnownPositions(listing.known)
    unseen = UnseenPrefixes(listing)
    repeated = UnseenPrefixes(repeatedIn: listing)
    removed = RemovedKeys(listing.completeness)
    // Without known lines, the listing was searched for what is listed twice.
    leftOut = listing.known.isEmpty ? [] : Set(listing.leftOut.lazy.map(\.key))
    nesting = listing.known.isEmpty ? nil : PathNesting()
    let looksForSame = listing.known.isEmpty && folding == .none
    isSame = looksForSame ? Array(repeating: false, count: listing.entries.count) : []
  }

  /// Takes the next item, and holds it if something may have to be done of it.
  mutating func take(
    _ key: CatalogKey, _ lacks: ItemWalk.Marks, entry: () throws -> CatalogEntry,
    item: () throws -> IndexedItem
  ) throws {
    let isLacking =
      wants.contents && lacks.contains(.lacksContent)
      || wants.previews && lacks.contains(.lacksPreview)
    let isHeldAsListed = incomplete.map { !$0.contains(key) } ?? !isLacking
    if try outside.holds(key, entry: entry) {
      if try concerns(outside: key, goes: removesOutside) { comparison.rows[key] = try item() }
    } else if try concerns(key, isHeldAsListed: isHeldAsListed) {
      let item = try item()
      if !isHeldAsListed || !passSame(item.entry) { comparison.rows[key] = item }
    }
  }

  /// Makes the listed entry of the item that was just taken, which is held as listed, a known one,
  /// if it says the same.
  private mutating func passSame(_ entry: CatalogEntry) -> Bool {
    guard !isSame.isEmpty, named.isAt(entry.key), case .entry(let index) = named.place,
      comparison.listing.entries[index].listed == entry
    else { return false }
    isSame[index] = true
    comparison.listing.known.append(
      KnownLine(place: UInt32(taken - 1), position: comparison.listing.positions[index]))
    return true
  }

  /// Takes the next item; says whether something may have to be done of it.
  private mutating func concerns(_ key: CatalogKey, isHeldAsListed: Bool) throws -> Bool {
    let isNamed = passNamed(upTo: key)
    let place = taken
    taken += 1
    comparison.count += 1
    guard let position = known.take(place) else {
      if isNamed { return true }
      return concerns(unlisted: key, isHeldAsListed: isHeldAsListed)
    }
    guard !isNamed, !known.isTwin(place) else { throw CatalogError.duplicateKey(key) }
    nest(key, .known(key, position: position))
    if !isHeldAsListed { comparison.incomplete.append((position, key)) }
    return !isHeldAsListed
  }

  /// An item that isn't listed. It counts as present where nobody could look, or, if changes are
  /// listed, where none is said of it; then it is repaired from what the index keeps of it. Else it
  /// has vanished, if the listing tells.
  private mutating func concerns(unlisted key: CatalogKey, isHeldAsListed: Bool) -> Bool {
    guard removed.map({ !$0.hold(key) }) ?? unseen.hold(key) else {
      comparison.vanished?.insert(key)
      return comparison.vanished != nil
    }
    guard !isHeldAsListed, !repeated.hold(key) else { return false }
    comparison.incomplete.append((.max, key))
    return true
  }

  /// Takes the next item, one outside the scope: it stays, whether the listing has it or not,
  /// unless it is to go; then it counts as one that vanished.
  private mutating func concerns(outside key: CatalogKey, goes: Bool) throws -> Bool {
    if passNamed(upTo: key) {
      // Another state of it is listed, and that one is inside.
      return try concerns(key, isHeldAsListed: false)
    }
    if let position = known.take(taken) {
      guard !known.isTwin(taken), !leftOut.contains(key) else {
        throw CatalogError.duplicateKey(key)
      }
      knownOutside.insert(position)
    }
    taken += 1
    guard goes, comparison.vanished != nil else {
      comparison.outside += 1
      return false
    }
    comparison.count += 1
    comparison.leaving += 1
    comparison.vanished?.insert(key)
    return true
  }

  mutating func end() -> ListingComparison? {
    if nesting != nil { passNamed(upTo: nil) }
    guard known.left == 0 else { return nil }
    if !knownOutside.isEmpty {
      comparison.passesOverListed = true
      comparison.listing.known.removeAll { knownOutside.contains($0.position) }
    }
    comparison.incomplete.removeAll { position, key in
      collisions[.known(key, position: position)] != nil
    }
    comparison.incomplete.sort { $0.position < $1.position }
    comparison.listing.mark(collisions)
    if isSame.contains(true) { comparison.listing.drop(isSame) }
    return comparison
  }

  /// Passes what is named before a key, or all of it; says whether the key itself is.
  @discardableResult
  private mutating func passNamed(upTo key: CatalogKey?) -> Bool {
    while let (key, place) = named.pass(before: key) { nest(key, place) }
    return key.map(named.isAt) ?? false
  }

  private mutating func nest(_ key: CatalogKey, _ place: ListedPlace) {
    guard let above = nesting?.next(key, (key, place)), let outermost = above.first else { return }
    collisions[place] = outermost.key
    for other in above where collisions[other.place] == nil { collisions[other.place] = key }
  }
}
