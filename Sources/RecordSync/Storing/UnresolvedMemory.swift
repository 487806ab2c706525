import SyncDatabase

/// References that led nowhere when they were synced: in a table of ours, which is made when there
/// is one to remember for the first time. Once their targets have come they are linked, unless the
/// rows that refer have been given something else meanwhile.
///
/// Rows whose key has several columns aren't remembered.
struct UnresolvedMemory {
  /// A reference that led nowhere.
  struct Entry: Hashable {
    /// The table's name.
    var table: String
    /// The key of the row that refers.
    var key: RecordKey
    /// The column, or the relation.
    var name: String
    /// The key that nothing had.
    var target: RecordKey
    var held: StoredValue?

    var row: Row { Row(table: table, key: key) }
  }

  struct Row: Hashable {
    var table: String
    var key: RecordKey
  }

  let connection: Connection

  /// Everything that is remembered.
  func entries() throws -> Set<Entry> {
    guard try exists() else { return [] }
    var entries: Set<Entry> = []
    try connection.query(
      "SELECT child, child_key, name, target_key, held FROM recordsync_unresolved"
    ) { row in
      guard let key = try row.value(1), let target = try row.value(3) else { return }
      entries.insert(
        Entry(
          table: try row.text("child"), key: RecordKey([key]), name: try row.text("name"),
          target: RecordKey([target]), held: try row.value(4)))
    }
    return entries
  }

  /// Remembers these instead of those. Within a transaction.
  func replace(_ old: Set<Entry>, by new: Set<Entry>) throws {
    guard old != new else { return }
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS recordsync_unresolved (
        child TEXT, child_key, name TEXT, target_key, held,
        PRIMARY KEY (child, child_key, name, target_key)
      ) WITHOUT ROWID
      """)
    for entry in old.subtracting(new) {
      try connection.run(
        """
        DELETE FROM recordsync_unresolved
        WHERE child = ? AND child_key = ? AND name = ? AND target_key = ?
        """, values: entry.address)
    }
    for entry in new.subtracting(old) {
      try connection.run(
        "INSERT INTO recordsync_unresolved VALUES (?, ?, ?, ?, ?)",
        values: entry.address + [entry.held])
    }
  }

  private func exists() throws -> Bool {
    try connection.row(
      "SELECT 1 AS one FROM sqlite_schema WHERE type = 'table' AND name = 'recordsync_unresolved'"
    ) { try $0.integer("one") } != nil
  }
}

extension UnresolvedMemory.Entry {
  fileprivate var address: [StoredValue?] {
    [.text(table), key.values[0], .text(name), target.values[0]]
  }
}
