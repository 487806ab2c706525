private import CSyncSQLite

extension Connection {
  /// Throws `.damaged` unless the file's tables and indexes are, letter by letter, those that the
  /// migrations make.
  ///
  /// SQLite believes a schema whatever it says: a flipped bit in one gives a table with other
  /// columns or constraints, and errors that speak of the program.
  ///
  /// - Parameter declared: What the names of indexes begin with that aren't looked at.
  func checkSchema(of migrations: [Migration], but declared: String?) throws {
    let model = try Connection(in: .memory, named: path, migrations: migrations)
    guard try schema(but: declared) == model.schema(but: nil) else {
      throw DatabaseError(code: .damaged, message: "its schema isn't ours", path: path)
    }
  }

  /// What SQLite keeps for itself (`sqlite_…`, statistics for one) is left out.
  private func schema(but declared: String?) throws -> [[String]] {
    try rows(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND NOT (type = 'index' AND coalesce(substr(name, 1, length(?1)) = ?1, 0))
      ORDER BY type, name
      """, declared
    ) { row in
      [try row.text("type"), try row.text("name"), try row.text("tbl_name"), try row.text("sql")]
    }
  }

  /// Whether the file has a table of this name, in just these letters.
  package func hasTable(_ name: String) throws -> Bool {
    let sql: SQL = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1"
    return try row(sql, name) { _ in } != nil
  }

  /// The name of the collating sequence by which a column's values are told apart: `BINARY`,
  /// `NOCASE`, `RTRIM`, or one that a program defines (sqlite.org,
  /// `sqlite3_table_column_metadata`). A table or column that isn't there is an error.
  package func collation(ofColumn column: String, in table: String) throws -> String {
    var name: UnsafePointer<CChar>?
    let result = sqlite3_table_column_metadata(
      handle, "main", table, column, nil, &name, nil, nil, nil)
    guard result == SQLITE_OK, let name else {
      throw DatabaseError(result: result, handle: handle, path: path)
    }
    return String(cString: name)
  }

  /// Runs `body`, within a transaction or not, in a way in which a table can take another one's
  /// place: foreign keys aren't enforced, and what names a table isn't looked at (sqlite.org,
  /// "ALTER TABLE", section 7). Who does so sees to it that foreign keys hold afterwards.
  package func replacingTables<Result>(_ body: () throws -> Result) throws -> Result {
    let isEnforced = try row("PRAGMA foreign_keys") { try $0.integer(0) } == 1
    try enforceForeignKeys(false)
    try execute("PRAGMA legacy_alter_table = ON")
    let result: Result
    do {
      result = try body()
    } catch {
      sqlite3_exec(handle, "PRAGMA legacy_alter_table = OFF", nil, nil, nil)
      csync_sqlite_enforce_foreign_keys(handle, isEnforced ? 1 : 0)
      throw error
    }
    try execute("PRAGMA legacy_alter_table = OFF")
    try enforceForeignKeys(isEnforced)
    return result
  }

  /// Unlike the pragma, this works in a transaction, too.
  private func enforceForeignKeys(_ isEnforced: Bool) throws {
    let result = csync_sqlite_enforce_foreign_keys(handle, isEnforced ? 1 : 0)
    try check(result)
  }
}
