import SyncDatabase

/// A relation that was made of payloads, as a table of ours keeps it.
struct MadeRelation: Sendable, Equatable {
  /// The table under whose rows it stands.
  var table: String
  /// Where it stands in JSON; `nil` for one that stands nowhere: nothing is read into it, and it
  /// isn't exported.
  var jsonPath: [String]?
  /// The foreign key's column: of the table itself, or of `other` where that is given, or the one
  /// of `through` that points here.
  var column: String
  /// The other table; `nil` for a foreign key of the table itself.
  var other: String?
  /// The table of links.
  var through: String?
  /// The column that keeps the order of the array.
  var position: String?
}

/// What tables of ours say of the columns and relations that were made of payloads: under which
/// names these stand in JSON. It is read with every schema, and what a program says goes before it.
///
/// - `recordsync_names`: the path of a column, `json_path` as ``JSONPath`` has it. Where that is
///   NULL, or there is no such column as in files of older versions, `json_name` is one name, dots
///   or not. Where it is empty, too, and the column keeps what no other one takes.
/// - `recordsync_relations`: see ``MadeRelation``. An empty `other_table` or `through` is none.
enum MadeNames {
  private static let names: Identifier = "recordsync_names"
  private static let relations: Identifier = "recordsync_relations"

  /// Reads what is there of tables that are there.
  ///
  /// - Parameter places: The tables' places in `tables`.
  static func read(
    from connection: Connection, _ places: [String: Int], into tables: inout [DeclaredTable]
  ) throws {
    for (table, column, path, keepsRest) in try columns(in: connection) {
      guard let place = places[table],
        let column = tables[place].columns.firstIndex(where: { $0.name == column })
      else { continue }
      tables[place].columns[column].jsonPath = path
      tables[place].columns[column].keepsRest = keepsRest
    }
    for relation in try relations(in: connection) {
      guard let place = places[relation.table] else { continue }
      tables[place].madeRelations.append(relation)
    }
  }

  private static func columns(
    in connection: Connection
  ) throws -> [(table: String, column: String, path: [String]?, keepsRest: Bool)] {
    guard try connection.hasTable("recordsync_names") else { return [] }
    let path: SQL = try hasPaths(connection) ? "json_path" : "NULL"
    var columns: [(table: String, column: String, path: [String]?, keepsRest: Bool)] = []
    try connection.query(
      """
      SELECT table_name, column_name, json_name, \(path) AS path FROM \(names) ORDER BY 1, 2
      """, values: []
    ) { row in
      let name = try row.text("json_name")
      let path = try row.optionalText("path")
      let keepsRest = path == ""
      columns.append(
        (
          try row.text("table_name"), try row.text("column_name"),
          keepsRest ? [name] : path.map(JSONPath.parts) ?? [name], keepsRest
        ))
    }
    return columns
  }

  private static func relations(in connection: Connection) throws -> [MadeRelation] {
    guard try connection.hasTable("recordsync_relations") else { return [] }
    var found: [MadeRelation] = []
    try connection.query(
      """
      SELECT table_name, column_name, nullif(other_table, '') AS other,
        nullif(through, '') AS through, json_path, position
      FROM \(relations) ORDER BY table_name, other_table, through, column_name
      """, values: []
    ) { row in
      let path = try row.optionalText("json_path")
      let parts = path.flatMap(JSONPath.parts)
      // What can't be read says nothing, rather than that there is no such relation.
      guard path == nil || parts != nil else { return }
      found.append(
        MadeRelation(
          table: try row.text("table_name"), jsonPath: parts,
          column: try row.text("column_name"), other: try row.optionalText("other"),
          through: try row.optionalText("through"),
          position: try row.optionalText("position")))
    }
    return found
  }

  /// Whether the table of names has paths; an older version made it without.
  private static func hasPaths(_ connection: Connection) throws -> Bool {
    let found = try connection.row(
      "SELECT 1 AS one FROM pragma_table_info('recordsync_names') WHERE name = 'json_path'"
    ) { try $0.integer("one") }
    return found != nil
  }
}

// MARK: - Writing

extension MadeNames {
  /// Makes the table of columns where it isn't there, and gives that of an older version its column
  /// for paths.
  static func makeForColumns(in connection: Connection) throws {
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(names) (
        table_name TEXT NOT NULL,
        column_name TEXT NOT NULL,
        json_name TEXT NOT NULL,
        json_path TEXT,
        PRIMARY KEY (table_name, column_name)
      ) WITHOUT ROWID
      """)
    if try !hasPaths(connection) {
      try connection.run("ALTER TABLE \(names) ADD COLUMN json_path TEXT")
    }
  }

  /// Makes the table of relations where it isn't there.
  static func makeForRelations(in connection: Connection) throws {
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(relations) (
        table_name TEXT NOT NULL,
        column_name TEXT NOT NULL,
        other_table TEXT NOT NULL DEFAULT '',
        through TEXT NOT NULL DEFAULT '',
        json_path TEXT,
        position TEXT,
        PRIMARY KEY (table_name, other_table, through, column_name)
      ) WITHOUT ROWID
      """)
  }

  /// Says where a column stands in JSON. One name is kept as older versions keep it.
  ///
  /// - Parameter keepsRest: Whether it keeps what no other one takes; its path is one name then.
  static func naming(
    _ column: String, of table: String, _ path: [String], keepsRest: Bool = false
  ) -> SQL {
    let text = path.count == 1 ? nil : JSONPath.text(of: path)
    return """
      INSERT OR REPLACE INTO \(names) (table_name, column_name, json_name, json_path)
      VALUES (\(table), \(column), \(text ?? path.joined(separator: ".")),
        \(keepsRest ? "" : text))
      """
  }

  /// Says of a relation where it stands in JSON, if anywhere, and what keeps its order.
  static func naming(_ relation: MadeRelation) -> SQL {
    """
    INSERT OR REPLACE INTO \(relations)
      (table_name, column_name, other_table, through, json_path, position)
    VALUES (\(relation.table), \(relation.column), \(relation.other ?? ""),
      \(relation.through ?? ""), \(relation.jsonPath.map(JSONPath.text)), \(relation.position))
    """
  }

  /// Says nothing more of a table, or of one of its columns.
  static func forget(
    _ column: String? = nil, of table: String, in connection: Connection
  ) throws {
    if try connection.hasTable("recordsync_names") {
      try connection.run(
        """
        DELETE FROM \(names) WHERE table_name = ?1 AND (?2 IS NULL OR column_name = ?2)
        """, table, column)
    }
    guard try connection.hasTable("recordsync_relations") else { return }
    try connection.run(
      """
      DELETE FROM \(relations)
      WHERE ?1 IN (table_name, other_table, through) AND ?2 IS NULL
        OR column_name = ?2 AND through = '' AND coalesce(nullif(other_table, ''), table_name) = ?1
      """, table, column)
  }

  /// Drops the tables that say nothing.
  static func dropEmpty(in connection: Connection) throws {
    for table in [names, relations] where try connection.hasTable(table.name) {
      let first = try connection.row("SELECT 1 FROM \(table) LIMIT 1") { try $0.integer(0) }
      if first == nil { try connection.run("DROP TABLE \(table)") }
    }
  }

  /// All that is said, for a digest.
  static func content(of tables: [DeclaredTable]) -> [String] {
    tables.flatMap { table in
      table.columns.compactMap { column in
        column.jsonPath.map { "\(table.name).\(column.name) \(JSONPath.text(of: $0))" }
      } + table.madeRelations.map { "\($0)" }
    }
  }
}
