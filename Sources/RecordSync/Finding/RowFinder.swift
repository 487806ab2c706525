import SyncDatabase

/// Finds the rows of the tables of one pass: by their keys, by what stands in their columns, and
/// where references lead.
final class RowFinder {
  let connection: Connection
  let schema: RecordSchema
  let tables: [TableAccess]
  let search: RowSearch
  var references: References

  /// - Parameter operations: What the pass may do.
  init(_ connection: Connection, _ schema: RecordSchema, operations: Operations) throws {
    self.connection = connection
    self.schema = schema
    let conflicting = try connection.tablesWithConflictClauses()
    tables = try schema.tables.map { table in
      let access = try TableAccess(table)
      if conflicting.contains(table.name) { access.refuseConflicts() }
      return access
    }
    search = RowSearch(connection, schema, tables, findsOddForms: operations.deletes)
    references = References(schema, search)
  }

  /// The first row that holds a value in a column.
  func row(where column: Int, is value: StoredValue, in table: Int) throws -> FoundRow? {
    try search.rows(where: column, is: value, in: table).first
  }

  func row(at address: [StoredValue], in table: Int) throws -> FoundRow? {
    var found: FoundRow?
    try connection.query(tables[table].findByAddress, values: address) {
      found = try FoundRow($0, tables[table])
    }
    return found
  }

  /// A column that the database itself has filled.
  func reread(_ found: FoundRow, _ table: Int, _ column: Int) throws -> StoredValue? {
    try row(at: found.address, in: table)?.values[column]
  }

  /// What a reference to a row by a value holds; `nil` if there is no such row.
  func held(_ value: StoredValue, _ table: Int, _ column: Int) throws -> StoredValue? {
    try references.held(value, table, column, in: connection)
  }

  /// Does something that is taken back when it throws.
  func attempt(_ body: () throws -> Void) throws {
    let known = search.known
    do {
      try connection.savepoint(body)
    } catch {
      search.known = known
      throw error
    }
  }
}
