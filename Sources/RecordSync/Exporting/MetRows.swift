internal import SyncDatabase

/// The rows of one table that an export has met.
struct MetRows {
  private var numbers: Set<Int64> = []
  private var others: Set<[StoredValue]> = []

  /// Notes a row; `false` if it was met before.
  mutating func insert(_ address: [StoredValue]) -> Bool {
    if address.count == 1, case .integer(let number) = address[0] {
      return numbers.insert(number).inserted
    }
    return others.insert(address).inserted
  }
}
