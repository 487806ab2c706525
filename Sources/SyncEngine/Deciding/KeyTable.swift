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
    var hashes: [Int] = []
    var entries: [UInt32] = []
    for first in stride(from: 0, to: items.count, by: Self.readAhead) {
      hashes.removeAll(keepingCapacity: true)
      entries.removeAll(keepingCapacity: true)
      for place in first..<min(first + Self.readAhead, items.count) {
        hashes.append(Self.hash(items[place].id))
      }
      for hash in hashes { entries.append(slots[hash & (slots.count - 1)]) }
      for ahead in hashes.indices {
        try insert(first + ahead, hashes[ahead], firstEntry: entries[ahead])
      }
    }
  }

  /// So many slots are read before they are needed, in a loop that does nothing else: the processor
  /// then waits for the memory once, and not for each.
  private static var readAhead: Int { 64 }

  private mutating func insert(
    _ place: Int, _ hash: Int, firstEntry: UInt32
  ) throws(ListProblem<Item.ID>) {
    let key = items[place].id
    // What was taken still is; what was free may have been taken since.
    let isOther = firstEntry != 0 && !holds(firstEntry, key, hash)
    let slot = slot(of: key, hash, from: isOther ? hash &+ 1 : hash)
    guard slots[slot] == 0 else { throw .duplicateKey(key) }
    slots[slot] = tag(hash) | UInt32(place + 1)
  }

  /// The table of a list that was found to name each key once.
  init(distinct items: [Item]) {
    do {
      try self.init(items)
    } catch {
      preconditionFailure("a list was said to name each key once: \(error)")
    }
  }

  /// Whether the list names the key.
  func contains(_ key: Item.ID) -> Bool { place(of: key) != nil }

  /// Where in the list the key stands.
  func place(of key: Item.ID) -> Int? {
    let hash = Self.hash(key)
    let entry = slots[slot(of: key, hash, from: hash)]
    return entry == 0 ? nil : Int(entry & placeMask) - 1
  }

  /// The slot that holds the key, or else the free one where it belongs.
  private func slot(of key: Item.ID, _ hash: Int, from start: Int) -> Int {
    let last = slots.count - 1
    var slot = start & last
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
