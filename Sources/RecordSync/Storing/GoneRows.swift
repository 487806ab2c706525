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

extension RecordPass {
  /// Deletes a row with what it is the rest of, and the rest of it; adds all that goes.
  func delete(_ row: KeyedRow, in table: Int, noting gone: inout GoneRows) throws {
    guard gone.insert(row, of: table) else { return }
    for other in schema.tables[table].extensions { try deletePart(row, in: other, &gone) }
    try remove(row, in: table, &gone)
    var base = schema.tables[table].base
    while let other = base {
      if let part = try part(row, in: other), gone.insert(part, of: other) {
        try remove(part, in: other, &gone)
      }
      base = schema.tables[other].base
    }
  }

  private func deletePart(_ row: KeyedRow, in table: Int, _ gone: inout GoneRows) throws {
    for other in schema.tables[table].extensions { try deletePart(row, in: other, &gone) }
    guard let part = try part(row, in: table), gone.insert(part, of: table) else { return }
    try remove(part, in: table, &gone)
  }

  private func part(_ row: KeyedRow, in table: Int) throws -> KeyedRow? {
    try search.rows(of: row.key, in: table).first.map {
      KeyedRow(address: $0.address, key: row.key)
    }
  }

  private func remove(_ row: KeyedRow, in table: Int, _ gone: inout GoneRows) throws {
    try noteFollowers(of: row, in: table, &gone)
    try connection.run(tables[table].delete, values: row.address)
  }

  /// What the database does with the rows that refer to one which goes.
  private func noteFollowers(
    of row: KeyedRow, in table: Int, _ gone: inout GoneRows
  ) throws {
    var going = [(row: row, table: table)]
    while let (row, table) = going.popLast() {
      guard !followers[table].isEmpty, let found = try self.row(at: row.address, in: table) else {
        continue
      }
      for follower in followers[table] {
        let values = follower.targets.compactMap { found.values[$0] }
        guard values.count == follower.targets.count else { continue }
        let rows = try search.rows(where: follower.columns, are: values, in: follower.table)
        switch follower.fate {
        case .unlinked: gone.unlink(rows.count, of: follower.table)
        case .link: for link in rows { gone.insertLink(link.address, of: follower.table) }
        case .deleted:
          for child in rows.map({ KeyedRow($0, schema.tables[follower.table]) })
          where gone.insert(child, of: follower.table) { going.append((child, follower.table)) }
        }
      }
    }
  }
}

extension KeyedRow {
  init(_ row: FoundRow, _ table: TableSchema) {
    self.init(
      address: row.address, key: RecordKey(table.key.columns.compactMap { row.values[$0] }))
  }
}
