private import CSyncSQLite

extension Connection {
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
