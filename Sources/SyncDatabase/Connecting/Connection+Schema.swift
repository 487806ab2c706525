private import CSyncSQLite

extension Connection {
  /// Throws `.damaged` unless the file's tables and indexes are, letter by letter, those that the
  /// migrations make.
  ///
  /// SQLite believes a schema whatever it says: a flipped bit in one gives a table with other
  /// columns or constraints, and errors that speak of the program.
  ///
  /// - Parameter declared: What the names begin with of what isn't looked at.
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
        AND NOT coalesce(substr(name, 1, length(?1)) = ?1, 0)
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
}
