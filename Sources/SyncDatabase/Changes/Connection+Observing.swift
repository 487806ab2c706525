private import CSyncSQLite

extension Connection {
  /// Tells `observer` of every row that this connection changes from now on, in tables of the file
  /// (not in virtual nor in SQLite's own ones), just before the change is made; `nil` ends it.
  ///
  /// - It is told of rows, not of commits: a statement, savepoint or transaction that fails takes
  ///   back what was told. Who needs what was recorded collects it until
  ///   ``Connection/transaction(_:)`` has returned.
  /// - Rows that are replaced (`OR REPLACE`), that a trigger or a foreign key changes, and those of
  ///   a `DELETE` without a condition are told of one by one, too.
  /// - An error that it throws is thrown by the statement that made the change, once that is over;
  ///   until then it is not called again. Within a transaction or savepoint that the error ends,
  ///   the change is undone; a statement alone is recorded all the same.
  /// - It must not use the connection: that is an error (`.misuse`).
  /// - SQLite has room for one: with another observer, or during a ``ChangeSession``, this is an
  ///   error (`.misuse`).
  package func observeRows(_ observer: ((borrowing RowChange) throws -> Void)?) throws {
    guard let observer else {
      guard case .observer = follower else { return }
      sqlite3_preupdate_hook(handle, nil, nil)
      follower = .none
      return
    }
    guard case .none = follower else {
      throw DatabaseError(
        code: .misuse, message: "its rows are followed already, and one can follow them at a time",
        path: path)
    }
    let observation = RowObservation(of: self, observer)
    follower = .observer(observation, isCalled: false)
    // A statement that was compiled without a follower empties a table without a look at its rows.
    forgetStatements()
    let context = Unmanaged.passUnretained(observation).toOpaque()
    sqlite3_preupdate_hook(
      handle,
      { context, _, operation, _, table, _, _ in
        guard let context, let table else { return }
        Unmanaged<RowObservation>.fromOpaque(context).takeUnretainedValue()
          .note(operation, String(cString: table))
      }, context)
  }
}

/// What SQLite's hook is given: the connection, which holds this one, and the closure.
private final class RowObservation {
  private unowned let connection: Connection
  private let observer: (borrowing RowChange) throws -> Void

  init(of connection: Connection, _ observer: @escaping (borrowing RowChange) throws -> Void) {
    self.connection = connection
    self.observer = observer
  }

  /// No error may pass through SQLite's frames: the connection carries it out.
  func note(_ operation: Int32, _ table: String) {
    guard connection.followerError == nil else { return }
    connection.follower = .observer(self, isCalled: true)
    defer { connection.follower = .observer(self, isCalled: false) }
    let handle = connection.handle
    do {
      try observer(
        RowChange(
          table: table, operation: RowChange.Operation(operation),
          isIndirect: sqlite3_preupdate_depth(handle) > 0,
          columnCount: Int(sqlite3_preupdate_count(handle)), record: .statement(handle),
          path: connection.path))
    } catch {
      connection.followerError = error
    }
  }
}
