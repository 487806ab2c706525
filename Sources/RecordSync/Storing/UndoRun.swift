import SyncDatabase

struct UndoRun {
  let connection: Connection
  let schema: RecordSchema

  /// Makes the rows what they were. A row that isn't as the sync left it is an error.
  func undo(_ undo: RecordUndo) throws -> RecordReport {
    guard !undo.isEmpty else { return RecordReport(status: .unchanged) }
    // What the database did by itself was recorded as well, and mustn't be done twice. The setting
    // has no effect within a transaction.
    try connection.execute("PRAGMA foreign_keys = OFF")
    defer { try? connection.execute("PRAGMA foreign_keys = ON") }
    var report = RecordReport(status: .written)
    try connection.transaction {
      let steps: UndoSteps
      (steps, report.tables) = try stepsUnlessDone(of: undo)
      let broken = try brokenReferences()
      try steps.perform(on: connection)
      if let table = try brokenReferences().subtracting(broken).first?.table {
        throw RecordError.undo(.inUse(table: table))
      }
      let undoing = PartsUndoing(connection: connection, made: undo.made)
      if !undo.made.isEmpty { report.undone = try undoing.perform() }
      for part in report.undone where part.column == nil && part.obstacle == nil {
        try HistoryNames.dropEmpty(of: part.table, in: connection)
      }
    }
    return report
  }

  private func stepsUnlessDone(
    of undo: RecordUndo
  ) throws -> (UndoSteps, reports: [String: TableReport]) {
    do {
      return try steps(of: undo)
    } catch let error as RecordError {
      switch error {
      case .undo(.changedSince), .undo(.otherTable):
        if try isTakenBack(undo) { throw RecordError.undo(.takenBack) }
      default: break
      }
      throw error
    }
  }

  /// Whether each row is as it was before the sync.
  private func isTakenBack(_ undo: RecordUndo) throws -> Bool {
    var isBack = true
    try undo.changes.forEach { change in
      if isBack { isBack = try self.isBack(change) }
    }
    return isBack
  }

  private func isBack(_ change: borrowing RowChange) throws -> Bool {
    // A table that the sync made is gone with its rows.
    guard let place = schema.place(of: change.table) else { return change.operation == .deleted }
    let table = schema.tables[place]
    guard table.columns.count == change.columnCount, !table.primaryKey.isEmpty else { return false }
    let columns = 0..<change.columnCount
    let old = try columns.map { change.operation == .inserted ? nil : try change.old($0) }
    let new = try columns.map { change.operation == .deleted ? nil : try change.new($0) }
    let primary = table.primaryKey.compactMap { (new[$0] ?? old[$0]) ?? nil }
    let found = try row(RecordKey(primary), TableAccess(table))
    guard let found else { return change.operation == .deleted }
    return change.operation != .deleted && Self.isAsLeft(found.values, new)
  }

  private func steps(
    of undo: RecordUndo
  ) throws -> (UndoSteps, reports: [String: TableReport]) {
    var steps = UndoSteps()
    var reports: [String: TableReport] = [:]
    var accesses: [String: TableAccess] = [:]
    try undo.changes.forEach { change in
      let table = change.table
      guard let place = schema.place(of: table),
        schema.tables[place].columns.count == change.columnCount,
        // The changes tell columns by their places alone.
        undo.columns?[table] == nil
          || undo.columns?[table] == schema.tables[place].columns.map(\.name),
        !schema.tables[place].primaryKey.isEmpty
      else { throw RecordError.undo(.otherTable(table)) }
      let access = try accesses[table] ?? TableAccess(schema.tables[place])
      accesses[table] = access
      try add(change, access, to: &steps, &reports[table, default: TableReport()])
    }
    return (steps, reports)
  }

