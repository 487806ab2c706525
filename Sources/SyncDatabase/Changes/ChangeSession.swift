private import CSyncSQLite

/// Follows what a connection does to the rows of some tables, from its making on, and says it as a
/// ``Changeset`` (sqlite.org, "The Session Extension").
///
/// - It ends when it is let go of. Several may follow one connection.
/// - What was rolled back isn't in it: the changeset is made from the rows as they are when it is
///   asked for, beside those that there were.
/// - It follows ordinary tables with a declared `PRIMARY KEY` and without generated columns.
///   Another one is an error (`.misuse`) when the session is made, before anything is written:
///   SQLite itself would follow nothing, silently.
/// - Rows with NULL in their key are not followed. Nor are changes of the schema; a table whose
///   columns changed during the session makes ``changeset()`` fail.
/// - Its memory grows with the number of rows that change.
package final class ChangeSession {
  private let connection: Connection
  private let handle: OpaquePointer

  /// Follows these tables of the connection's own file.
  ///
  /// - Parameter coming: Others, which may only be made meanwhile. Default none.
  package init(
    _ connection: Connection, tables: [Identifier], coming: [Identifier] = []
  ) throws {
    for table in tables { try connection.requireFollowable(table) }
    // A statement that was compiled without a follower empties a table without a look at its rows.
    connection.forgetStatements()
    var handle: OpaquePointer?
    let result = sqlite3session_create(connection.handle, "main", &handle)
    guard result == SQLITE_OK, let handle else {
      throw DatabaseError(result: result, handle: connection.handle, path: connection.path)
    }
    self.connection = connection
    self.handle = handle
    for table in tables + coming {
      let result = sqlite3session_attach(handle, table.name)
      guard result == SQLITE_OK else {
        throw DatabaseError(result: result, handle: connection.handle, path: connection.path)
      }
    }
  }

  deinit { sqlite3session_delete(handle) }

  /// What has changed since the session was made, each row once: a row that came and went isn't in
  /// it, and one that is as it was neither. The session goes on.
  package func changeset() throws -> Changeset {
    var count: Int32 = 0
    var start: UnsafeMutableRawPointer?
    let result = sqlite3session_changeset(handle, &count, &start)
    defer { sqlite3_free(start) }
    guard result == SQLITE_OK else {
      throw DatabaseError(result: result, handle: connection.handle, path: connection.path)
    }
    return Changeset(bytes: Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
  }
}

extension Connection {
  fileprivate func requireFollowable(_ table: Identifier) throws {
    let type = try row(
      "SELECT type FROM pragma_table_list WHERE schema = 'main' AND lower(name) = lower(?1)",
      table.name
    ) { try $0.text("type") }
    let (keys, generated) =
      try row(
        """
        SELECT count(*) FILTER (WHERE pk > 0) AS keys,
          count(*) FILTER (WHERE hidden > 1) AS generated
        FROM pragma_table_xinfo(?1)
        """, table.name
      ) { (try $0.integer("keys"), try $0.integer("generated")) } ?? (0, 0)
    let obstacle =
      switch type {
      case nil: "doesn't exist"
      case "table" where keys == 0: "has no PRIMARY KEY"
      case "table" where generated > 0: "has generated columns"
      case "table": nil as String?
      case let type?: "is a \(type)"
      }
    guard let obstacle else { return }
    throw misuse("changes of \(table.name) can't be followed: it \(obstacle)")
  }
}
