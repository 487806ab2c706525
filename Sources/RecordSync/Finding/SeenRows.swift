import SyncDatabase

/// The rows of one table that the payload names; eight bytes each where they have row numbers.
struct SeenRows {
  private var numbers: [Int64] = []
  private var isSorted = true
  /// The place behind the one that was found last.
  private var next = 0
  private var others: Set<[StoredValue]> = []

  mutating func insert(_ address: [StoredValue]) {
    guard address.count == 1, case .integer(let number) = address[0] else {
      others.insert(address)
      return
    }
    insert(number)
  }

  mutating func insert(_ number: Int64) {
    if let last = numbers.last, last >= number {
      if last == number { return }
      isSorted = false
    }
    numbers.append(number)
  }

  mutating func countNumbers() -> Int {
    sort()
    let repeated = zip(numbers, numbers.dropFirst()).count { $0 == $1 }
    return numbers.count - repeated
  }

  mutating func contains(_ address: [StoredValue]) -> Bool {
    guard address.count == 1, case .integer(let number) = address[0] else {
      return others.contains(address)
    }
    return contains(number)
  }

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

/// The rows of one table that objects of a payload name, once a window: how many come again in
/// another one. Those of a table with row numbers cost eight bytes each time.
struct NamedRows {
  private var numbers: [Int64] = []
  private var others: Set<[StoredValue]> = []
  /// The keys of those that weren't in the database when they were named.
  private var absent: Set<RecordKey> = []
  private var again = 0

  mutating func insert(_ number: Int64) { numbers.append(number) }

  /// Notes a row: where it is in the database, and its key as the table tells keys apart.
  mutating func insert(_ address: [StoredValue]?, _ identity: RecordKey) {
    guard let address else {
      if !absent.insert(identity).inserted { again += 1 }
      return
    }
    if !absent.isEmpty, absent.remove(identity) != nil { again += 1 }
    if address.count == 1, case .integer(let number) = address[0] {
      insert(number)
    } else if !others.insert(address).inserted {
      again += 1
    }
  }

  /// How often a row was noted that had been noted before.
  func countRepeated() -> Int {
    let isSorted = zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }
    let sorted = isSorted ? numbers : numbers.sorted()
    return again + zip(sorted, sorted.dropFirst()).count { $0 == $1 }
  }
}
