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
}
