import SyncDatabase
import SyncEngine

extension RecordRun {
  /// A key as the table tells it from others.
  func identity(of key: RecordKey) -> RecordKey {
    KeyIdentity(schema.tables[table]).identity(of: key)
  }

  /// Deletes the rows of these keys that are in scope, as far as the database allows it.
  func remove(_ keys: Set<RecordKey>) throws -> RecordReport {
    var report = RecordReport(status: .written)
    try connection.transaction {
      try connection.execute("PRAGMA defer_foreign_keys = ON")
      let task = PassTask(operations: [.delete]) { _ in
        try Task.checkCancellation()
      }
      let pass = try RecordPass(connection, schema, task)
      let rows = try rowsInScope(pass).filter { keys.contains(identity(of: $0.key)) }
      if let links = scope.links {
        pass.top = TopRows()
        try pass.linkTop(links, of: table, unlinking: rows)
      } else {
        pass.notes.removals.add(
          rows, to: Removals.Group(table: table, column: nil, relation: "", unlinks: false))
        try pass.finish(.unlimited)
      }
      try pass.finder.search.end()
      report.tables = pass.notes.report.reports()
    }
    if !report.hasChanges { report.status = .unchanged }
    return report
  }

  /// Links the rows that the payload names to the parent, and puts them into its order.
  func settleTop(_ pass: RecordPass) throws {
    if let links = scope.links {
      try pass.linkTop(links, of: table, unlinking: try rowsInScope(pass))
    }
    try pass.orderTop(table, within: scope.condition(pass.finder.tables[table]))
  }

  /// The rows of which the payload speaks, in the order of their addresses.
  func rowsInScope(_ pass: RecordPass) throws -> [KeyedRow] {
    var rows: [KeyedRow] = []
    try forEachRowInScope(pass) { rows.append($0) }
    return rows
  }

  /// Hands over the rows of which the payload speaks, in the order of their addresses.
  ///
  /// - Parameter isLeftOut: Of which rows nothing is handed over.
  func forEachRowInScope(
    _ pass: RecordPass, unless isLeftOut: (borrowing Row) throws -> Bool = { _ in false },
    _ body: (KeyedRow) throws -> Void
  ) throws {
    let access = pass.finder.tables[table]
    var count = 0
    try connection.explainingCondition(isThere: options.scope?.condition != nil) {
      try connection.query(access.keys(where: scope.condition(access))) { row in
        count += 1
        if count.isMultiple(of: 1_000) { try Task.checkCancellation() }
        if try !isLeftOut(row) { try body(try KeyedRow(row, access)) }
      }
    }
  }
}
