import SyncDatabase
import SyncText

/// Drops what was made for a payload, once its rows are gone, as far as nothing else came into it.
struct PartsUndoing {
  let connection: Connection
  let made: MadeParts
  /// What a table is called for a while.
  private static let other = "recordsync_undone"

  func perform() throws -> [UndonePart] {
    let changed = made.changed.map {
      UndonePart(table: $0[0], column: $0.count > 1 ? $0[1] : nil, obstacle: .changed)
    }
    // A column may name rows of a table that goes then.
    let columns = try made.columns.reversed().compactMap { try drop($0) }
    let tables = try dropTables()
    try MadeNames.dropEmpty(in: connection)
    return tables + columns + changed
  }

  // MARK: - Columns

  private func drop(_ made: MadeParts.Column) throws -> UndonePart? {
    guard let table = Identifier(made.table), let column = Identifier(made.name),
      try hasColumn(made)
    else { return nil }
    func part(_ obstacle: UndonePart.Obstacle?) -> UndonePart {
      UndonePart(table: made.table, column: made.name, obstacle: obstacle)
    }
    guard try isEmpty("SELECT 1 FROM \(table) WHERE \(column) IS NOT NULL LIMIT 1") else {
      return part(.filled)
    }
    do {
      try connection.savepoint {
        if let index = made.index.flatMap({ Identifier($0) }) {
          try connection.run("DROP INDEX IF EXISTS \(index)")
        }
        try connection.run("ALTER TABLE \(table) DROP COLUMN \(column)")
      }
    } catch let error as DatabaseError where error.code == .statement {
      return part(.needed)
    }
    try MadeNames.forget(made.name, of: made.table, in: connection)
    return part(nil)
  }

  private func hasColumn(_ made: MadeParts.Column) throws -> Bool {
    let found: SQL = "SELECT 1 FROM pragma_table_info(\(made.table)) WHERE name = \(made.name)"
    return try !isEmpty(found)
  }

  private func isEmpty(_ sql: SQL) throws -> Bool {
    try connection.row(sql) { try $0.integer(0) } == nil
  }

  // MARK: - Tables

  /// Those that need each other go together.
  private func dropTables() throws -> [UndonePart] {
    let there = try made.tables.filter { try connection.hasTable($0) }
    var left: [String: UndonePart.Obstacle] = [:]
    for table in there where try !isEmpty("SELECT 1 FROM \(Identifier.checked(table)) LIMIT 1") {
      left[table] = .filled
    }
    while true {
      let going = there.filter { left[$0] == nil }
      let needed = try going.filter { try isNeeded($0, besides: going) }
      if needed.isEmpty { break }
      for table in needed { left[table] = .needed }
    }
    for table in there where left[table] == nil {
      try connection.run("DROP TABLE \(Identifier.checked(table))")
      try MadeNames.forget(of: table, in: connection)
    }
    return there.map { UndonePart(table: $0, column: nil, obstacle: left[$0]) }
  }

  /// Whether anything but some tables and what was made for them names a table. SQLite itself says
  /// so: it gives the table another name, which is taken back, wherever that stands.
  private func isNeeded(_ table: String, besides others: [String]) throws -> Bool {
    let others = Set((others + [Self.other]).map(\.asciiLowercased))
    let (own, other) = (try Identifier.checked(table), try Identifier.checked(Self.other))
    do {
      return try connection.savepoint(keeping: { _ in false }) {
        try connection.run("ALTER TABLE \(own) RENAME TO \(other)")
        return try connection.rows(
          "SELECT type, name, tbl_name FROM sqlite_schema WHERE instr(sql, \(Self.other)) > 0"
        ) { row in
          guard others.contains(try row.text("tbl_name").asciiLowercased) else { return true }
          return try row.text("type") != "table" && !made.indexes.contains(try row.text("name"))
        }.contains(true)
      }
    } catch let error as DatabaseError where error.code == .statement {
      return true
    }
  }
}
