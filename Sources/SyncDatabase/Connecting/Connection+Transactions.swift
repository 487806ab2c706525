private import CSyncSQLite

extension Connection {
  /// Runs `body` as one transaction: all of it is recorded when this returns, nothing when it
  /// throws, or when what it gives isn't to be kept.
  ///
  /// It holds the right to write from its start (`BEGIN IMMEDIATE`). Transactions don't nest: one
  /// within another is an error (`.misuse`), since the inner one could not keep the promise above;
  /// see ``savepoint(keeping:_:)``.
  package func transaction<Result>(
    keeping isKept: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
  ) throws -> Result {
    guard !isInTransaction else {
      throw misuse("a transaction within a transaction")
    }
    try run("BEGIN IMMEDIATE")
    isInTransaction = true
    defer { isInTransaction = false }
    do {
      let result = try body()
      try run(isKept(result) ? "COMMIT" : "ROLLBACK")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body` while what it reads stays as it is, whatever other connections write meanwhile. It
  /// reads only, and needs no right to write.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    if holdsSnapshot { return try body() }
    guard !isInTransaction else {
      throw misuse("a transaction within a transaction")
    }
    try run("BEGIN")
    isInTransaction = true
    defer {
      isInTransaction = false
      rollBack()
    }
    return try body()
  }

  /// Runs `body` as a part of the running transaction that can be taken back alone: what it wrote
  /// stays, with the transaction, when this returns, and is undone when it throws, or when what it
  /// gives isn't to be kept. Savepoints nest.
  ///
  /// Outside of a ``transaction(_:)`` it is an error (`.misuse`). After some errors (a full disk,
  /// for one) SQLite ends the whole transaction by itself; then nothing of it stays, whoever
  /// swallows the error, and each further statement within it is an error (`.misuse`).
  package func savepoint<Result>(
    keeping isKept: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
  ) throws -> Result {
    guard isInTransaction else {
      throw misuse("a savepoint outside a transaction")
    }
    // Of savepoints of one name, SQLite means the innermost.
    try run("SAVEPOINT part")
    do {
      let result = try body()
      if !isKept(result) { try run("ROLLBACK TO part") }
      try run("RELEASE part")
      return result
    } catch {
      do {
        try run("ROLLBACK TO part")
        try run("RELEASE part")
      } catch {
        // Half of the part must not be recorded with the rest.
        rollBack()
      }
      throw error
    }
  }

  private func rollBack() {
    // SQLite has rolled back by itself after some errors (a full disk, for one).
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    do { try run("ROLLBACK") } catch { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }
}
