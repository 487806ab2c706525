import SyncDatabase

/// Keeps the versions of rows that a transaction writes, in the histories of their tables.
///
/// Each row is noted before it is changed for the first time, by temporary triggers: whoever writes
/// it, and be it the database itself that deletes it with another, passes them. What lies between
/// is no version: at the end of the transaction the noted rows are held against those that are
/// there.
struct VersionKeeper {
  private let connection: Connection
  private let noted: [NotedRows]
  /// The run by which versions were written within the transaction.
  private let begun: HistoryRun?

  /// Begins to note rows, within a transaction; `nil` where no table's versions are kept.
  ///
  /// - Parameter begun: The run by which versions were written within the transaction before.
  init?(
    _ schema: RecordSchema, on connection: Connection, in begun: Written? = nil
  ) throws {
    self.connection = connection
    self.begun = begun?.run
    noted = try schema.tables.filter(\.keepsHistory).enumerated().map { number, table in
      try NotedRows(TableAccess(table), number: number, on: connection)
    }
    if noted.isEmpty { return nil }
  }

  /// What was written.
  struct Written {
    /// `nil` if there was no version to be written.
    fileprivate var run: HistoryRun?
  }

  /// Writes the versions, before the transaction ends or others begin to be noted.
  @discardableResult
  func keep() throws -> Written {
    var run = begun
    for rows in noted {
      if try rows.leaveUnchanged(on: connection) {
        let written = try run ?? HistoryRun(next: connection)
        run = written
        try RowHistory(of: rows.table, on: connection).add(rows, written, to: connection)
      }
      try rows.drop(from: connection)
    }
    return Written(run: run)
  }
}

/// The rows of one table that were written since a transaction began, as they were then.
struct NotedRows {
  let table: TableAccess
  /// The columns whose values are kept: all but those that SQLite computes.
  let columns: [Int]
  /// Where they are noted: a temporary table, with `was` for whether the row was there.
  let name: Identifier
  private let triggers: [Identifier]
  private let held: [Identifier]
  /// The columns in which the values of a row are noted.
  let values: [SQL]

  init(_ table: TableAccess, number: Int, on connection: Connection) throws {
    self.table = table
    columns = table.schema.keptColumns
    let name = "\(Self.prefix)\(number)"
    self.name = try Identifier.checked(name)
    triggers = try ["insert", "update", "delete"].map { try Identifier.checked("\(name)_\($0)") }
    held = try table.address.indices.map { try Identifier.checked("a\($0)") }
    values = try columns.map { "\(try Identifier.checked("c\($0)"))" }
    try make(on: connection)
  }

  /// What the names begin with of what is made for a transaction.
  static let prefix = "recordsync_versions_"

  /// Where the value of a column is noted.
  func value(of column: Int) -> SQL {
    "\(name).\(columns.firstIndex(of: column).map { values[$0] } ?? "NULL")"
  }

  /// That a row of the table is the one that is noted in a row of ``name``.
  var isSame: SQL {
    let parts: [SQL] = zip(table.address, held).map { "main.\(table.name).\($0) = \(name).\($1)" }
    return "\(parts, separator: " AND ")"
  }

  /// The values have no type here: they are noted just as they are.
  private func make(on connection: Connection) throws {
    let address = try table.declarations(of: held)
    try connection.run(
      """
      CREATE TEMP TABLE \(name) (was INTEGER NOT NULL, \(address), \(values),
      PRIMARY KEY (\(held))) WITHOUT ROWID
      """)
    let (main, now) = (table.name, [SQL]())
    let old = columns.map { table.column($0) }
    try connection.run(
      """
      CREATE TEMP TRIGGER \(triggers[0]) AFTER INSERT ON main.\(main)
      BEGIN \(note("NEW", was: "0", now)); END
      """)
    // Before it is written: a trigger of the user's may write to it afterwards.
    try connection.run(
      """
      CREATE TEMP TRIGGER \(triggers[1]) BEFORE UPDATE ON main.\(main)
      BEGIN \(note("OLD", was: "1", old)); \(note("NEW", was: "0", now)); END
      """)
    try connection.run(
      """
      CREATE TEMP TRIGGER \(triggers[2]) BEFORE DELETE ON main.\(main)
      BEGIN \(note("OLD", was: "1", old)); END
      """)
  }

  /// What notes a row unless it was noted before. Without `OR IGNORE`: what the statement says
  /// within which a trigger runs goes before that.
  private func note(_ side: SQL, was: SQL, _ values: [SQL]) -> SQL {
    let row = (table.address + values).map { (column: SQL) -> SQL in "\(side).\(column)" }
    let names: [SQL] = held.map { "\($0)" } + (values.isEmpty ? [] : self.values)
    let isNoted: [SQL] = zip(held, table.address).map { "\(name).\($0) = \(side).\($1)" }
    return """
      INSERT INTO \(name) (was, \(names)) SELECT \(was), \(row)
      WHERE NOT EXISTS (SELECT 1 FROM \(name) WHERE \(isNoted, separator: " AND "))
      """
  }

  /// Forgets the rows that are what they were; `false` if no others are noted.
  func leaveUnchanged(on connection: Connection) throws -> Bool {
    let here: [SQL] = columns.map { "main.\(table.name).\(table.column($0))" }
    let noted: [SQL] = values.map { "\(name).\($0)" }
    // A column without a type tells 1 from 1.0.
    let typeless = columns.filter { table.schema.columns[$0].type.affinity == .blob }
    let kinds: [SQL] = typeless.map {
      "typeof(main.\(table.name).\(table.column($0))) = typeof(\(value(of: $0)))"
    }
    let isThere = [isSame] + kinds
    // NULLs are equal in it, and the collation is that of the first.
    try connection.run(
      """
      DELETE FROM temp.\(name) WHERE was AND EXISTS (SELECT \(noted)
      INTERSECT SELECT \(here) FROM main.\(table.name) WHERE \(isThere, separator: " AND "))
      """)
    try connection.run(
      """
      DELETE FROM temp.\(name) WHERE NOT was
      AND NOT EXISTS (SELECT 1 FROM main.\(table.name) WHERE \(isSame))
      """)
    return try connection.row("SELECT 1 AS one FROM temp.\(name) LIMIT 1") {
      try $0.integer("one")
    } != nil
  }

  func drop(from connection: Connection) throws {
    for trigger in triggers { try connection.run("DROP TRIGGER temp.\(trigger)") }
    try connection.run("DROP TABLE temp.\(name)")
  }
}
