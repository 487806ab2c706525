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

  /// No rows, and room for so many.
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
