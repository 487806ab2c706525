private import CSyncSQLite

/// A checksum over the values of a row, so that a bit that flipped in the file is noticed even
/// where it leaves a sound database behind: SQLite has none of its own for what it stores.
///
/// A table has it as its last column but for what migrations add later, kept by SQLite itself:
///
/// ```sql
/// CREATE TABLE notes (id INTEGER, text TEXT,
///   checksum INTEGER NOT NULL AS (row_checksum(id, text)) STORED)
/// ```
///
/// Every step is reversible, so that no change within eight bytes of the same place goes unnoticed,
/// and of others one in 2^64. It guards against accidents, not against people.
struct RowChecksum {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  var value: Int64 { Int64(bitPattern: state) }

  private mutating func add(_ word: UInt64) {
    state = (state ^ word) &* 0xFF51_AFD7_ED55_8CCD
    state ^= state >> 32
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    add(UInt64(bytes.count))
    var place = 0
    while place + 8 <= bytes.count {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place += 8
    }
    guard place < bytes.count else { return }
    add(bytes[place...].reduce(0) { $0 << 8 | UInt64($1) })
  }

  mutating func add(column: Int32, of statement: OpaquePointer) {
    // As a value, since its parts are asked for without a lock each. (SQLite allows that where one
    // thread at a time uses the connection.)
    add(sqlite3_column_value(statement, column))
  }

  // With its type: an empty text isn't NULL.
  private mutating func add(_ value: OpaquePointer?) {
    let type = sqlite3_value_type(value)
    add(UInt64(type))
    switch type {
    case SQLITE_INTEGER: add(UInt64(bitPattern: sqlite3_value_int64(value)))
    case SQLITE_FLOAT: add(sqlite3_value_double(value).bitPattern)
    case SQLITE_TEXT, SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      add(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    default: break
    }
  }

  static func install(in handle: OpaquePointer) {
    let traits = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    sqlite3_create_function_v2(
      handle, "row_checksum", -1, traits, nil,
      { context, count, values in
        var checksum = RowChecksum()
        for place in 0..<Int(count) { checksum.add(values?[place]) }
        sqlite3_result_int64(context, checksum.value)
      }, nil, nil, nil)
  }
}
