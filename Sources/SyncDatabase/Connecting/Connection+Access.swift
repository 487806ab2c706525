private import CSyncSQLite
private import SyncSystem

extension Connection {
  /// Whether its statements may write: the file, and the journal that a transaction needs beside
  /// it. Nothing is tried; a disk may still be full.
  package func mayWrite() throws -> Bool {
    guard sqlite3_db_readonly(handle, "main") == 0 else { return false }
    guard try row("PRAGMA query_only", map: { try $0.flag(0) }) == false else { return false }
    guard let file else { return true }
    let journal = try row("PRAGMA journal_mode") { try $0.text(0) }
    switch journal {
    case "memory", "off": return true
    case "wal":
      // Both are open by now, but maybe as files of somebody else's that we only read.
      return ["-wal", "-shm"].allSatisfy { access(file + $0, W_OK) == 0 || errno == ENOENT }
    default:
      let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
      return access(slash.map { String(file[...$0]) } ?? ".", W_OK | X_OK) == 0
    }
  }

  /// The file as SQLite knows it; `nil` of a database that nobody else sees.
  package var file: String? {
    guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return nil }
    return String(cString: name)
  }

  /// Removes the file, with what SQLite keeps beside it. The connection is only to be closed then.
  ///
  /// Others who have the file open, and don't use it just now, go on with one that has no name.
  /// Where somebody reads or writes it, and goes on for the whole busy timeout, nothing is removed
  /// (`.busy`).
  package func removeFile() throws {
    guard let file else { return }
    // So that nothing is lost that stands in the log, should this be cut short.
    if try row("PRAGMA journal_mode", map: { try $0.text(0) }) == "wal" { try moveLogIntoFile() }
    try execute("BEGIN EXCLUSIVE")
    // The file first: what stands beside a file that isn't there, SQLite removes by itself.
    guard unlink(file) == 0 else {
      let reason = String(cString: strerror(errno))
      try execute("ROLLBACK")
      throw DatabaseError(code: .readOnly, message: reason, path: path)
    }
    for suffix in ["-journal", "-wal", "-shm"] { unlink(file + suffix) }
  }

  /// From now on, statements only read: each that would write is an error (`.readOnly`).
  package func forbidWriting() throws { try execute("PRAGMA query_only = ON") }

  /// From now on, and until it is closed, what it reads stays as it is now, whatever others write
  /// meanwhile. Transactions are errors (`.misuse`) from then on; ``reading(_:)`` isn't.
  ///
  /// In write-ahead mode nobody is held up by it, but the log grows until it is closed. In other
  /// modes nobody can write as long.
  package func holdSnapshot() throws {
    guard !isInTransaction else {
      throw misuse("a snapshot within a transaction")
    }
    try execute("BEGIN")
    (isInTransaction, holdsSnapshot) = (true, true)
    // A transaction begins with its first look.
    _ = try row("SELECT count(*) FROM sqlite_schema") { try $0.integer(0) }
  }

  /// Runs every statement of a text that the person wrote whose program this is, as a part of the
  /// running transaction. Outside of a ``transaction(_:)`` it is an error (`.misuse`).
  package func execute(written text: String) throws {
    guard isInTransaction else {
      throw misuse("statements outside a transaction")
    }
    guard !text.utf8.contains(0) else {
      throw DatabaseError(code: .statement, message: "a NUL in the text", path: path)
    }
    let result = sqlite3_exec(handle, text, nil, nil, nil)
    guard result == SQLITE_OK else {
      throw DatabaseError(result: result, handle: handle, sql: text, path: path)
    }
  }

  /// Runs `body`, in which a statement that would begin or end a transaction is an error.
  package func withoutTransactions<Result>(_ body: () throws -> Result) throws -> Result {
    // Whether a statement may run is asked when it is compiled.
    forgetStatements()
    sqlite3_set_authorizer(
      handle,
      { _, action, _, _, _, _ in action == SQLITE_TRANSACTION ? SQLITE_DENY : SQLITE_OK }, nil)
    defer {
      sqlite3_set_authorizer(handle, nil, nil)
      forgetStatements()
    }
    return try body()
  }

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

  func setBusyTimeout(_ timeout: Duration) {
    let parts = timeout.components
    let milliseconds = parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000
    sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
  }
}
