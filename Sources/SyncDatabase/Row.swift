private import CSyncSQLite

/// One row of a query, valid only within the closure that it is given to (it can't be copied out).
///
/// Columns are numbered from 0. Reading is strict: a column that holds another type than the one
/// asked for is an error (`.wrongType`), never a conversion.
package struct Row: ~Copyable {
  private let statement: Statement
  private let count: Int32

  init(_ statement: Statement) {
    self.statement = statement
    count = sqlite3_column_count(statement.handle)
  }

  /// A whole number.
  package func integer(_ column: Int32) throws -> Int64 {
    try require(SQLITE_INTEGER, column)
    return sqlite3_column_int64(statement.handle, column)
  }

  /// A number in double precision.
  package func real(_ column: Int32) throws -> Double {
    try require(SQLITE_FLOAT, column)
    return sqlite3_column_double(statement.handle, column)
  }

  /// A whole number that is 0 or 1.
  package func flag(_ column: Int32) throws -> Bool {
    switch try integer(column) {
    case 0: false
    case 1: true
    default: throw wrongType(column, "a flag is neither 0 nor 1")
    }
  }

  /// Text; bytes that aren't UTF-8 are an error.
  package func text(_ column: Int32) throws -> String {
    try require(SQLITE_TEXT, column)
    let start = sqlite3_column_text(statement.handle, column)
    let bytes = UnsafeBufferPointer(start: start, count: length(column))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw wrongType(column, "the text is not UTF-8")
    }
    return text
  }

  /// Bytes.
  package func blob(_ column: Int32) throws -> [UInt8] {
    try require(SQLITE_BLOB, column)
    // SQLite gives a null pointer for no bytes.
    guard let start = sqlite3_column_blob(statement.handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: length(column)))
  }

  /// Whether the column holds NULL.
  package func isNull(_ column: Int32) throws -> Bool {
    try type(column) == SQLITE_NULL
  }

  /// A whole number, or `nil` for NULL.
  package func optionalInteger(_ column: Int32) throws -> Int64? {
    try isNull(column) ? nil : integer(column)
  }

  /// A number in double precision, or `nil` for NULL.
  package func optionalReal(_ column: Int32) throws -> Double? {
    try isNull(column) ? nil : real(column)
  }

  /// Text, or `nil` for NULL.
  package func optionalText(_ column: Int32) throws -> String? {
    try isNull(column) ? nil : text(column)
  }

  /// Bytes, or `nil` for NULL.
  package func optionalBlob(_ column: Int32) throws -> [UInt8]? {
    try isNull(column) ? nil : blob(column)
  }

  /// Makes sure that a column holds the ``RowChecksum`` of all columns before it; throws `.damaged`
  /// if not.
  package func requireChecksum(_ column: Int32) throws {
    var checksum = RowChecksum()
    for place in 0..<column { checksum.add(column: place, of: statement.handle) }
    guard try integer(column) == checksum.value else {
      throw DatabaseError(
        code: .damaged, message: "a row isn't what was written",
        sql: statement.sql.description, path: statement.path)
    }
  }

  /// The error to throw when a column's value has the right type and makes no sense all the same.
  package func wrongType(_ column: Int32, _ what: String) -> DatabaseError {
    let name = sqlite3_column_name(statement.handle, column).map { String(cString: $0) }
    return DatabaseError(
      code: .wrongType, message: "column \(name ?? "\(column)"): \(what)",
      sql: statement.sql.description, path: statement.path)
  }

  private func length(_ column: Int32) -> Int {
    Int(sqlite3_column_bytes(statement.handle, column))
  }

  private func type(_ column: Int32) throws -> Int32 {
    // SQLite answers NULL for a column that doesn't exist.
    guard column >= 0, column < count else {
      throw statement.misuse("column \(column) of \(count)")
    }
    return sqlite3_column_type(statement.handle, column)
  }

  private func require(_ expected: Int32, _ column: Int32) throws {
    let found = try type(column)
    guard found == expected else {
      throw wrongType(column, "\(Self.name(found)) instead of \(Self.name(expected))")
    }
  }

  private static func name(_ type: Int32) -> String {
    switch type {
    case SQLITE_INTEGER: "an integer"
    case SQLITE_FLOAT: "a real"
    case SQLITE_TEXT: "a text"
    case SQLITE_BLOB: "a blob"
    default: "NULL"
    }
  }
}
