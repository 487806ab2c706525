private import CSyncSQLite

/// The values of one run of a statement.
enum Bindings {
  /// As a caller writes them.
  case written([(any DatabaseValue)?])
  /// As SQLite stores them.
  case stored([StoredValue?])

  var count: Int {
    switch self {
    case .written(let values): values.count
    case .stored(let values): values.count
    }
  }
}

extension Statement {
  /// Binds all parameters, in order. Their number must fit.
  func bind(_ values: Bindings) throws {
    let expected = Int(sqlite3_bind_parameter_count(handle))
    guard values.count == expected else {
      throw misuse("\(values.count) values for \(expected) parameters")
    }
    switch values {
    case .written(let values):
      for (offset, value) in values.enumerated() {
        try check(bind(value?.storedValue, at: Int32(offset + 1)))
      }
    case .stored(let values):
      for (offset, value) in values.enumerated() { try check(bind(value, at: Int32(offset + 1))) }
    }
  }

  /// Throws if SQLite's result code is an error.
  func check(_ result: Int32) throws {
    guard result == SQLITE_OK else { throw failure(result) }
  }

  /// Binds one parameter, counted from 1; gives SQLite's result code.
  func bind(_ value: StoredValue?, at index: Int32) throws -> Int32 {
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
}
