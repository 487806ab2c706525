private import CSyncSQLite

enum Bindings {
  case written([(any DatabaseValue)?])
  case stored([StoredValue?])

  var count: Int {
    switch self {
    case .written(let values): values.count
    case .stored(let values): values.count
    }
  }
}

extension Statement {
  /// Runs `body` with all parameters bound, in order, and makes the statement ready for the next
  /// time. The number of the values must fit.
  func binding(_ values: Bindings, _ body: () throws -> Void) throws {
    switch values {
    case .written(let values): try binding(values.map { $0?.storedValue }, body)
    case .stored(let values): try binding(values, body)
    }
  }

  private func binding(_ values: [StoredValue?], _ body: () throws -> Void) throws {
    let expected = Int(sqlite3_bind_parameter_count(handle))
    guard values.count == expected else {
      throw misuse("\(values.count) values for \(expected) parameters")
    }
    guard expected > 0 else {
      defer { reset() }
      return try body()
    }
    // One room for the bytes of all values, which SQLite needn't copy one by one.
    let count = values.reduce(0) { $0 + ($1?.byteCount ?? 0) }
    try withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { room in
      defer { reset() }
      var used = 0
      for (offset, value) in values.enumerated() {
        try check(bind(value, at: Int32(offset + 1), lyingIn: room, from: &used))
      }
      try body()
    }
  }

  /// As ``bind(_:at:)``, but that a text's or blob's bytes lie in `room` as long as it is bound.
  private func bind(
    _ value: StoredValue?, at index: Int32, lyingIn room: UnsafeMutableRawBufferPointer,
    from used: inout Int
  ) throws -> Int32 {
    func put(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      let place = UnsafeMutableRawBufferPointer(rebasing: room[used..<used + bytes.count])
      place.copyMemory(from: bytes)
      used += bytes.count
      return UnsafeRawBufferPointer(place)
    }
    switch value {
    case .text(var text) where !text.isEmpty:
      let bytes = text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
      return sqlite3_bind_text64(
        handle, index, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
    case .blob(let blob) where !blob.isEmpty:
      let bytes = blob.withUnsafeBytes(put)
      return sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
    case nil, .integer, .real, .text, .blob: return try bind(value, at: index)
    }
  }

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

extension StoredValue {
  fileprivate var byteCount: Int {
    switch self {
    case .integer, .real: 0
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}
