import SyncDatabase
import SyncText

/// The versions that are the rows as they are, while a column of the table gets another type: they
/// get the new form of its values, too. Else the next change of each row would find a version that
/// nobody has kept.
struct OpenVersions {
  private let connection: Connection
  private let history: Identifier
  private let table: Identifier
  private let column: Identifier
  private let isOfRow: SQL
  /// A temporary table of the versions whose value is the row's.
  private static let current: Identifier = "recordsync_retyped_versions"

  /// Notes the versions; `nil` where the table has no history, or its history not the column.
  init?(of schema: TableSchema, _ column: String, on connection: Connection) throws {
    let name = HistoryNames.history(of: schema.name)
    guard try HistoryNames.all(in: connection).contains(name.asciiLowercased),
      let history = Identifier(name), let table = Identifier(schema.name),
      let own = Identifier(column), let place = schema.place(ofColumn: column),
      !schema.versionKey.isEmpty, !schema.versionKey.contains(place)
    else { return nil }
    let kept = try connection.rows("SELECT name FROM pragma_table_info(\(name), 'main')") {
      try $0.text("name").asciiLowercased
    }
    let needed = [column] + schema.versionKey.map { schema.columns[$0].name }
    guard needed.allSatisfy({ kept.contains($0.asciiLowercased) }) else { return nil }
    let keys = try schema.versionKey.map { try Identifier.checked(schema.columns[$0].name) }
    // The index of the history holds values as they are: no affinity is to be applied to them.
    let isKeyed: [SQL] = keys.map { "version.\($0) = +main.\(table).\($0)" }
    let isOfRow: [SQL] = keys.map { "main.\(table).\($0) = version.\($0)" }
    self.connection = connection
    (self.history, self.table, self.column) = (history, table, own)
    self.isOfRow = "\(isOfRow, separator: " AND ")"
    try connection.run(
      """
      CREATE TEMP TABLE \(Self.current) AS
      SELECT version.history_id AS version FROM main.\(table)
      CROSS JOIN main.\(history) AS version
      WHERE \(isKeyed, separator: " AND ") AND version.history_end_run IS NULL
      AND version.\(own) IS +main.\(table).\(own)
      """)
  }

  /// Gives the versions what the rows have now.
  func follow() throws {
    try connection.run(
      """
      UPDATE main.\(history) AS version
      SET \(column) = (SELECT main.\(table).\(column) FROM main.\(table) WHERE \(isOfRow))
      WHERE version.history_id IN (SELECT version FROM temp.\(Self.current))
      """)
    try connection.run("DROP TABLE temp.\(Self.current)")
  }
}
