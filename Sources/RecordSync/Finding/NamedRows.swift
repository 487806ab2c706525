import SyncDatabase

/// The rows of one table that objects of a payload name, once a window: how many come again in
/// another one. Those of a table with row numbers cost eight bytes each time.
struct NamedRows {
  private var numbers: [Int64] = []
  private var others: Set<[StoredValue]> = []
  /// The keys of those that weren't in the database when they were named.
  private var absent: Set<RecordKey> = []
  private var again = 0

  /// Notes a row of a table with row numbers.
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
