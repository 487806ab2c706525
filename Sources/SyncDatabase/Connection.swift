private import CSyncSQLite

/// One connection to one SQLite file. Synchronous; used by one thread at a time. It closes when
/// it is let go of.
///
/// SQL is a literal, checked by the compiler (`StaticString` can't be put together at run time):
/// values go in as bindings only. Statements are compiled once and kept.
///
/// ```swift
/// try connection.run("INSERT INTO notes (id, text) VALUES (?1, ?2)", 7, "seven")
/// let texts = try connection.rows("SELECT text FROM notes WHERE id > ?1", 5) { try $0.text(0) }
/// ```
package final class Connection {
  /// The file, as it was given.
  package let path: String
  /// How many statements have been compiled so far.
  package private(set) var compiledCount = 0

  private let handle: OpaquePointer
  // Outlives the handle: what is stored is let go of after `deinit`.
  private let directory: HeldDirectory?
  private var statements: [StatementKey: Statement] = [:]
  private var isInTransaction = false

  /// A connection over an open handle, which it owns from now on, in a directory that it holds.
  init(handle: OpaquePointer, path: String, in directory: HeldDirectory?) {
    self.handle = handle
    self.directory = directory
    self.path = path
    RowChecksum.install(in: handle)
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Runs every statement of a text, in order, without bindings and without looking at rows.
  package func execute(_ sql: StaticString) throws {
    try requireLiveTransaction(sql)
    let text = UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
    let result = sqlite3_exec(handle, text, nil, nil, nil)
    guard result == SQLITE_OK else {
      throw DatabaseError(result: result, handle: handle, sql: sql, path: path)
    }
  }

  /// Runs one statement and returns how many rows it inserted, changed or deleted.
  @discardableResult
  package func run(_ sql: StaticString, _ values: (any DatabaseValue)?...) throws -> Int {
    let before = sqlite3_total_changes64(handle)
    try each(sql, values) { _ in }
    // After a statement of another kind, SQLite repeats the count of the last one that counted.
    return sqlite3_total_changes64(handle) == before ? 0 : Int(sqlite3_changes64(handle))
  }

  /// Hands every row of a query to `body`, one after the other, as SQLite finds them.
  package func query(
    _ sql: StaticString, _ values: (any DatabaseValue)?...,
    each body: (borrowing Row) throws -> Void
  ) throws {
    try each(sql, values, body)
  }

  /// What `body` makes of every row of a query.
  package func rows<Value>(
    _ sql: StaticString, _ values: (any DatabaseValue)?...,
    map body: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    var result: [Value] = []
    try each(sql, values) { try result.append(body($0)) }
    return result
  }

  /// What `body` makes of the only row of a query; `nil` when there is none. A second row is an
  /// error (`.misuse`).
  package func row<Value>(
    _ sql: StaticString, _ values: (any DatabaseValue)?...,
    map body: (borrowing Row) throws -> Value
  ) throws -> Value? {
    var result: Value?
    try each(sql, values) { row in
      guard result == nil else {
        throw DatabaseError(
          code: .misuse, message: "more than one row", sql: sql.description, path: path)
      }
      result = try body(row)
    }
    return result
  }

  /// Runs `body` as one transaction: all of it is recorded when this returns, nothing when it
  /// throws.
  ///
  /// It holds the right to write from its start (`BEGIN IMMEDIATE`). Transactions don't nest: one
  /// within another is an error (`.misuse`), since the inner one could not keep the promise above.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    guard !isInTransaction else {
      throw DatabaseError(
        code: .misuse, message: "a transaction within a transaction", path: path)
    }
    try execute("BEGIN IMMEDIATE")
    isInTransaction = true
    defer { isInTransaction = false }
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite has rolled back by itself after some errors (a full disk, for one).
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Reads the whole file and throws `.damaged` with the first contradiction found.
  package func checkIntegrity() throws {
    let finding = try row("PRAGMA integrity_check(1)") { try $0.text(0) }
    guard finding == "ok" else {
      throw DatabaseError(code: .damaged, message: finding ?? "no finding", path: path)
    }
  }

  /// Moves everything in the write-ahead log into the file, durably if commits are, and empties
  /// the log; for a file that nobody else has open.
  package func moveLogIntoFile() throws {
    let isBusy = try row("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.flag(0) }
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

  private func each(
    _ sql: StaticString, _ values: [(any DatabaseValue)?], _ body: (borrowing Row) throws -> Void
  ) throws {
    try requireLiveTransaction(sql)
    let statement = try statement(sql)
    statement.isRunning = true
    defer {
      statement.reset()
      statement.isRunning = false
    }
    try statement.bind(values)
    while try statement.step() { try body(Row(statement)) }
  }

  private func statement(_ sql: StaticString) throws -> Statement {
    let key = StatementKey(sql)
    let kept = statements[key]
    if let kept, !kept.isRunning { return kept }
    let fresh = try Statement(sql, database: handle, path: path)
    compiledCount += 1
    if kept == nil { statements[key] = fresh }
    return fresh
  }

  /// A body that swallows the error after which SQLite rolled back would go on outside of any
  /// transaction, each statement recorded for itself.
  private func requireLiveTransaction(_ sql: StaticString) throws {
    guard !isInTransaction || sqlite3_get_autocommit(handle) == 0 else {
      throw DatabaseError(
        code: .misuse, message: "the transaction has ended already, after an error or by hand",
        sql: sql.description, path: path)
    }
  }
}

/// A literal's place and length: two literals of equal text may differ here, which costs a second
/// compilation and nothing else. The length counts, since a linker may let one literal end within
/// another.
private struct StatementKey: Hashable {
  let start: UnsafePointer<UInt8>
  let count: Int

  init(_ sql: StaticString) {
    start = sql.utf8Start
    count = sql.utf8CodeUnitCount
  }
}
