import SyncDatabase

/// A row, as its table tells keys apart.
struct RowName: Hashable {
  var table: Int
  var identity: RecordKey
}

/// What a pass has written, to notice where parts of the payload that are further apart than a
/// window say different things of one row. The last word has to be the same each time, and what
/// comes of a payload must not depend on where windows end: such rows are then written once more,
/// with all elements that name them in one window.
struct Entanglement {
  /// By table: the windows in which rows with numbers were written, and those whose claims weren't
  /// looked at.
  private var written: [Int: RowRuns] = [:]
  private var unknown: [Int: RowRuns] = [:]
  /// The windows in which other rows were written, and what rows claimed last, by digests.
  private var writtenOthers: [UInt64: UInt32] = [:]
  private var claimed: [UInt64: Int] = [:]
  /// Rows of which different things were said, by the hashes of their names.
  private(set) var rows: Set<Int> = []
  private var window: UInt32 = 0
  /// Whether all windows were read: what is written then had to wait.
  var isEnding = false

  mutating func beginWindow() { window += 1 }

  /// Notes that a row is inserted.
  mutating func insert(_ address: [StoredValue], in table: Int) {
    if !isEnding { _ = write(address, in: table) }
  }

  /// Notes that a row is changed.
  mutating func update(
    _ address: [StoredValue], in table: Int, _ name: @autoclosure () -> RowName
  ) {
    guard !isEnding else { return }
    let earlier = write(address, in: table)
    if let earlier, earlier != window { note(name()) }
  }

  /// Gives the window in which the row was written before.
  private mutating func write(_ address: [StoredValue], in table: Int) -> UInt32? {
    guard let number = Self.number(address) else {
      return writtenOthers.updateValue(window, forKey: Self.digest(address, table))
    }
    return written[table, default: RowRuns()].insert(number, in: window)
  }

  /// Notes a row of which different things were said.
  mutating func note(_ name: RowName) { rows.insert(name.hashValue) }

  /// Notes what a row says of those that hang on it; `nil` where that isn't known.
  mutating func claim(
    _ address: [StoredValue], in table: Int, _ claims: Int?,
    _ name: @autoclosure () -> RowName
  ) {
    guard !isEnding else { return }
    let (digest, number) = (Self.digest(address, table), Self.number(address))
    if claims == nil, let number, claimed[digest] == nil {
      unknown[table, default: RowRuns()].insert(number, in: window)
      return
    }
    var earlier = claimed.updateValue(claims ?? 0, forKey: digest)
    if earlier == nil, let number, unknown[table]?.contains(number) ?? false { earlier = 0 }
    if let earlier, let claims, earlier != claims { note(name()) }
  }

  private static func number(_ address: [StoredValue]) -> Int64? {
    guard address.count == 1, case .integer(let number) = address[0] else { return nil }
    return number
  }

  private static func digest(_ address: [StoredValue], _ table: Int) -> UInt64 {
    if let number = number(address) {
      return UInt64(bitPattern: number) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(table)
    }
    var hasher = Hasher()
    hasher.combine(table)
    hasher.combine(address)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

/// Different things were said of rows in several windows, so that these are to be set aside.
struct Entangled: Error {
  var rows: Set<Int>
}
