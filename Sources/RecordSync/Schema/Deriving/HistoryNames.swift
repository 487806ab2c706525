import SyncDatabase
private import SyncText

/// Which tables are histories of others: a table of ours that says so.
enum HistoryNames {
  static var table: SQL { "recordsync_history" }

  /// The name of a table's history.
  static func history(of table: String) -> String { table + "_history" }

  static func makeTable(in connection: Connection) throws {
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS main.\(table) (
        table_name TEXT NOT NULL PRIMARY KEY,
        history_name TEXT NOT NULL,
        last_run INTEGER NOT NULL
      ) WITHOUT ROWID
      """)
  }

  /// The names of the tables that are histories, in lower case.
  static func all(in connection: Connection) throws -> Set<String> {
    guard try connection.hasTable("recordsync_history") else { return [] }
    return Set(
      try connection.rows("SELECT history_name FROM main.\(table)") {
        try $0.text("history_name").asciiLowercased
      })
  }

  /// Drops the history of a table that is gone, if it has no version; and the table of ours, if it
  /// says of no other.
  static func dropEmpty(of gone: String, in connection: Connection) throws {
    let history = history(of: gone)
    guard try all(in: connection).contains(history.asciiLowercased),
      try connection.hasTable(history), let name = Identifier(history),
      try isEmpty(name, connection)
    else { return }
    try connection.run("DROP TABLE main.\(name)")
    try connection.run("DELETE FROM main.\(table) WHERE table_name = \(gone)")
    guard try isEmpty("recordsync_history", connection) else { return }
    try connection.run("DROP TABLE main.\(table)")
  }

  private static func isEmpty(_ table: Identifier, _ connection: Connection) throws -> Bool {
    try connection.row("SELECT 1 FROM main.\(table) LIMIT 1") { try $0.integer(0) } == nil
  }
}
