import SyncDatabase
import SyncText

/// A transaction that keeps versions.
struct HistoryRun {
  /// One more than the last one's: no number is given twice.
  let number: Int64
  let moment: String

  init(next connection: Connection) throws {
    moment = try connection.now().text
    try HistoryNames.makeTable(in: connection)
    let last = try connection.row("SELECT max(last_run) AS last FROM \(HistoryNames.table)") {
      try $0.optionalInteger("last")
    }
    number = (last.flatMap { $0 } ?? 0) + 1
  }
}

/// The versions of a table's rows: `users_history` beside `users`, with the same columns, and with
/// the run that wrote each version and the one for which it ended.
///
/// Versions that no such run wrote, since they were there before or were written without keeping
/// versions, have no first run. A version without a last one is the row as it was left.
struct RowHistory {
  /// The columns by which a row is known in its history.
  private let key: [Int]
  private let table: TableAccess
  private let name: Identifier
  private var schema: TableSchema { table.schema }

  private static let own = [
    "history_id", "history_run", "history_from", "history_end_run", "history_to",
  ]

  /// Makes the history, or gives it the columns that the table has got meanwhile.
  init(of table: TableAccess, on connection: Connection) throws {
    self.table = table
    let schema = table.schema
    let all = schema.keptColumns
    key = schema.versionKey
    let text = HistoryNames.history(of: schema.name)
    name = try Identifier.checked(text)
    try make(text, all.map { schema.columns[$0].name }, on: connection)
  }

  private func make(_ text: String, _ columns: [String], on connection: Connection) throws {
    let isOurs = try HistoryNames.all(in: connection).contains(text.asciiLowercased)
    let present = try connection.rows(
      "SELECT name FROM pragma_table_info(\(text), 'main')"
    ) { try $0.text("name").asciiLowercased }
    let taken = columns.first { Self.own.contains($0.asciiLowercased) }
    guard isOurs || present.isEmpty, taken == nil else {
      throw RecordError.table(schema.name, .noHistory(taken: taken ?? text))
    }
    if present.isEmpty {
      let names = try columns.map { try Identifier.checked($0) }
      // Without types: what a column held stays what it was, whatever the table's becomes.
      try connection.run(
        """
        CREATE TABLE main.\(name) (history_id INTEGER PRIMARY KEY, \(names), history_run INTEGER,
        history_from TEXT, history_end_run INTEGER, history_to TEXT)
        """)
      let index = try Identifier.checked("\(text)_key")
      let keys = try key.map { try Identifier.checked(schema.columns[$0].name) }
      try connection.run("CREATE INDEX main.\(index) ON \(name) (\(keys))")
    }
    for column in columns where !present.isEmpty && !present.contains(column.asciiLowercased) {
      try connection.run("ALTER TABLE main.\(name) ADD COLUMN \(try Identifier.checked(column))")
    }
  }

  /// Ends the versions of the rows that were, and adds those of the rows that are.
  func add(_ rows: NotedRows, _ run: HistoryRun, to connection: Connection) throws {
    try endVersions(of: rows, run, on: connection)
    let columns: [SQL] = rows.columns.map { rows.table.column($0) }
    let noted: [SQL] = rows.values.map { "\(rows.name).\($0)" }
    let ended: [SQL] = columns.map { "old.\($0)" }
    // What the row was is missing if it was there before its versions were kept, or was written
    // without keeping them.
    try connection.run(
      """
      INSERT INTO main.\(name) (\(columns), history_end_run, history_to)
      SELECT \(rows.values), \(run.number), \(run.moment) FROM temp.\(rows.name)
      WHERE was AND NOT EXISTS (SELECT \(noted) INTERSECT SELECT \(ended) FROM main.\(name) AS old
      WHERE \(isVersion { rows.value(of: $0) }) AND old.history_end_run = \(run.number))
      """)
    let written: [SQL] = columns.map { "main.\(rows.table.name).\($0)" }
    try connection.run(
      """
      INSERT INTO main.\(name) (\(columns), history_run, history_from)
      SELECT \(written), \(run.number), \(run.moment) FROM temp.\(rows.name)
      CROSS JOIN main.\(rows.table.name) WHERE \(rows.isSame)
      """)
    try connection.run(
      """
      INSERT INTO main.\(HistoryNames.table) (table_name, history_name, last_run)
      VALUES (\(schema.name), \(HistoryNames.history(of: schema.name)), \(run.number))
      ON CONFLICT (table_name) DO UPDATE SET last_run = excluded.last_run
      """)
  }

  /// Ends the open versions of the rows that were; and those under the keys of the rows that are,
  /// which may have been deleted meanwhile without keeping versions.
  private func endVersions(
    of rows: NotedRows, _ run: HistoryRun, on connection: Connection
  ) throws {
    let here: SQL = "main.\(rows.table.name)"
    // The index of the history holds values as they are: no affinity is to be applied to them.
    let isKeyed: [SQL] = key.map { "old.\(table.column($0)) = +\(here).\(table.column($0))" }
    try connection.run(
      """
      UPDATE main.\(name) SET history_end_run = \(run.number), history_to = \(run.moment)
      WHERE history_id IN (
        SELECT old.history_id FROM temp.\(rows.name) CROSS JOIN main.\(name) AS old
        WHERE \(rows.name).was AND \(isVersion { rows.value(of: $0) })
        AND old.history_end_run IS NULL
        UNION ALL
        SELECT old.history_id FROM temp.\(rows.name) CROSS JOIN \(here)
        CROSS JOIN main.\(name) AS old
        WHERE \(rows.isSame) AND \(isKeyed, separator: " AND ")
        AND old.history_end_run IS NULL)
      """)
  }

  /// That a version, `old`, is one of the row that has these values.
  private func isVersion(_ value: (Int) -> SQL) -> SQL {
    let parts: [SQL] = key.map { "old.\(table.column($0)) IS \(value($0))" }
    return "\(parts, separator: " AND ")"
  }
}

extension TableSchema {
  /// The columns whose values are kept: all but those that SQLite computes.
  var keptColumns: [Int] { columns.indices.filter { !columns[$0].isGenerated } }

  /// The columns by which a row is known in its history.
  var versionKey: [Int] {
    let kept = keptColumns
    return [key.columns, primaryKey, kept].first { !$0.isEmpty && Set($0).isSubset(of: kept) } ?? []
  }
}
