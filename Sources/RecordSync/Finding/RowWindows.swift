import SyncDatabase
private import SyncText

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

  static func digest(_ address: [StoredValue], _ table: Int) -> UInt64 {
    if let number = number(address) {
      return UInt64(bitPattern: number) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(table)
    }
    var hasher = Hasher()
    hasher.combine(table)
    hasher.combine(address)
    return hasher.digest()
  }

  private static func number(_ address: [StoredValue]) -> Int64? {
    guard address.count == 1, case .integer(let number) = address[0] else { return nil }
    return number
  }
}

/// In which window rows with numbers were last spoken of. New rows mostly have one number after the
/// other, and a run of them in one window costs as much as a single row.
struct RowRuns {
  private struct Run {
    var first: Int64
    var last: Int64
    var window: UInt32
  }

  /// Ascending, without a number in common.
  private var runs: [Run] = []
  /// Those that came later than a greater one, or once more. They go before the runs.
  private var others: [Int64: UInt32] = [:]

  var count: Int { runs.count + others.count }

  /// Notes a row; gives the window in which it was spoken of before.
  @discardableResult
  mutating func insert(_ row: Int64, in window: UInt32) -> UInt32? {
    guard let last = runs.last else {
      runs.append(Run(first: row, last: row, window: window))
      return nil
    }
    guard last.last < row else {
      return others.updateValue(window, forKey: row) ?? found(row)
    }
    if last.window == window, last.last == row - 1 {
      runs[runs.count - 1].last = row
    } else {
      runs.append(Run(first: row, last: row, window: window))
    }
    return nil
  }

  func window(of row: Int64) -> UInt32? { others[row] ?? found(row) }

  private func found(_ row: Int64) -> UInt32? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].last < row { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].first <= row ? runs[low].window : nil
  }
}
