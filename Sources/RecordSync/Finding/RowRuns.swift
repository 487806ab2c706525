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

  /// How many places are kept.
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

  /// The window in which a row was last spoken of.
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
