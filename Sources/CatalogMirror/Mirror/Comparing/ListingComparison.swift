import SyncDatabase

/// What a listing means for what the index holds.
struct ListingComparison: Sendable {
  /// The listing; what can't stand beside a known entry is unusable in it.
  var listing: Listing
  /// What the index has of the items that something may have to be done of: those that the listing
  /// names anew, those that it lacks, and those that aren't held as they are listed.
  var rows: [CatalogKey: IndexedItem] = [:]
  /// Items that are listed as before and of which something isn't held, in the order of their keys.
  var incomplete: [CatalogKey] = []
  /// Items that a complete listing lacks; `nil` when absence from the listing means nothing.
  var vanished: Set<CatalogKey>?
  /// How many items the index knows.
  var count = 0
}

extension ListingComparison {
  /// With nothing at all: there is no index yet.
  static func ofNothing(_ listing: Listing) -> ListingComparison {
    var comparison = ListingComparison(listing: listing)
    if listing.completeness == .complete { comparison.vanished = [] }
    return comparison
  }
}

extension IndexAccess {
  /// Compares a listing with every item, in one walk through them; only those that something may
  /// have to be done of are held.
  ///
  /// - Parameter findings: What the look at the files found; `nil` when there was none.
  /// - Throws: ``CatalogError/duplicateKey(_:)`` for an entry that is known and listed anew as well,
  ///   or known twice.
  func compare(
    _ listing: Listing, _ findings: LocalLook.Findings?, _ wants: ItemNeed.Wants
  ) throws -> ListingComparison {
    var walk = ListingWalk(listing, findings, wants)
    try connection.query("SELECT * FROM items ORDER BY key") { row in
      switch try walk.next(key: { try row.key(0) }, lacks: { try lacks(row, wants) }) {
      case .passOver: break
      case .hold(let key): walk.hold(try item(in: row), of: key)
      }
    }
    guard walk.hasSeenAllKnown else {
      throw DatabaseError(
        code: .damaged, message: "it lacks items that it had a moment ago", path: connection.path)
    }
    return walk.end()
  }

  private func lacks(_ row: borrowing Row, _ wants: ItemNeed.Wants) throws -> Bool {
    if wants.contents, try row.flag(29) { return true }
    return wants.previews ? try row.flag(30) : false
  }
}

/// The walk of one comparison, item by item in the order of their keys.
private struct ListingWalk {
  /// What is to be done with the row of an item.
  enum Step {
    case passOver
    case hold(CatalogKey)
  }

  private let wants: ItemNeed.Wants
  private let incomplete: Set<CatalogKey>?
  private var positions: KnownPositions
  private var named: NamedPlaces
  private var comparison: ListingComparison
  private var collisions: [NamedPlaces.Collision] = []

  init(_ listing: Listing, _ findings: LocalLook.Findings?, _ wants: ItemNeed.Wants) {
    self.wants = wants
    incomplete = findings?.incomplete
    positions = KnownPositions(listing.known)
    named = NamedPlaces(listing)
    comparison = .ofNothing(listing)
  }

  /// Whether every known entry was met.
  var hasSeenAllKnown: Bool { positions.left == 0 }

  /// - Parameters:
  ///   - key: Reads the next item's key.
  ///   - lacks: Reads whether something that is wanted of it isn't held, as far as the index knows.
  mutating func next(
    key: () throws -> CatalogKey, lacks: () throws -> Bool
  ) throws -> Step {
    comparison.count += 1
    guard let position = positions.take(comparison.count - 1) else {
      let key = try key()
      let isNamed = named.holds(key)
      if !isNamed { comparison.vanished?.insert(key) }
      return isNamed || comparison.vanished != nil ? .hold(key) : .passOver
    }
    // Of most items no more than their place is looked at.
    let isUndisturbed = named.isEmpty && !positions.hasTwins
    if isUndisturbed, incomplete?.isEmpty ?? true {
      guard try incomplete == nil && lacks() else { return .passOver }
    }
    let key = try key()
    if positions.isTwin(comparison.count - 1) || named.holds(key) {
      throw CatalogError.duplicateKey(key)
    }
    if let collision = named.collision(of: key, at: position) {
      collisions.append(collision)
      return .hold(key)
    }
    guard try incomplete?.contains(key) ?? lacks() else { return .passOver }
    comparison.incomplete.append(key)
    return .hold(key)
  }

  mutating func hold(_ item: IndexedItem, of key: CatalogKey) { comparison.rows[key] = item }

  consuming func end() -> ListingComparison {
    comparison.listing.mark(collisions)
    return comparison
  }
}

/// The known lines of a listing by the places of their items.
private struct KnownPositions {
  /// The position in the listing for each place; 0 where the item isn't known.
  private var positions: [UInt32] = []
  /// Places of items that were known twice.
  private var twins: Set<Int> = []
  /// How many haven't been taken.
  private(set) var left = 0

  init(_ known: [KnownLine]) {
    positions = Array(repeating: 0, count: known.map { Int($0.place) + 1 }.max() ?? 0)
    for line in known {
      if positions[Int(line.place)] == 0 { left += 1 } else { twins.insert(Int(line.place)) }
      positions[Int(line.place)] = line.position
    }
  }

  var hasTwins: Bool { !twins.isEmpty }

  func isTwin(_ place: Int) -> Bool { twins.contains(place) }

  /// The position of the item at a place, asked for once; `nil` when it isn't known.
  mutating func take(_ place: Int) -> UInt32? {
    guard positions.indices.contains(place), positions[place] != 0 else { return nil }
    left -= 1
    return positions[place]
  }
}
