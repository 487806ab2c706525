private import CSyncSQLite

extension Connection {
  /// Runs `body`, within a transaction or not, in a way in which a table can take another one's
  /// place: foreign keys aren't enforced, and what names a table isn't looked at (sqlite.org,
  /// "ALTER TABLE", section 7). Who does so sees to it that foreign keys hold afterwards.
  package func replacingTables<Result>(_ body: () throws -> Result) throws -> Result {
    let isEnforced = try row("PRAGMA foreign_keys") { try $0.integer(0) } == 1
    try enforceForeignKeys(false)
    try execute("PRAGMA legacy_alter_table = ON")
    let result: Result
    do {
      result = try body()
    } catch {
      sqlite3_exec(handle, "PRAGMA legacy_alter_table = OFF", nil, nil, nil)
      csync_sqlite_enforce_foreign_keys(handle, isEnforced ? 1 : 0)
      throw error
    }
    try execute("PRAGMA legacy_alter_table = OFF")
    try enforceForeignKeys(isEnforced)
    return result
  }

  /// Unlike the pragma, this works in a transaction, too.
  private func enforceForeignKeys(_ isEnforced: Bool) throws {
    let result = csync_sqlite_enforce_foreign_keys(handle, isEnforced ? 1 : 0)
    guard result == SQLITE_OK else {
      throw DatabaseError(result: result, handle: handle, path: path)
    }
  }
}
