import SyncDatabase

/// What goes when rows are deleted: these, the rest of each in other tables, and what the database
/// itself deletes or unlinks with them (sqlite.org, "SQLite Foreign Key Support", 4.3).
struct GoneRows {
  private struct Address: Hashable {
    var table: Int
    var values: [StoredValue]
  }

  private var addresses: Set<Address> = []
  /// The rows, in the order in which they go.
  private(set) var rows: [(table: Int, key: RecordKey)] = []
  /// By table: the rows that lost a link, and those of tables of links.
  private(set) var unlinked: [Int: Int] = [:]

  /// Takes a row; `false` if it was taken before.
  mutating func insert(_ row: KeyedRow, of table: Int) -> Bool {
    guard addresses.insert(Address(table: table, values: row.address)).inserted else {
      return false
    }
    rows.append((table, row.key))
    return true
  }

  /// Takes a row of a table of links.
  mutating func insertLink(_ address: [StoredValue], of table: Int) {
    if addresses.insert(Address(table: table, values: address)).inserted { unlink(1, of: table) }
  }

  func contains(_ row: KeyedRow, of table: Int) -> Bool {
    addresses.contains(Address(table: table, values: row.address))
  }

  mutating func add(_ others: GoneRows) {
    addresses.formUnion(others.addresses)
    rows += others.rows
    unlinked.merge(others.unlinked, uniquingKeysWith: +)
  }

  /// Takes rows that stay and only lose a link.
  mutating func unlink(_ count: Int, of table: Int) {
    if count > 0 { unlinked[table, default: 0] += count }
  }
}

extension KeyedRow {
  init(_ row: FoundRow, _ table: TableSchema) {
    self.init(
      address: row.address, key: RecordKey(table.key.columns.compactMap { row.values[$0] }))
  }
}
