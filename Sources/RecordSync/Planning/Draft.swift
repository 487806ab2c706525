package import SyncDatabase

/// What a window of a payload says of rows: objects of one row are merged, and what names another
/// row points at it. A value: it knows nothing of the rows that are there.
package struct Draft: Sendable, Equatable {
  /// The rows, in the order in which the first object of each begins in the text.
  package var rows: [DraftRow] = []
  /// What was noticed on the way, by table.
  package var findings: [Int: TableReport] = [:]
  private var places: [KeyPlaces]

  package init(tables: Int) {
    places = Array(repeating: KeyPlaces(), count: tables)
  }

  /// An empty draft, with room for as much as an earlier one holds.
  init(after earlier: Draft) {
    rows.reserveCapacity(earlier.rows.count)
    places = earlier.places.map { KeyPlaces(capacity: $0.count) }
  }

  package func place(of identity: RecordKey, in table: Int) -> Int? {
    places[table].place(of: identity, in: rows)
  }

  mutating func place(
    of identity: RecordKey, in table: Int, adding row: consuming DraftRow
  ) -> (place: Int, isNew: Bool) {
    if let place = places[table].placeOrNext(of: identity, in: rows) { return (place, false) }
    return (add(row), true)
  }

  /// Adds a row without a key, which no other object can mean.
  mutating func add(_ row: consuming DraftRow) -> Int {
    rows.append(row)
    return rows.count - 1
  }

  /// The same rows, and the same was noticed: the places follow from the rows.
  package static func == (one: Draft, other: Draft) -> Bool {
    one.rows == other.rows && one.findings == other.findings
  }
}

package struct DraftRow: Sendable, Equatable {
  package var table: Int
  /// Its key as it was written last; `nil` for an object without one under a to-one.
  package var key: RecordKey?
  /// The key as the database tells keys apart: see ``KeyIdentity``.
  package var identity: RecordKey?
  /// What is given for each column of the table, by the columns' places.
  package var values: [Given]
  /// What is given for its relations, in the order of the text.
  package var claims: [Claim] = []
  /// Whether it may be inserted, and its columns be changed if it is there.
  package var rights: Rights
  package var isTop: Bool
  /// The place in the window of the element in which it was named first.
  package var element = 0
  /// The row under whose to-many it was named first: where that is refused as new, so is this one.
  package var owner: Int?
  /// Whether its place in an array is what tells it from others.
  var isByPlace = false
  /// The columns that link it to a parent under which it stands: JSON has no say in these.
  package var nested: Set<Int> = []
  package var base: Int?
  /// What no other column takes.
  package var extras: ExtraMembers?

  package enum Given: Sendable, Equatable {
    /// Nothing: the column stays, or gets its default.
    case absent
    /// This value; NULL is `nil`.
    case value(StoredValue?)
  }

  package struct Rights: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let insert = Rights(rawValue: 1)
    package static let update = Rights(rawValue: 2)
  }

  mutating func keep(_ later: ExtraMembers) {
    extras?.add(later)
    extras = extras ?? later
  }
}

package struct Claim: Sendable, Equatable {
  /// The relation, by its place in the table's ``TableSchema/relations``.
  package var relation: Int
  package var members: [Member]
  package var isNull: Bool
  /// Whether the name said that keys come.
  package var isKeys: Bool
  /// Whether the list says that it isn't all there is, so that nothing goes for being absent.
  package var isPart = false
  /// Tells claims apart while they are read.
  var number: Int

  package enum Member: Sendable, Equatable {
    /// By an object: the place of its row in ``Draft/rows``.
    case row(Int)
    case key(StoredValue)
  }
}

/// Where the rows of one table stand in a list, by their identities.
///
/// It holds numbers alone, since the rows have their identities themselves: a dictionary would hold
/// on to every key a second time, and hash each anew whenever it grows.
struct KeyPlaces: Sendable {
  private struct Slot {
    var hash: UInt32 = 0
    /// Counted from 1; 0 in a free slot.
    var place: UInt32 = 0
  }

  /// So many as a power of two, and never more than three quarters of them taken.
  private var slots: [Slot]
  private(set) var count = 0

  init(capacity: Int = 0) {
    slots = Array(repeating: Slot(), count: Self.size(for: capacity))
  }

  func place(of identity: RecordKey, in rows: [DraftRow]) -> Int? {
    find(identity, Self.hash(identity), in: rows).place
  }

  /// The place of a row; where it isn't there, it is noted as the one that `rows` gets next.
  mutating func placeOrNext(of identity: RecordKey, in rows: [DraftRow]) -> Int? {
    if (count + 1) * 4 > slots.count * 3 { grow() }
    let hash = Self.hash(identity)
    let (slot, place) = find(identity, hash, in: rows)
    if let place { return place }
    slots[slot] = Slot(hash: hash, place: UInt32(truncatingIfNeeded: rows.count + 1))
    count += 1
    return nil
  }

  private func find(
    _ identity: RecordKey, _ hash: UInt32, in rows: [DraftRow]
  ) -> (slot: Int, place: Int?) {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot].place > 0 {
      let place = Int(slots[slot].place) - 1
      if slots[slot].hash == hash, rows[place].identity == identity { return (slot, place) }
      slot = (slot + 1) & mask
    }
    return (slot, nil)
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(), count: old.count * 2)
    let mask = slots.count - 1
    for entry in old where entry.place > 0 {
      var slot = Int(entry.hash) & mask
      while slots[slot].place > 0 { slot = (slot + 1) & mask }
      slots[slot] = entry
    }
  }

  private static func size(for count: Int) -> Int {
    var size = 4
    while size * 3 < count * 4 { size *= 2 }
    return size
  }

  private static func hash(_ identity: RecordKey) -> UInt32 {
    UInt32(truncatingIfNeeded: identity.hashValue)
  }
}
