package import SyncDatabase
private import SyncText

/// Makes what a decision says, within a transaction: tables, columns and names. Rows that are there
/// move to these later (``SchemaChange/taking``), once their versions are kept.
package struct SchemaMaker {
  private let connection: Connection
  private let present: PresentTables

  package init(_ connection: Connection, _ present: PresentTables) {
    self.connection = connection
    self.present = present
  }

  package func make(_ changes: [SchemaChange]) throws {
    for case .widened(let column, let table, _, let type) in changes {
      guard let place = present.schema.place(of: table) else { continue }
      let own = present.schema.tables[place]
      let versions = try OpenVersions(of: own, column, on: connection)
      try ColumnRetyping(connection, own, column).perform(to: type)
      try versions?.follow()
    }
    if changes.contains(where: \.namesColumns) { try MadeNames.makeForColumns(in: connection) }
    if changes.contains(where: \.namesRelations) {
      try MadeNames.makeForRelations(in: connection)
    }
    for statement in changes.flatMap(\.statements) { try connection.run(statement) }
  }

  /// What the database knows of its columns.
  package var look: ColumnLook { ColumnLook(isWide: isWide, isBound: isBound) }

  private func isWide(_ column: String, of table: String) throws -> Bool {
    guard let table = Identifier(table), let column = Identifier(column) else { return false }
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
    let declared = present.declared[place]
    let isPlain =
      !own.isRequired && !own.hasDefault && own.keyPlace == 0 && own.collation == "BINARY"
      && !declared.foreignKeys.contains { $0.columns.contains { $0.isSameName(as: column) } }
      && !declared.uniques.contains { $0.columns.contains { declared.columns[$0].name == column } }
    guard isPlain else { return true }
    return try !ColumnRetyping(connection, present.schema.tables[place], column).isPossible()
  }
}

extension String {
  fileprivate func isSameName(as other: String) -> Bool { asciiLowercased == other.asciiLowercased }
}
