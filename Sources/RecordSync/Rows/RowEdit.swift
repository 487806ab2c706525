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
      guard let found = try rows(of: key, pass).first else { return }
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
    try schema.requireMark(in: table)
    return try transaction { pass in
      let rows = try rows(of: key, pass).map { KeyedRow(address: $0.address, key: key) }
      pass.notes.removals.add(
        rows, to: .top(table))
    }
  }

  private func rows(of key: RecordKey, _ pass: RecordPass) throws -> [FoundRow] {
    let own = schema.tables[table]
    return try pass.finder.search.rows(of: key, in: table).filter { own.isLive($0) }
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
    var remembersOthers = false
    return try connection.transaction(keeping: { $0.hasChanges || remembersOthers }) {
      // Rows may refer to rows that come later.
      try connection.execute("PRAGMA defer_foreign_keys = ON")
      let keeper = try VersionKeeper(schema, on: connection)
      let task = PassTask(operations: operations) { _ in
        try Task.checkCancellation()
      }
      let pass = try RecordPass(connection, schema, task)
      try body(pass)
      try pass.finish(.unlimited)
      try pass.finder.search.end()
      try keeper?.keep()
      remembersOthers = pass.remembersOthers
      return RecordReport(of: pass.notes.report)
    }
  }
}

extension RecordSchema {
  func placeWithKey(of name: String) throws -> Int {
    guard let table = place(of: name) else { throw RecordError.table(name, .missing) }
    if let problem = tables[table].key.problem { throw RecordError.schema(problem) }
    return table
  }
}

struct OneObject {
  private let window: PayloadWindow

  /// Reads all of the payload. Other than one element is an error.
  init(_ reader: PayloadReader, for table: TableSchema) throws {
    var reader = reader
    var only: PayloadWindow?
    var window = PayloadWindow()
    while try reader.next(&window) {
      if only == nil { only = window }
    }
    guard let only, reader.count == 1, only.tape.kind(of: only.elements[0]) == .object else {
      throw RecordError.notOneObject(table: table.name, count: reader.count)
    }
    self.window = only
  }

  /// Reads it into a draft; gives its row, or `nil` if it has no key.
  func read(
    by builder: inout DraftBuilder, as table: Int, given: [Int: StoredValue] = [:]
  ) -> Int? {
    builder.readTop(window.elements[0], in: window.tape, as: table, given: given)
  }

  /// What it gives for the columns of a table's key, which may not be all of them.
  func keyValues(of table: Int, in schema: RecordSchema) -> [Int: StoredValue] {
    var builder = DraftBuilder(schema, operations: .all)
    guard let place = readWithoutKey(by: &builder, as: table) else { return [:] }
    var values: [Int: StoredValue] = [:]
    for column in schema.tables[table].key.columns {
      guard case .value(let value) = builder.draft.rows[place].values[column] else { continue }
      values[column] = value
    }
    return values
  }

  private func readWithoutKey(by builder: inout DraftBuilder, as table: Int) -> Int? {
    let context = DraftBuilder.Context(table: table, isTop: true, mayLackKey: true)
    return builder.read(window.elements[0], in: window.tape, context)
  }

  /// What it gives for the columns of a table and of those that this one extends.
  func values(of table: Int, in schema: RecordSchema) throws -> [String: RecordValue] {
    var builder = DraftBuilder(schema, operations: .all)
    var next = readWithoutKey(by: &builder, as: table)
    if let problem = builder.problem { throw RecordError.schema(problem) }
    var values: [String: RecordValue] = [:]
    while let place = next {
      let row = builder.draft.rows[place]
      for (column, given) in zip(schema.tables[row.table].columns, row.values) {
        guard case .value(let value) = given, values[column.name] == nil else { continue }
        values[column.name] = RecordValue(value)
      }
      next = row.base
    }
    return values
  }

  func withoutKey(of table: TableSchema) -> PayloadProblem {
    .withoutKeys(
      table: table.name, names: table.key.jsonNames, elements: 1, first: window.excerpt(of: 0))
  }
}
