import SyncDatabase

/// A row's address and key.
struct KeyedRow: Equatable {
  var address: [StoredValue]
  var key: RecordKey

  /// Reads a row of ``TableAccess/keys(where:)``.
  init(_ row: borrowing Row, _ table: TableAccess) throws {
    let count = table.address.count
    address = try (0..<count).map {
      guard let value = try row.value(Column(at: $0)) else {
        throw row.wrongType(Column(at: $0), "an address is NULL")
      }
      return value
    }
    key = RecordKey(
      try table.schema.key.columns.indices.compactMap { try row.value(Column(at: count + $0)) })
  }
}
