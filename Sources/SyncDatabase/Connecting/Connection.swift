private import CSyncSQLite

/// One connection to one SQLite file. Synchronous; used by one thread at a time. It closes when
/// it is let go of.
///
/// A statement is an ``SQL``, which no text read at run time can become a part of: values go in as
/// bindings, names as ``Identifier``s. Statements are compiled once and kept.
///
/// ```swift
/// try connection.run("INSERT INTO notes (id, text) VALUES (?1, ?2)", 7, "seven")
/// let texts = try connection.rows("SELECT text FROM notes WHERE id > ?1", 5) { row in
///   try row.text("text")
/// }
/// ```
package final class Connection {
  package let path: String
  /// How many statements have been compiled so far.
  private(set) var compiledCount = 0
  private(set) var statements = StatementCache()
  var isInTransaction = false
  /// Whether that is a snapshot which stays until the connection is closed.
  var holdsSnapshot = false

  let handle: OpaquePointer
  // Outlives the handle: what is stored is let go of after `deinit`.
  private let directory: DatabaseDirectory?

  /// A connection over an open handle, which it owns from now on, in a directory that it holds.
  init(handle: OpaquePointer, path: String, in directory: DatabaseDirectory?) {
    self.handle = handle
    self.directory = directory
    self.path = path
    RowChecksum.install(in: handle)
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Runs `body` over a statement with its values bound, and makes it ready for the next time.
  func withStatement(
    _ sql: SQL, _ values: Bindings, _ body: (Statement) throws -> Void
  ) throws {
    try withRunning(sql) { statement in
      guard sql.values.isEmpty || values.count == 0 else {
        throw statement.misuse("values within the text and beside it")
      }
      try statement.binding(sql.values.isEmpty ? values : .stored(sql.values)) {
        try body(statement)
      }
    }
  }

  /// Runs `body` over a statement to which nothing is bound yet; `body` makes it ready for the
  /// next time.
  @inline(__always)
  func withRunning<Result>(_ sql: SQL, _ body: (Statement) throws -> Result) throws -> Result {
    try requireUsable(sql.text)
    let statement = try statement(sql.text)
    statement.isRunning = true
    defer { statement.isRunning = false }
    return try body(statement)
  }

  private func statement(_ text: SQL.Text) throws -> Statement {
    let key = StatementCache.Key(text)
    let kept = statements.statement(key)
    if let kept, !kept.isRunning { return kept }
    let fresh = try Statement(text, database: handle, path: path)
    compiledCount += 1
    if kept == nil { statements.keep(fresh, for: key) }
    return fresh
  }

  func forgetStatements() { statements.removeAll() }

  /// A body that swallows the error after which SQLite rolled back would go on outside of any
  /// transaction, each statement recorded for itself.
  func requireUsable(_ sql: SQL.Text) throws {
    guard !isInTransaction || sqlite3_get_autocommit(handle) == 0 else {
      throw DatabaseError(
        code: .misuse, message: "the transaction has ended already, after an error or by hand",
        sql: sql.string, path: path)
    }
  }

  func check(_ result: Int32) throws {
    guard result == SQLITE_OK else {
      throw DatabaseError(result: result, handle: handle, path: path)
    }
  }

  func misuse(_ message: String) -> DatabaseError {
    DatabaseError(code: .misuse, message: message, path: path)
  }
}
