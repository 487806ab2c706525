import SyncDatabase
import SyncEngine
import SyncText

/// Writes or deletes one row, with what hangs on it: one transaction, or nothing.
struct RowEdit {
  private let connection: Connection
  private let schema: RecordSchema
  private let table: Int
  private let operations: Operations

  init(
    _ connection: Connection, _ schema: RecordSchema, table: String, _ operations: Operations
  ) throws {
    self.connection = connection
    self.schema = schema
    self.table = try schema.placeWithKey(of: table)
    self.operations = operations
  }

  /// The key that a program names; `nil` for what can't be one, and so has no row.
  func key(_ value: RecordValue) -> RecordKey? { schema.tables[table].recordKey(value) }

  /// Inserts the row of an object, or changes it.
  func put(_ object: PayloadReader) throws -> RecordReport {
    let object = try OneObject(object, for: schema.tables[table])
    return try transaction { pass in
      var builder = DraftBuilder(schema, operations: operations)
      let row = object.read(by: &builder, as: table)
      try write(builder, row, object, pass)
    }
  }

  /// Changes the row of a key, if it is there; an object with another key, or another part of it,
  /// gives it that.
  func update(_ key: RecordKey, _ object: PayloadReader) throws -> RecordReport {
    let object = try OneObject(object, for: schema.tables[table])
    return try transaction { pass in
      guard let found = try pass.finder.search.rows(of: key, in: table).first else { return }
      var builder = DraftBuilder(schema, operations: operations)
      var row = object.read(by: &builder, as: table)
      if let row, let other = builder.draft.rows[row].key {
        try move(found, to: other, pass)
      } else {
        builder = DraftBuilder(schema, operations: operations)
        let part = object.keyValues(of: table, in: schema)
        let values = keyValues(of: found).merging(part) { $1 }
        if !part.isEmpty { try move(found, to: self.key(of: values), pass) }
        row = object.read(by: &builder, as: table, given: values)
      }
      try write(builder, row, object, pass)
    }
  }

  /// Deletes the rows of a key, with what the database itself deletes with them.
  func delete(_ key: RecordKey) throws -> RecordReport {
    try transaction { pass in
      let rows = try pass.finder.search.rows(of: key, in: table).map {
        KeyedRow(address: $0.address, key: key)
      }
      pass.notes.removals.add(
        rows, to: Removals.Group(table: table, column: nil, relation: "", unlinks: false))
    }
  }

  private func write(
    _ builder: DraftBuilder, _ row: Int?, _ object: OneObject, _ pass: RecordPass
  ) throws {
    if let problem = builder.problem { throw RecordError.schema(problem) }
    guard row != nil else { throw object.withoutKey(of: schema.tables[table]) }
    try pass.write(builder.draft)
  }

  private func keyValues(of found: FoundRow) -> [Int: StoredValue] {
    var values: [Int: StoredValue] = [:]
    for column in schema.tables[table].key.columns { values[column] = found.values[column] }
    return values
  }

  private func key(of values: [Int: StoredValue]) -> RecordKey {
    RecordKey(schema.tables[table].key.columns.compactMap { values[$0] })
  }

  private func move(_ found: FoundRow, to key: RecordKey, _ pass: RecordPass) throws {
    let own = schema.tables[table]
    let identity = KeyIdentity(own)
    let present = self.key(of: keyValues(of: found))
    guard identity.identity(of: present) != identity.identity(of: key) else { return }
    let move = KeyMove(pass)
    try move.requireFree(key, in: table)
    try move.move(found, from: present, to: key, in: table)
  }

  private func transaction(_ body: (RecordPass) throws -> Void) throws -> RecordReport {
    struct Unchanged: Error {}
    var report = RecordReport(status: .written)
    do {
      try connection.transaction {
        // Rows may refer to rows that come later.
        try connection.execute("PRAGMA defer_foreign_keys = ON")
        let task = PassTask(operations: operations) { _ in
          try Task.checkCancellation()
        }
        let pass = try RecordPass(connection, schema, task)
        try body(pass)
        try pass.finish(.unlimited)
        try pass.finder.search.end()
        report.tables = pass.notes.report.reports()
        guard report.hasChanges || pass.remembersOthers else { throw Unchanged() }
        if !report.hasChanges { report.status = .unchanged }
      }
    } catch is Unchanged {
      report.status = .unchanged
    }
    return report
  }
}

extension RecordSchema {
  /// The place of a table, whose rows must have a key.
  func placeWithKey(of name: String) throws -> Int {
    guard let table = place(of: name) else { throw RecordError.table(name, .missing) }
    if let problem = tables[table].key.problem { throw RecordError.schema(problem) }
    return table
  }
}
