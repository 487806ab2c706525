import SyncLock

/// What all pages of a listing may still take: pages without end must not fill the memory, however
/// small each of them is.
final class ByteAllowance: Sendable {
  let limit: Int
  private let left: Locked<Int>

  init(_ limit: Int) {
    self.limit = limit
    left = Locked(limit)
  }

  /// Takes so many, or none where there aren't so many left.
  func take(_ count: Int) -> Bool {
    left.withLock { left in
      guard count <= left else { return false }
      left -= count
      return true
    }
  }

  /// Gives back what was taken for a body that starts over.
  func giveBack(_ count: Int) {
    left.withLock { $0 += count }
  }
}

/// The lines that are known, looked up for the first body that they are of use for.
final class KnownOnce: Sendable {
  private let find: @Sendable () throws -> KnownLines
  private let found = Locked<KnownLines?>(nil)

  init(_ find: @escaping @Sendable () throws -> KnownLines) {
    self.find = find
  }

  func lines() throws -> KnownLines {
    if let known = found.withLock({ $0 }) { return known }
    // Not behind the lock: it waits for the index. Of two that look at once, each finds the same.
    let lines = try find()
    found.withLock { $0 = lines }
    return lines
  }
}
