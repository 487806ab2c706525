import SyncText

/// Keys one behind the other in one block of memory: of a million, a third of what a set takes.
struct SortedKeys: Sendable {
  private var bytes: [UInt8] = []
  /// Where each key ends.
  private var ends: [Int] = []

  /// Takes the next key, which comes after all before it in byte order.
  mutating func append(_ key: CatalogKey) {
    bytes += key.bytes
    ends.append(bytes.count)
  }

  func contains(_ key: CatalogKey) -> Bool {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = low + (high - low) / 2
      let found = bytes[(middle == 0 ? 0 : ends[middle - 1])..<ends[middle]]
      if found.elementsEqual(key.bytes) { return true }
      if found.lexicographicallyPrecedes(key.bytes) { low = middle + 1 } else { high = middle }
    }
    return false
  }
}
