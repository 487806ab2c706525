private import CSyncSQLite

extension Connection {
  /// Reads the whole file and throws `.damaged` with the first contradiction found.
  package func checkIntegrity() throws {
    let finding = try row("PRAGMA integrity_check(1)") { try $0.text(0) }
    guard finding == "ok" else {
      throw DatabaseError(code: .damaged, message: finding ?? "no finding", path: path)
    }
  }

  /// Moves everything in the write-ahead log into the file, durably unless the connection never
  /// waits for the disk (``ConnectionOptions/Synchronous/off``), and empties the log; for a file
  /// that nobody else has open.
  package func moveLogIntoFile() throws {
    let isBusy = try row("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.flag("busy") }
    guard isBusy == false else {
      throw DatabaseError(code: .busy, message: "its log is in use", path: path)
    }
  }

  /// Whether closing leaves the write-ahead log as it is, instead of moving it into the file.
  func keepLogOnClose(_ keep: Bool) {
    _ = csync_sqlite_keep_log_on_close(handle, keep ? 1 : 0)
  }

  /// Sets how long SQLite waits for other connections.
  func setBusyTimeout(_ timeout: Duration) {
    let parts = timeout.components
    let milliseconds = parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000
    sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
  }
}
