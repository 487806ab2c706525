private import CSyncSQLite
private import SyncSystem

/// One row of a query, valid only within the closure that it is given to (it can't be copied out).
///
/// Columns are asked for by name, or counted from 0. Reading is strict: a column that holds another
/// type than the one asked for is an error (`.wrongType`), never a conversion. A name that the
/// result doesn't have, or has twice, is an error (`.statement`), a place beyond it another
/// (`.misuse`).
package struct Row: ~Copyable {
  private let statement: Statement
  private let count: Int32

  init(_ statement: Statement) {
    self.statement = statement
    count = sqlite3_column_count(statement.handle)
  }

  package var columnCount: Int { Int(count) }

  package var columnNames: [String] {
    (0..<count).map { place in
      sqlite3_column_name(statement.handle, place).map { String(cString: $0) } ?? ""
    }
  }

  package func integer(_ column: Column) throws -> Int64 {
    let place = try self.place(column)
    try require(SQLITE_INTEGER, at: place)
    return sqlite3_column_int64(statement.handle, place)
  }

  package func real(_ column: Column) throws -> Double {
    let place = try self.place(column)
    try require(SQLITE_FLOAT, at: place)
    return sqlite3_column_double(statement.handle, place)
  }

  /// A whole number that is 0 or 1.
  package func flag(_ column: Column) throws -> Bool {
    switch try integer(column) {
    case 0: false
    case 1: true
    default: throw wrongType(column, "a flag is neither 0 nor 1")
    }
  }

  /// Text; bytes that aren't UTF-8 are an error.
  package func text(_ column: Column) throws -> String {
    let place = try self.place(column)
    try require(SQLITE_TEXT, at: place)
    return try text(at: place)
  }

  package func blob(_ column: Column) throws -> [UInt8] {
    let place = try self.place(column)
    try require(SQLITE_BLOB, at: place)
    return blob(at: place)
  }

  package func isNull(_ column: Column) throws -> Bool {
    sqlite3_column_type(statement.handle, try place(column)) == SQLITE_NULL
  }

  package func optionalInteger(_ column: Column) throws -> Int64? {
    let place = try self.place(column)
    guard try isThere(SQLITE_INTEGER, at: place) else { return nil }
    return sqlite3_column_int64(statement.handle, place)
  }

  package func optionalReal(_ column: Column) throws -> Double? {
    let place = try self.place(column)
    guard try isThere(SQLITE_FLOAT, at: place) else { return nil }
    return sqlite3_column_double(statement.handle, place)
  }

  package func optionalText(_ column: Column) throws -> String? {
    let place = try self.place(column)
    guard try isThere(SQLITE_TEXT, at: place) else { return nil }
    return try text(at: place)
  }

  package func optionalBlob(_ column: Column) throws -> [UInt8]? {
    let place = try self.place(column)
    guard try isThere(SQLITE_BLOB, at: place) else { return nil }
    return blob(at: place)
  }

  /// What the column holds, whatever it is; `nil` for NULL.
  package func value(_ column: Column) throws -> StoredValue? {
    let place = try self.place(column)
    return switch sqlite3_column_type(statement.handle, place) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement.handle, place))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement.handle, place))
    case SQLITE_TEXT: .text(try text(at: place))
    case SQLITE_BLOB: .blob(blob(at: place))
    default: nil
    }
  }

  /// Makes sure that a column holds the ``RowChecksum`` of all columns before it; throws `.damaged`
  /// if not.
  package func requireChecksum(_ column: Column) throws {
    let end = try place(column)
    var checksum = RowChecksum()
    for place in 0..<end { checksum.add(column: place, of: statement.handle) }
    guard try integer(Column(at: Int(end))) == checksum.value else {
      throw DatabaseError(
        code: .damaged, message: "a row isn't what was written", sql: statement.sql.string,
        path: statement.path)
    }
  }

  /// The error to throw when a column's value has the right type and makes no sense all the same.
  package func wrongType(_ column: Column, _ what: String) -> DatabaseError {
    let place = try? place(column)
    let name = place.flatMap { sqlite3_column_name(statement.handle, $0) }
    return DatabaseError(
      code: .wrongType, message: "column \(name.map { String(cString: $0) } ?? "?"): \(what)",
      sql: statement.sql.string, path: statement.path)
  }
}

extension Row {
  private func wrongType(at place: Int32, _ what: String) -> DatabaseError {
    wrongType(Column(at: Int(place)), what)
  }

  private func place(_ column: Column) throws -> Int32 {
    let place = try statement.place(of: column)
    // SQLite answers NULL for a column that doesn't exist.
    guard place >= 0, place < count else { throw statement.misuse("column \(place) of \(count)") }
    return place
  }

  private func require(_ expected: Int32, at place: Int32) throws {
    let found = sqlite3_column_type(statement.handle, place)
    guard found == expected else {
      throw wrongType(at: place, "\(Self.name(found)) instead of \(Self.name(expected))")
    }
  }

  /// Whether a column isn't NULL; then it must be of this type.
  private func isThere(_ expected: Int32, at place: Int32) throws -> Bool {
    let found = sqlite3_column_type(statement.handle, place)
    if found == expected { return true }
    guard found == SQLITE_NULL else {
      throw wrongType(at: place, "\(Self.name(found)) instead of \(Self.name(expected))")
    }
    return false
  }

  private func text(at place: Int32) throws -> String {
    // A null pointer means that there was no memory; no text at all is a pointer to its NUL.
    guard let start = sqlite3_column_text(statement.handle, place) else {
      throw statement.failure(SQLITE_NOMEM)
    }
    let bytes = UnsafeBufferPointer(start: start, count: length(place))
    // Where bytes had to be mended, they differ. (Swift's own check takes three times as long.)
    var text = String(decoding: bytes, as: UTF8.self)
    let isAsStored = text.withUTF8 { mended in
      guard mended.count == bytes.count, let copy = mended.baseAddress else { return bytes.isEmpty }
      return memcmp(copy, start, bytes.count) == 0
    }
    guard isAsStored else { throw wrongType(at: place, "the text is not UTF-8") }
    return text
  }

  private func blob(at place: Int32) -> [UInt8] {
    // SQLite gives a null pointer for no bytes.
    guard let start = sqlite3_column_blob(statement.handle, place) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: length(place)))
  }

  private func length(_ place: Int32) -> Int { Int(sqlite3_column_bytes(statement.handle, place)) }

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
