private import CSyncSQLite

extension Connection {
  /// Runs `body`, in which no statement is compiled that does more than read rows: it fails with
  /// ``DatabaseError/Code/statement``. What was compiled before isn't looked at again.
  ///
  /// What a statement would do is asked while it is compiled (sqlite.org, "Compile-Time
  /// Authorization Callbacks"). A pragma that stands as a table in it may do anything, and is
  /// refused as well.
  package func onlyReading<Result>(_ body: () throws -> Result) throws -> Result {
    sqlite3_set_authorizer(
      handle, { _, action, first, second, _, _ in mayDo(action, first, second) }, nil)
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    return try body()
  }
}

private typealias Name = UnsafePointer<CChar>

/// The authorizer's answer for an action, by what it is done to and with.
private func mayDo(_ action: Int32, _ first: Name?, _ second: Name?) -> Int32 {
  switch action {
  case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE: SQLITE_OK
  case SQLITE_READ: isEqual(first, "pragma_", 7) ? SQLITE_DENY : SQLITE_OK
  // What a virtual table does that is first met; SQLite itself protects the schema.
  case SQLITE_UPDATE where isEqual(first, "sqlite_master", 14): SQLITE_OK
  // An index for searching asks for these by itself.
  case SQLITE_PRAGMA where second == nil && isEqual(first, "data_version", 13): SQLITE_OK
  case SQLITE_PRAGMA where second == nil && isEqual(first, "page_size", 10): SQLITE_OK
  default: SQLITE_DENY
  }
}

/// Whether so many bytes are equal, whatever their case; one more than a name has is its end.
private func isEqual(_ name: Name?, _ other: String, _ count: Int32) -> Bool {
  name.map { sqlite3_strnicmp($0, other, count) == 0 } ?? false
}
