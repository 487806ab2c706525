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
}
