import SyncDatabase

/// In which window each row of some tables was last met.
struct RowWindows {
  /// By table: rows with numbers.
  private var numbered: [Int: RowRuns] = [:]
  /// Others, by digests.
  private var others: [UInt64: UInt32] = [:]

  /// Notes a row; gives the window in which it was met before.
  @discardableResult
  mutating func insert(_ address: [StoredValue], in table: Int, at window: UInt32) -> UInt32? {
    guard let number = Self.number(address) else {
      return others.updateValue(window, forKey: Self.digest(address, table))
    }
    return numbered[table, default: RowRuns()].insert(number, in: window)
  }

  func window(of address: [StoredValue], in table: Int) -> UInt32? {
    guard let number = Self.number(address) else { return others[Self.digest(address, table)] }
    return numbered[table]?.window(of: number)
  }

  /// A digest of a row's table and address.
  static func digest(_ address: [StoredValue], _ table: Int) -> UInt64 {
    if let number = number(address) {
      return UInt64(bitPattern: number) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(table)
    }
    var hasher = Hasher()
    hasher.combine(table)
    hasher.combine(address)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private static func number(_ address: [StoredValue]) -> Int64? {
    guard address.count == 1, case .integer(let number) = address[0] else { return nil }
    return number
  }
}
