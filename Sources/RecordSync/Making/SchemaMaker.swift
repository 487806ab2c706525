import SyncDatabase
private import SyncText

/// Makes what a decision says, within a transaction: tables, columns and names. Rows that are there
/// move to these later (``TakenRows``), once their versions are kept.
struct SchemaMaker {
  private let connection: Connection
  private let present: PresentTables

  init(_ connection: Connection, _ present: PresentTables) {
    self.connection = connection
    self.present = present
  }

  func make(_ changes: [SchemaChange]) throws {
    for case .widened(let column, let table, _, let type) in changes {
      guard let place = present.schema.place(of: table) else { continue }
      let own = present.schema.tables[place]
      let versions = try OpenVersions(of: own, column, on: connection)
      try ColumnRetyping(connection, own, column).perform(to: type)
      try versions?.follow()
    }
    let all = try changes.map { try $0.statements }
    let (columns, relations) = (all.flatMap(\.columns), all.flatMap(\.relations))
    if !columns.isEmpty { try MadeNames.makeForColumns(in: connection) }
    if !relations.isEmpty { try MadeNames.makeForRelations(in: connection) }
    for statement in all.flatMap(\.made) + columns + relations { try connection.run(statement) }
  }

  /// What the database knows of its columns.
  var look: ColumnLook { ColumnLook(isWide: isWide, isBound: isBound) }

  private func isWide(_ column: String, of table: String) throws -> Bool {
    let (table, column) = (try Identifier.checked(table), try Identifier.checked(column))
    let most: Int64 = 1 << 53
    let found = try connection.row(
      "SELECT 1 AS one FROM \(table) WHERE \(column) > ?1 OR \(column) < ?2 LIMIT 1", most, -most
    ) { try $0.integer("one") }
    return found != nil
  }

  private func isBound(_ column: String, of table: String) throws -> Bool {
    guard let place = present.schema.place(of: table),
      let own = present.declared[place].columns.first(where: { $0.name == column })
    else { return true }
    let name = column.asciiLowercased
    let refers = present.declared[place].foreignKeys.contains { key in
      key.columns.contains { $0.asciiLowercased == name }
    }
    guard !refers, !own.isRequired, !own.hasDefault, own.collation == "BINARY" else { return true }
    return try !ColumnRetyping(connection, present.schema.tables[place], column).isPossible()
  }
}

extension Connection {
  /// Goes through rows; looks from time to time whether that was cancelled.
  func forEachRow(of sql: SQL, _ body: (borrowing Row) throws -> Void) throws {
    var rows = 0
    try query(sql, values: []) { row in
      try body(row)
      rows += 1
      if rows.isMultiple(of: 1_000) { try Task.checkCancellation() }
    }
  }
}
