/// The locks of SQLite's connections on one file: those of the file (sqlite.org, "File Locking And
/// Concurrency", section 3), and those of the write-ahead log's index with its memory.
struct DatabaseLocks {
  private var levels: [Int32: Int32] = [:]
  private var slots: [Int: [Int32: Bool]] = [:]
  /// The memory that the connections share.
  var regions: [SharedRegion] = []
  var sharers: Set<Int32> = []

  /// A connection wants to rise to a level: 1 shared, 2 reserved, 3 pending, 4 exclusive. Whether
  /// it may; the levels of the others decide.
  mutating func raise(_ descriptor: Int32, to level: Int32) -> Bool {
    let others = levels.filter { $0.key != descriptor }.map(\.value)
    let highest = others.max() ?? 0
    switch level {
    case ...levels[descriptor, default: 0]: return true
    case 1: guard highest < 3 else { return false }
    case 2: guard highest < 2 else { return false }
    default:
      guard highest < 2 else { return false }
      guard highest == 0 else {
        levels[descriptor] = 3
        return false
      }
    }
    levels[descriptor] = level
    return true
  }

  mutating func lower(_ descriptor: Int32, to level: Int32) {
    levels[descriptor] = level == 0 ? nil : min(level, levels[descriptor, default: 0])
  }

  /// Whether anybody means to write.
  var isReserved: Bool { levels.values.contains { $0 >= 2 } }

  /// Takes slots of the log's index, or none of them.
  mutating func take(_ range: Range<Int>, exclusively: Bool, for descriptor: Int32) -> Bool {
    for slot in range {
      let others = slots[slot, default: [:]].filter { $0.key != descriptor }.values
      guard exclusively ? others.isEmpty : !others.contains(true) else { return false }
    }
    for slot in range { slots[slot, default: [:]][descriptor] = exclusively }
    return true
  }

  mutating func give(_ range: Range<Int>, by descriptor: Int32) {
    for slot in range { slots[slot]?[descriptor] = nil }
  }

  /// A connection is gone.
  mutating func forget(_ descriptor: Int32) {
    levels[descriptor] = nil
    unmap(descriptor)
  }

  /// A connection uses the log's index no more.
  mutating func unmap(_ descriptor: Int32) {
    for slot in slots.keys { slots[slot]?[descriptor] = nil }
    sharers.remove(descriptor)
    if sharers.isEmpty { regions = [] }
  }
}

/// A piece of memory that connections share until the last of them lets go of it.
final class SharedRegion: @unchecked Sendable {  // what is in it is SQLite's to guard
  let memory: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    memory = .allocate(byteCount: byteCount, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { memory.deallocate() }
}
