import SyncDatabase

/// The rows of one table that the payload names.
struct SeenRows {
  private var numbers = RowNumbers()
  private var others: Set<[StoredValue]> = []

  mutating func insert(_ address: [StoredValue]) {
    guard address.count == 1, case .integer(let number) = address[0] else {
      others.insert(address)
      return
    }
    insert(number)
  }

  mutating func insert(_ number: Int64) { numbers.insert(number) }

  /// How many rows with numbers there are.
  var numberCount: Int { numbers.count }

  func contains(_ address: [StoredValue]) -> Bool {
    guard address.count == 1, case .integer(let number) = address[0] else {
      return others.contains(address)
    }
    return contains(number)
  }

  func contains(_ number: Int64) -> Bool { numbers.contains(number) }
}

/// The rows of one table that objects of a payload name, once a window: how many come again in
/// another one.
struct NamedRows {
  private var numbers = RowNumbers()
  private var others: Set<[StoredValue]> = []
  /// The keys of those that weren't in the database when they were named.
  private var absent: Set<RecordKey> = []
  /// How often a row was noted that had been noted before.
  private(set) var again = 0

  mutating func insert(_ number: Int64) {
    if !numbers.insert(number) { again += 1 }
  }

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
}
