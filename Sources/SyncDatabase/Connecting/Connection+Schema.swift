extension Connection {
  /// Throws `.damaged` unless the file's tables and indexes are, letter by letter, those that the
  /// migrations make.
  ///
  /// SQLite believes a schema whatever it says: a flipped bit in one gives a table with other
  /// columns or constraints, and errors that speak of the program.
  func checkSchema(of migrations: [Migration]) throws {
    let model = try Connection(in: .memory, named: path, migrations: migrations)
    guard try schema() == model.schema() else {
      throw DatabaseError(code: .damaged, message: "its schema isn't ours", path: path)
    }
  }

  /// What SQLite keeps for itself (`sqlite_…`, statistics for one) is left out.
  private func schema() throws -> [[String]] {
    try rows(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY type, name
      """
    ) { row in
      [try row.text("type"), try row.text("name"), try row.text("tbl_name"), try row.text("sql")]
    }
  }
}
