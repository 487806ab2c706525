import SyncDatabase

/// The rows of one table that the payload names. Those of a table with row numbers cost eight bytes
/// each.
struct SeenRows {
  private var numbers: [Int64] = []
  private var isSorted = true
  private var others: Set<[StoredValue]> = []

  /// Notes a row.
  mutating func insert(_ address: [StoredValue]) {
    guard address.count == 1, case .integer(let number) = address[0] else {
      others.insert(address)
      return
    }
    if let last = numbers.last, last >= number {
      if last == number { return }
      isSorted = false
    }
    numbers.append(number)
  }

  /// Whether a row was noted.
  mutating func contains(_ address: [StoredValue]) -> Bool {
    guard address.count == 1, case .integer(let number) = address[0] else {
      return others.contains(address)
    }
    if !isSorted {
      numbers.sort()
      isSorted = true
    }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count && numbers[low] == number
  }
}
