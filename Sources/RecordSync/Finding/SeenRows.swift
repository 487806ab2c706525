import SyncDatabase

/// The rows of one table that the payload names. Those of a table with row numbers cost eight bytes
/// each.
struct SeenRows {
  private var numbers: [Int64] = []
  private var isSorted = true
  /// The place behind the one that was found last.
  private var next = 0
  private var others: Set<[StoredValue]> = []

  /// Notes a row.
  mutating func insert(_ address: [StoredValue]) {
    guard address.count == 1, case .integer(let number) = address[0] else {
      others.insert(address)
      return
    }
    insert(number)
  }

  /// Notes a row of a table with row numbers.
  mutating func insert(_ number: Int64) {
    if let last = numbers.last, last >= number {
      if last == number { return }
      isSorted = false
    }
    numbers.append(number)
  }

  /// How many rows with row numbers were noted.
  mutating func countNumbers() -> Int {
    sort()
    let repeated = zip(numbers, numbers.dropFirst()).count { $0 == $1 }
    return numbers.count - repeated
  }

  /// Whether a row was noted.
  mutating func contains(_ address: [StoredValue]) -> Bool {
    guard address.count == 1, case .integer(let number) = address[0] else {
      return others.contains(address)
    }
    return contains(number)
  }

  /// Whether a row of a table with row numbers was noted.
  mutating func contains(_ number: Int64) -> Bool {
    sort()
    // Mostly they are asked for one after the other.
    if next < numbers.count, numbers[next] == number {
      next += 1
      return true
    }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    guard low < numbers.count, numbers[low] == number else { return false }
    next = low + 1
    return true
  }

  private mutating func sort() {
    guard !isSorted else { return }
    numbers.sort()
    isSorted = true
  }
}
