import SyncLock

/// The lines that the items of an index were read from: a line that comes again needn't be read.
///
/// Some 16 bytes for each item, or 25 where the catalog isn't sorted, and nothing else of it in
/// memory.
package struct KnownLines: Sendable {
  /// A digest for each item, in the order of their keys; zeros where there is none.
  private var digests: [LineDigest] = []
  private let table = LineTable()

  package static let none = KnownLines([])

  /// The lines of these items, in the order of their keys; `nil` for an item of no line.
  package init(_ lines: some Sequence<LineDigest?>) {
    self.init(digests: lines.map { $0 ?? .zeros })
  }

  /// The same, with zeros for an item of no line.
  init(digests: [LineDigest]) {
    isEmpty = digests.allSatisfy { $0 == .zeros }
    if !isEmpty { self.digests = digests }
  }

  package let isEmpty: Bool

  /// The place, among all items in the order of their keys, of the one that was read from this
  /// line; `nil` for a line that isn't known.
  ///
  /// - Parameter guess: Where to look first. In a sorted catalog each line is that of the next
  ///   item, and lies in memory beside the one before: no need to look all over the table.
  package func place(of line: LineDigest, guess: Int = -1) -> Int? {
    if digests.indices.contains(guess), digests[guess] == line, line != .zeros { return guess }
    return isEmpty ? nil : table.place(of: line, in: digests)
  }
}

/// A table with open addressing over the places of digests: made when it is first asked, which it
/// isn't for a sorted catalog of which nothing has changed.
private final class LineTable: Sendable {
  /// The place, plus one; 0 is free. At most two thirds of them are taken.
  private let slots = Locked<[UInt32]>([])

  /// The place of a digest among these, which are always the same.
  func place(of line: LineDigest, in digests: [LineDigest]) -> Int? {
    slots.withLock { slots in
      if slots.isEmpty { slots = Self.slots(of: digests) }
      let place = slots[Self.slot(of: line, in: slots, digests)]
      return place == 0 ? nil : Int(place - 1)
    }
  }

  private static func slots(of digests: [LineDigest]) -> [UInt32] {
    var room = 2
    while room < digests.count + digests.count / 2 { room *= 2 }
    var slots = [UInt32](repeating: 0, count: room)
    for (place, digest) in digests.enumerated() where digest != .zeros {
      let slot = slot(of: digest, in: slots, digests)
      if slots[slot] == 0 { slots[slot] = UInt32(place + 1) }
    }
    return slots
  }

  /// The slot that holds the digest, or the free one where it would be. Digests are random already.
  private static func slot(
    of digest: LineDigest, in slots: [UInt32], _ digests: [LineDigest]
  ) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: digest.high) & mask
    while slots[slot] != 0, digests[Int(slots[slot] - 1)] != digest { slot = (slot + 1) & mask }
    return slot
  }
}

/// A line of a listing that needn't be read, since the index has the entry that it holds.
package struct KnownLine: Hashable, Sendable {
  /// The item's place among all in the index, in the order of their keys.
  package var place: UInt32
  /// The line's position among the entries of the listing, or of its page, counted from 1.
  package var position: UInt32
}
