private import CSyncSQLite
private import SyncSystem

/// A statement in the hands of whoever runs it for very many keys: bytes go in and are compared
/// where they lie, without a copy.
///
/// ```swift
/// try connection.withCursor("SELECT name FROM notes WHERE id = ?1") { cursor in
///   for note in notes {
///     try cursor.bind(note.id, at: 1)
///     defer { cursor.reset() }
///     guard try cursor.step(), cursor.holds(note.name, at: 0) else { … }
///   }
/// }
/// ```
///
/// Parameters are counted from 1, columns from 0. A cursor is valid only within the closure that it
/// is given to, and no statement of the same text may run meanwhile.
package struct Cursor: ~Copyable {
  private let statement: Statement
  private let connection: Connection

  init(_ statement: Statement, _ connection: Connection) {
    self.statement = statement
    self.connection = connection
  }

  package func step() throws -> Bool { try statement.step() }

  /// Runs a statement that gives no rows, and makes it ready for the next time.
  package func run() throws {
    try connection.requireUsable(statement.sql)
    defer { reset() }
    while try statement.step() {}
  }

  /// Makes the statement ready to run again. Parameters keep their values until they are bound
  /// anew.
  package func reset() {
    // The result repeats the error of the last step, which has been thrown already.
    sqlite3_reset(statement.handle)
  }
}

// MARK: - What goes in

extension Cursor {
  package func bind(_ number: Int64, at parameter: Int) throws {
    try statement.check(sqlite3_bind_int64(statement.handle, Int32(parameter), number))
  }

  /// Binds a number in double precision, which must be one.
  package func bind(_ number: Double, at parameter: Int) throws {
    try bind(.real(number), at: parameter)
  }

  /// Binds a text in UTF-8, whose bytes must stay where they are until the parameter is bound anew,
  /// or the closure ends.
  package func bind(_ text: UnsafeBufferPointer<UInt8>, at parameter: Int) throws {
    guard let start = text.baseAddress, !text.isEmpty else {
      return try bind(.text(""), at: parameter)
    }
    let result = UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: text.count) {
      sqlite3_bind_text64(
        statement.handle, Int32(parameter), $0, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
    }
    try statement.check(result)
  }

  package func bind(_ value: StoredValue?, at parameter: Int) throws {
    try statement.check(statement.bind(value, at: Int32(parameter)))
  }

  /// Binds a text while `body` runs the statement, without a copy of it.
  package func binding<Result>(
    _ text: String, at parameter: Int, _ body: () throws -> Result
  ) throws -> Result {
    var text = text
    return try text.withUTF8 { bytes in
      try bind(bytes, at: parameter)
      return try body()
    }
  }
}

// MARK: - What comes out

extension Cursor {
  package func isNull(at column: Int) -> Bool { type(of: column) == SQLITE_NULL }

  /// The whole number that a column holds; `nil` for any other value.
  package func integer(at column: Int) -> Int64? {
    let value = cell(at: column)
    return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
  }

  /// The number in double precision that a column holds; `nil` for any other value.
  package func real(at column: Int) -> Double? {
    guard type(of: column) == SQLITE_FLOAT else { return nil }
    return sqlite3_column_double(statement.handle, Int32(column))
  }

  /// The bytes that a column holds, where they lie until the next step; `nil` for any other value.
  package func blob(at column: Int) -> UnsafeRawBufferPointer? {
    let value = cell(at: column)
    guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
    // Of no bytes there is no place.
    let start = sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  package func holds(_ text: UnsafeBufferPointer<UInt8>, at column: Int) -> Bool {
    guard type(of: column) == SQLITE_TEXT,
      let start = sqlite3_column_text(statement.handle, Int32(column)),
      Int(sqlite3_column_bytes(statement.handle, Int32(column))) == text.count
    else { return false }
    guard let other = text.baseAddress, !text.isEmpty else { return true }
    return memcmp(start, other, text.count) == 0
  }

  /// What a column holds, whatever it is; `nil` for NULL.
  package func value(at column: Int) throws -> StoredValue? {
    try Row(statement).value(Column(at: column))
  }

  // As a value, since its parts are asked for without a lock each. (SQLite allows that where one
  // thread at a time uses the connection.)
  private func cell(at column: Int) -> OpaquePointer? {
    sqlite3_column_value(statement.handle, Int32(column))
  }

  private func type(of column: Int) -> Int32 {
    sqlite3_column_type(statement.handle, Int32(column))
  }
}

extension Connection {
  /// Lends a statement to whoever runs it for very many keys.
  package func withCursor<Result>(
    _ sql: SQL, _ body: (borrowing Cursor) throws -> Result
  ) throws -> Result {
    try withRunning(sql) { statement in
      defer { statement.reset() }
      return try body(Cursor(statement, self))
    }
  }
}
