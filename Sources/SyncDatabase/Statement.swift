private import CSyncSQLite

/// A prepared statement: one SQL text, compiled once, run many times.
///
/// Internal to this room: a ``Connection`` prepares, binds, steps and resets.
final class Statement {
  let handle: OpaquePointer
  let sql: StaticString
  let path: String
  /// Whether rows of it are being read; a second use at that time needs a statement of its own.
  var isRunning = false

  /// Compiles `sql`, which must be exactly one statement.
  init(_ sql: StaticString, database: OpaquePointer, path: String) throws {
    var handle: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    let text = UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
    let result = sqlite3_prepare_v3(
      database, text, Int32(sql.utf8CodeUnitCount) + 1, UInt32(SQLITE_PREPARE_PERSISTENT),
      &handle, &tail)
    guard result == SQLITE_OK else {
      throw DatabaseError(result: result, handle: database, sql: sql, path: path)
    }
    guard let handle else {
      throw DatabaseError(
        code: .misuse, message: "no statement in the text", sql: sql.description, path: path)
    }
    self.handle = handle
    self.sql = sql
    self.path = path
    // SQLite compiles the first statement and says nothing of the others: they would never run.
    guard tail.map({ Statement.isBlank($0) }) ?? true else {
      throw misuse("more than one statement in the text; use execute for that")
    }
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds all parameters, in order. Their number must fit.
  func bind(_ values: [(any DatabaseValue)?]) throws {
    let expected = Int(sqlite3_bind_parameter_count(handle))
    guard values.count == expected else {
      throw misuse("\(values.count) values for \(expected) parameters")
    }
    for (offset, value) in values.enumerated() {
      let result = try bind(value?.storedValue, at: Int32(offset + 1))
      guard result == SQLITE_OK else { throw failure(result) }
    }
  }

  /// Steps to the next row; `false` when there is none.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let result: throw failure(result)
    }
  }

  /// Makes the statement ready to run again and lets go of the values.
  func reset() {
    // The result repeats the error of the last step, which has been thrown already.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func misuse(_ message: String) -> DatabaseError {
    DatabaseError(code: .misuse, message: message, sql: sql.description, path: path)
  }

  private func failure(_ result: Int32) -> DatabaseError {
    DatabaseError(result: result, handle: sqlite3_db_handle(handle), sql: sql, path: path)
  }

  private func bind(_ value: StoredValue?, at index: Int32) throws -> Int32 {
    switch value {
    case nil:
      return sqlite3_bind_null(handle, index)
    case .integer(let number):
      return sqlite3_bind_int64(handle, index, number)
    case .real(let number):
      // SQLite would store NULL for it, silently.
      guard !number.isNaN else { throw misuse("parameter \(index) is not a number") }
      return sqlite3_bind_double(handle, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        // A null pointer would mean NULL, and an empty buffer may have one.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_text(handle, index, "", 0, csync_sqlite_transient())
        }
        return UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(
            handle, index, $0, UInt64(bytes.count), csync_sqlite_transient(), UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
      return sqlite3_bind_blob64(
        handle, index, bytes, UInt64(bytes.count), csync_sqlite_transient())
    }
  }

  private static func isBlank(_ text: UnsafePointer<CChar>) -> Bool {
    var next = text
    while next.pointee != 0 {
      guard [0x20, 0x09, 0x0a, 0x0d, 0x3b].contains(next.pointee) else { return false }
      next += 1
    }
    return true
  }
}
