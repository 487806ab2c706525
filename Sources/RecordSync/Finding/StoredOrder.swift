import SyncDatabase

/// The order in which SQLite has values in an index: numbers, texts by their bytes, blobs.
enum StoredOrder {
  static func precedes(_ one: [StoredValue], _ other: [StoredValue]) -> Bool {
    for (left, right) in zip(one, other) where left != right {
      switch (left, right) {
      case (.integer(let a), .integer(let b)): return a < b
      case (.text(let a), .text(let b)): return a.utf8.lexicographicallyPrecedes(b.utf8)
      case (.blob(let a), .blob(let b)): return a.lexicographicallyPrecedes(b)
      default: return rank(left) < rank(right)
      }
    }
    return false
  }

  private static func rank(_ value: StoredValue) -> Int {
    switch value {
    case .integer, .real: 0
    case .text: 1
    case .blob: 2
    }
  }
}
