private import CSyncSQLite

extension Connection {
  /// Runs every statement of a literal, in order, without bindings and without looking at rows.
  package func execute(_ sql: StaticString) throws {
    try requireUsable(.literal(sql))
    let text = UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
    let result = sqlite3_exec(handle, text, nil, nil, nil)
    guard result == SQLITE_OK else {
      throw DatabaseError(result: result, handle: handle, sql: sql.description, path: path)
    }
  }

  /// Runs one statement and returns how many rows it inserted, changed or deleted, without those
  /// that triggers and foreign keys did; ``totalChanges`` counts these too.
  @discardableResult
  package func run(_ sql: SQL, _ values: (any DatabaseValue)?...) throws -> Int {
    try run(sql, .written(values))
  }

  /// As ``run(_:_:)``, for values whose number is known at run time only; also the faster form for
  /// very many rows of many values.
  @discardableResult
  package func run(_ sql: SQL, values: [StoredValue?]) throws -> Int {
    try run(sql, .stored(values))
  }

  private func run(_ sql: SQL, _ values: Bindings) throws -> Int {
    let before = totalChanges
    try each(sql, values) { _ in }
    // After a statement of another kind, SQLite repeats the count of the last one that counted.
    return totalChanges == before ? 0 : Int(sqlite3_changes64(handle))
  }

  /// Hands every row of a query to `body`, one after the other, as SQLite finds them.
  package func query(
    _ sql: SQL, _ values: (any DatabaseValue)?..., each body: (borrowing Row) throws -> Void
  ) throws {
    try each(sql, .written(values), body)
  }

  /// As ``query(_:_:each:)``, for values whose number is known at run time only.
  package func query(
    _ sql: SQL, values: [StoredValue?], each body: (borrowing Row) throws -> Void
  ) throws {
    try each(sql, .stored(values), body)
  }

  /// What `body` makes of every row of a query.
  package func rows<Value>(
    _ sql: SQL, _ values: (any DatabaseValue)?..., map body: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    var result: [Value] = []
    try each(sql, .written(values)) { try result.append(body($0)) }
    return result
  }

  /// What `body` makes of the only row of a query; `nil` when there is none. A second row is an
  /// error (`.misuse`).
  package func row<Value>(
    _ sql: SQL, _ values: (any DatabaseValue)?..., map body: (borrowing Row) throws -> Value
  ) throws -> Value? {
    var result: Value?
    try each(sql, .written(values)) { row in
      guard result == nil else {
        throw DatabaseError(
          code: .misuse, message: "more than one row", sql: sql.description, path: path)
      }
      result = try body(row)
    }
    return result
  }

  /// Whether each parameter of a statement is a `?` alone, and none can mean the value of another.
  package func hasPlainParameters(_ sql: SQL) throws -> Bool {
    try withRunning(sql) { statement in
      (0..<sqlite3_bind_parameter_count(statement.handle)).allSatisfy {
        sqlite3_bind_parameter_name(statement.handle, $0 + 1) == nil
      }
    }
  }

  /// How many rows this connection has inserted, changed or deleted since it was opened, by
  /// statements, triggers and foreign keys; also of transactions that were rolled back.
  package var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// Whether the running transaction has broken foreign keys whose check waits for its end, so that
  /// it couldn't be recorded as it is (sqlite.org, `SQLITE_DBSTATUS_DEFERRED_FKS`).
  package var breaksForeignKeys: Bool {
    var (broken, highest) = (Int32(0), Int32(0))
    sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &broken, &highest, 0)
    return broken != 0
  }

  /// The number that SQLite gave the row that was inserted last (sqlite.org,
  /// `sqlite3_last_insert_rowid`). It says nothing after an insertion that left a row out, or into
  /// a table `WITHOUT ROWID`.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  private func each(
    _ sql: SQL, _ values: Bindings, _ body: (borrowing Row) throws -> Void
  ) throws {
    try withStatement(sql, values) { statement in
      var isRow = try statement.step()
      statement.noticeRecompilation()
      while isRow {
        try body(Row(statement))
        isRow = try statement.step()
      }
    }
  }
}
