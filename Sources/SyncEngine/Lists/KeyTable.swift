/// Which keys a list names: a hash table of places in the list, with linear probing.
///
/// Four bytes a slot, and no copy of a key. Keys are taken up and looked for in blocks, of which
/// all slots are read before they are needed: the processor then waits for the memory once, and not
/// for each key, which is most of what a `Set` of a million takes.
@usableFromInline
struct KeyTable<Item: SyncItem>: Sendable {
  @usableFromInline let items: [Item]
  /// In each slot a key's place plus one, and above it as many bits of the key's hash as there is
  /// room for, which spare most comparisons with other keys; 0 is free.
  @usableFromInline var slots: [UInt32]
  /// The bits of a slot that hold the place.
  @usableFromInline let placeMask: UInt32

  /// The table of a list; refuses one in which a key stands twice.
  @inlinable
  init(_ items: [Item]) throws(ListProblem<Item.ID>) {
    precondition(items.count < UInt32.max, "a list has fewer than 2^32 items")
    self.items = items
    placeMask = UInt32.max >> UInt32(items.count).leadingZeroBitCount
    let filled = items.count + items.count / 3 + 1
    slots = Array(repeating: 0, count: 1 << (Int.bitWidth - filled.leadingZeroBitCount))
    var block = KeyBlock()
    for first in stride(from: 0, to: items.count, by: KeyBlock.size) {
      block.count = min(KeyBlock.size, items.count - first)
      for number in 0..<block.count {
        block.hashes[number] = Self.hash(items[first + number].id)
      }
      block.read(slots)
      for number in 0..<block.count {
        try insert(first + number, block.hashes[number], firstEntry: block.entries[number])
      }
    }
  }

  @inlinable
  mutating func insert(
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
  @inlinable
  init(distinct items: [Item]) {
    do {
      try self.init(items)
    } catch {
      preconditionFailure("a list was said to name each key once: \(error)")
    }
  }

  /// Whether the list names the key.
  @inlinable
  func contains(_ key: Item.ID) -> Bool { place(of: key) != nil }

  /// Where in the list the key stands.
  @inlinable
  func place(of key: Item.ID) -> Int? {
    let hash = Self.hash(key)
    return place(of: key, hash, firstEntry: slots[hash & (slots.count - 1)])
  }

  /// Tells of each key where in the list it stands.
  @inlinable
  func lookUp(_ keys: Set<Item.ID>, _ tell: (Item.ID, Int?) -> Void) {
    var (block, waiting) = (KeyBlock(), [Item.ID]())
    waiting.reserveCapacity(KeyBlock.size)
    for key in keys {
      block.hashes[waiting.count] = Self.hash(key)
      waiting.append(key)
      if waiting.count == KeyBlock.size { lookUp(&waiting, &block, tell) }
    }
    lookUp(&waiting, &block, tell)
  }

  @inlinable
  func lookUp(
    _ keys: inout [Item.ID], _ block: inout KeyBlock, _ tell: (Item.ID, Int?) -> Void
  ) {
    block.count = keys.count
    block.read(slots)
    for number in 0..<block.count {
      let (key, hash) = (keys[number], block.hashes[number])
      tell(key, place(of: key, hash, firstEntry: block.entries[number]))
    }
    keys.removeAll(keepingCapacity: true)
  }

  @inlinable
  func place(of key: Item.ID, _ hash: Int, firstEntry: UInt32) -> Int? {
    var entry = firstEntry
    if entry != 0, !holds(entry, key, hash) { entry = slots[slot(of: key, hash, from: hash &+ 1)] }
    return entry == 0 ? nil : Int(entry & placeMask) - 1
  }

  /// The slot that holds the key, or else the free one where it belongs.
  @inlinable
  func slot(of key: Item.ID, _ hash: Int, from start: Int) -> Int {
    let last = slots.count - 1
    var slot = start & last
    while slots[slot] != 0, !holds(slots[slot], key, hash) { slot = (slot + 1) & last }
    return slot
  }

  @inlinable
  func holds(_ entry: UInt32, _ key: Item.ID, _ hash: Int) -> Bool {
    entry & ~placeMask == tag(hash) && items[Int(entry & placeMask) - 1].id == key
  }

  /// Not `hashValue`, which a type may give itself, and badly; but a number's is Swift's own, the
  /// same in a third of the time.
  @inlinable
  static func hash(_ key: Item.ID) -> Int {
    if Item.ID.self == Int.self || Item.ID.self == Int64.self { return key.hashValue }
    var hasher = Hasher()
    hasher.combine(key)
    return hasher.finalize()
  }

  /// The highest bits of a hash: the lowest chose the slot.
  @inlinable
  func tag(_ hash: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> 32) & ~placeMask
  }
}

/// Keys that are taken up or looked for together: their hashes, and what stands in the slots that
/// these choose.
@usableFromInline
struct KeyBlock {
  @inlinable static var size: Int { 64 }

  @usableFromInline var count = 0
  @usableFromInline var hashes = [Int](repeating: 0, count: size)
  @usableFromInline var entries = [UInt32](repeating: 0, count: size)

  @inlinable
  init() {}

  /// Reads the slots, in a loop that does nothing else.
  @inlinable
  mutating func read(_ slots: [UInt32]) {
    let last = slots.count - 1
    for number in 0..<count { entries[number] = slots[hashes[number] & last] }
  }
}
