/// One position of a listing: an entry, or why there is none.
public enum ListedEntry: Hashable, Sendable {
  /// An entry. It is `settled` when its version tells every later state from this one; when it
  /// isn't (no version at all, or a date as young as the listing), equality of versions proves
  /// nothing and the item is looked at again next time.
  case entry(CatalogEntry, settled: Bool)
  /// Something that can't be used: one failed item that counts as present. It would make every
  /// entry take as much memory, were it not kept apart.
  indirect case unusable(UnusableEntry)

  /// The key, if one could be read.
  public var key: CatalogKey? {
    switch self {
    case .entry(let entry, _): entry.key
    case .unusable(let unusable): unusable.key
    }
  }
}

extension [ListedEntry] {
  /// How many are packed together: few enough that one that is held beyond its list holds little.
  static let packedTogether = 256

  /// Packs the last ones, if so many have come since.
  mutating func packLast() {
    if count.isMultiple(of: Self.packedTogether) { pack(count - Self.packedTogether..<count) }
  }

  /// Holds entries in as few bytes as they need, one behind the other.
  mutating func pack(_ range: Range<Int>) {
    var writer: EntryBlock.Writer?
    var places: [(index: Int, place: UInt32, isSettled: Bool)] = []
    for index in range {
      guard case .entry(let entry, let isSettled) = self[index],
        let place = entry.place(in: &writer)
      else { continue }
      places.append((index, place, isSettled))
    }
    guard let block = writer?.finish() else { return }
    for (index, place, isSettled) in places {
      self[index] = .entry(CatalogEntry(packed: block, place), settled: isSettled)
    }
  }
}
