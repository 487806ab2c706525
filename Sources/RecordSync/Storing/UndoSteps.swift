import SyncDatabase

/// What is to be done to rows so that they are what they were. (SQLite's own way to apply a
/// changeset fails where rows have swapped values of which only one row may have each.)
struct UndoSteps {
  private struct Update {
    var table: TableAccess
    var address: [StoredValue]
    var columns: [Int]
    var values: [StoredValue?]
  }

  private var deletions: [(table: TableAccess, address: [StoredValue])] = []
  private var updates: [Update] = []
  private var insertions: [(table: TableAccess, values: [StoredValue?])] = []

  mutating func delete(_ row: FoundRow, from table: TableAccess) {
    deletions.append((table, row.address))
  }

  mutating func update(
    _ row: FoundRow, _ columns: [Int], to values: [StoredValue?], in table: TableAccess
  ) {
    updates.append(
      Update(table: table, address: row.address, columns: columns, values: values))
  }

  mutating func insert(_ values: [StoredValue?], into table: TableAccess) {
    insertions.append((table, values))
  }

  /// Rows go before others take their values, and come when these are free again.
  func perform(on connection: Connection) throws {
    for (table, address) in deletions { try connection.run(table.delete, values: address) }
    var blocked: [Update] = []
    for update in updates {
      try unless(.constraint, { blocked.append(update) }) { try run(update, on: connection) }
    }
    for (number, update) in blocked.enumerated() { try park(update, number + 1, on: connection) }
    for update in blocked {
      try unless(.constraint, { throw UndoError.refused(table: update.table.schema.name) }) {
        try run(update, on: connection)
      }
    }
    for (table, values) in insertions {
      try unless(.constraint, { throw UndoError.refused(table: table.schema.name) }) {
        try connection.run(table.insert(Array(values.indices)), values: values)
      }
    }
  }

  private func run(_ update: Update, on connection: Connection) throws {
    try connection.run(
      update.table.update(update.columns), values: update.values + update.address)
  }

  /// Puts values that nobody has in place of those that have to give way to each other.
  private func park(_ update: Update, _ number: Int, on connection: Connection) throws {
    let table = update.table.schema
    let columns = update.columns.filter { column in
      table.uniques.contains { $0.contains(column) }
    }
    guard !columns.isEmpty else { return }
    let values = columns.map { Parking.value(for: table.columns[$0], number: number) }
    try connection.run(update.table.update(columns), values: values + update.address)
  }

  private func unless(
    _ code: DatabaseError.Code, _ handle: () throws -> Void, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.code == code {
      try handle()
    }
  }
}