  private func add(
    _ change: borrowing RowChange, _ access: TableAccess, to steps: inout UndoSteps,
    _ report: inout TableReport
  ) throws {
    let table = access.schema
    let columns = 0..<change.columnCount
    let left = try columns.map {
      try change.operation == .inserted ? change.new($0) : change.old($0)
    }
    let primary = RecordKey(table.primaryKey.compactMap { left[$0] ?? nil })
    let found = try row(primary, access)
    guard let found else {
      guard change.operation == .inserted else {
        throw RecordError.undo(.changedSince(table: table.name, key: primary))
      }
      let values = left.map { $0 ?? nil }
      steps.insert(values, into: access)
      return report.inserted.append(RecordKey(table.key.columns.compactMap { values[$0] }))
    }
    let key = RecordKey(table.key.columns.compactMap { found.values[$0] })
    guard change.operation != .inserted, Self.isAsLeft(found.values, left) else {
      throw RecordError.undo(.changedSince(table: table.name, key: key))
    }
    guard change.operation == .updated else {
      steps.delete(found, from: access)
      return report.deleted.append(key)
    }
    let wanted = try columns.map { try change.new($0) }
    let changed = wanted.indices.filter { wanted[$0] != nil }
    steps.update(found, changed, to: changed.map { wanted[$0] ?? nil }, in: access)
    let names = changed.map { table.columns[$0].name }
    report.updated.append(UpdatedRow(key: key, columns: names))
  }

  private static func isAsLeft(_ found: [StoredValue?], _ left: [StoredValue??]) -> Bool {
    zip(found, left).allSatisfy { found, left in
      left.map { $0 == found } ?? true
    }
  }

  private func row(_ primary: RecordKey, _ access: TableAccess) throws -> FoundRow? {
    let parts: [SQL] = access.schema.primaryKey.map { "\(access.column($0)) = ?" }
    let sql: SQL = "\(access.select) WHERE \(parts, separator: " AND ")"
    return try access.row(sql, primary.values, connection)
  }

  private struct BrokenReference: Hashable {
    var table: String
    var row: Int64?
    var parent: String
    var number: Int64
  }

  private func brokenReferences() throws -> Set<BrokenReference> {
    Set(
      try connection.rows("PRAGMA foreign_key_check") { row in
        BrokenReference(
          table: try row.text("table"), row: try row.optionalInteger("rowid"),
          parent: try row.text("parent"), number: try row.integer("fkid"))
      })
  }
}

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
      do {
        try run(update, on: connection)
      } catch let error as DatabaseError where error.code == .constraint {
        blocked.append(update)
      }
    }
    for (number, update) in blocked.enumerated() { try park(update, number + 1, on: connection) }
    for update in blocked {
      try orRefuse(update.table) { try run(update, on: connection) }
    }
    for (table, values) in insertions {
      try orRefuse(table) {
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

  private func orRefuse(_ table: TableAccess, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.code == .constraint {
      throw RecordError.undo(.refused(table: table.schema.name))
    }
  }
}

extension RecordSchema {
  /// The tables whose rows are followed so that a sync of one can be taken back: all that it may
  /// change; throws if one of these can't be followed. Others are followed where that can be: a
  /// trigger may write to them.
  func followed(for table: Int) throws -> [Identifier] {
    for place in changed(withRowsOf: table).sorted() {
      if let obstacle = tables[place].obstacle {
        throw RecordError.undo(.unfollowable(table: tables[place].name, obstacle))
      }
    }
    return try tables.filter { $0.obstacle == nil }.map { try Identifier.checked($0.name) }
  }

  /// The histories of tables, which may only be made by a sync: versions are taken back with it.
  func followedHistories() throws -> [Identifier] {
    try tables.filter(\.keepsHistory).map {
      try Identifier.checked(HistoryNames.history(of: $0.name))
    }
  }

  /// The tables that a payload for this one reaches: by relations, and what the database deletes.
  func changed(withRowsOf table: Int) -> Set<Int> {
    var reached: Set<Int> = [table]
    var open = [table]
    while let next = open.popLast() {
      let own = tables[next]
      let related = own.relations.flatMap { [$0.kind.table, $0.kind.through].compactMap(\.self) }
      let following = tables.indices.filter { place in
        tables[place].foreignKeys.contains {
          $0.table == next && ![.none, .restrict].contains($0.onDelete)
        }
      }
      for other in own.extensions + [own.base].compactMap(\.self) + related + following
      where reached.insert(other).inserted { open.append(other) }
    }
    return reached
  }
}

extension TableSchema {
  fileprivate var obstacle: RecordError.Obstacle? {
    if primaryKey.isEmpty { return .noPrimaryKey }
    return columns.contains(where: \.isGenerated) ? .generatedColumns : nil
  }
}
