/// Which keys a list names: a hash table of places in the list, with linear probing.
///
/// Four bytes a slot, and no copy of a key. A `Set` of the keys would take three times as long to
/// build: in code that isn't specialized for its element it looks up its own type an insertion.
struct KeyTable<Item: SyncItem> {
  private let items: [Item]
  /// In each slot a key's place plus one, and above it as many bits of the key's hash as there is
  /// room for, which spare most comparisons with other keys; 0 is free.
  private var slots: [UInt32]
  /// The bits of a slot that hold the place.
  private let placeMask: UInt32

  /// The table of a list; refuses one in which a key stands twice.
  init(_ items: [Item]) throws(ListProblem<Item.ID>) {
    precondition(items.count < UInt32.max, "a list has fewer than 2^32 items")
    self.items = items
    placeMask = UInt32.max >> UInt32(items.count).leadingZeroBitCount
    let filled = items.count + items.count / 3 + 1
    slots = Array(repeating: 0, count: 1 << (Int.bitWidth - filled.leadingZeroBitCount))
    for place in items.indices {
      let key = items[place].id
      let hash = Self.hash(key)
      let slot = slot(of: key, hash)
      guard slots[slot] == 0 else { throw .duplicateKey(key) }
      slots[slot] = tag(hash) | UInt32(place + 1)
    }
  }

  /// Whether the list names the key.
  func contains(_ key: Item.ID) -> Bool {
    slots[slot(of: key, Self.hash(key))] != 0
  }

  /// The slot that holds the key, or else the free one where it belongs.
  private func slot(of key: Item.ID, _ hash: Int) -> Int {
    let last = slots.count - 1
    var slot = hash & last
    while slots[slot] != 0, !holds(slots[slot], key, hash) { slot = (slot + 1) & last }
    return slot
  }

  private func holds(_ entry: UInt32, _ key: Item.ID, _ hash: Int) -> Bool {
    entry & ~placeMask == tag(hash) && items[Int(entry & placeMask) - 1].id == key
  }

  /// Not `hashValue`, which a type may give itself, and badly.
  private static func hash(_ key: Item.ID) -> Int {
    var hasher = Hasher()
    hasher.combine(key)
    return hasher.finalize()
  }

  /// The highest bits of a hash: the lowest chose the slot.
  private func tag(_ hash: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> 32) & ~placeMask
  }
}
