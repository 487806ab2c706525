import SyncDatabase
private import SyncText

/// A table as the database declares it, before anything is made of it.
struct DeclaredTable: Equatable, Sendable {
  var name: String
  /// Whether SQLite keeps no row number for it (sqlite.org, "WITHOUT ROWID").
  var isWithoutRowNumber: Bool
  /// Whether its columns take only values of their type (sqlite.org, "STRICT Tables").
  var isStrict: Bool
  var columns: [Column] = []
  /// In the order in which they were declared.
  var foreignKeys: [ForeignKey] = []
  /// The indexes that refuse equal rows, each over columns alone and over all rows.
  var uniques: [Unique] = []
  /// What was made of payloads, and how JSON names it.
  var madeRelations: [MadeRelation] = []

  struct Column: Equatable, Sendable {
    var name: String
    /// The declared type as it was written; empty where there is none.
    var type: String
    var isRequired: Bool
    var hasDefault: Bool
    /// Its place in the primary key, from 1; 0 where it isn't part of it.
    var keyPlace: Int
    var isGenerated: Bool
    var collation: String
    /// Its path in JSON, where it was made for that; kept in a table of ours.
    var jsonPath: [String]?
    /// Whether it was made for what no other one takes.
    var keepsRest = false
  }

  struct ForeignKey: Equatable, Sendable {
    var columns: [String]
    var table: String
    /// The columns referred to; `nil` for the primary key.
    var targets: [String?]
    /// As it was written: `CASCADE`.
    var onDelete: String
  }

  struct Unique: Equatable, Sendable {
    var columns: [Int]
    var isPrimaryKey: Bool
  }

  /// The places of the primary key's columns, in its order.
  var primaryKey: [Int] {
    columns.indices.filter { columns[$0].keyPlace > 0 }
      .sorted { columns[$0].keyPlace < columns[$1].keyPlace }
  }

  /// The INTEGER PRIMARY KEY, which is another name of the row number (sqlite.org, "ROWIDs and the
  /// INTEGER PRIMARY KEY"). One that is declared DESC isn't: SQLite makes an index for it.
  var rowNumberColumn: Int? {
    let key = primaryKey
    guard !isWithoutRowNumber, key.count == 1, columns[key[0]].type.asciiLowercased == "integer",
      !uniques.contains(where: \.isPrimaryKey)
    else { return nil }
    return key[0]
  }

  /// What the name of each table begins with that this package keeps for itself.
  static let ownPrefix = "recordsync_"

  /// The tables of the main database, sorted by name: neither those of SQLite and of this package,
  /// nor views, virtual tables, and what virtual tables keep.
  ///
  /// - Parameter withHistories: Whether the histories of tables are among them. Default `false`.
  static func all(
    in connection: Connection, withHistories: Bool = false
  ) throws -> [DeclaredTable] {
    var tables = try tablesWithColumns(in: connection)
    if !withHistories {
      let histories = try HistoryNames.all(in: connection)
      tables.removeAll { histories.contains($0.name.asciiLowercased) }
    }
    for table in tables.indices { try tables[table].readCollations(from: connection) }
    let places = Dictionary(
      tables.indices.map { (tables[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    try readForeignKeys(from: connection, places, into: &tables)
    try readUniques(from: connection, places, into: &tables)
    try MadeNames.read(from: connection, places, into: &tables)
    return tables
  }

  private static func tablesWithColumns(in connection: Connection) throws -> [DeclaredTable] {
    var tables: [DeclaredTable] = []
    try connection.query(columnsQuery) { row in
      let name = try row.text("table")
      guard !name.asciiLowercased.hasPrefix(ownPrefix) else { return }
      if tables.last?.name != name {
        tables.append(
          DeclaredTable(
            name: name, isWithoutRowNumber: try row.flag("without"),
            isStrict: try row.flag("strict")))
      }
      tables[tables.count - 1].columns.append(try column(row))
    }
    return tables
  }

  private mutating func readCollations(from connection: Connection) throws {
    for column in columns.indices {
      columns[column].collation = try connection.collation(
        ofColumn: columns[column].name, in: name)
    }
  }

  private static func column(_ row: borrowing Row) throws -> Column {
    let value = try row.optionalText("value")
    return Column(
      name: try row.text("name"), type: try row.text("type"),
      isRequired: try row.flag("required"),
      hasDefault: value.map { $0.asciiLowercased != "null" } ?? false,
      keyPlace: Int(try row.integer("place")), isGenerated: try row.integer("hidden") > 1,
      collation: "")
  }

  /// SQLite numbers the foreign keys of a table from the last one that was declared.
  private static func readForeignKeys(
    from connection: Connection, _ places: [String: Int], into tables: inout [DeclaredTable]
  ) throws {
    try connection.query(foreignKeysQuery) { row in
      guard let place = places[try row.text("table")] else { return }
      if try row.integer("part") == 0 {
        tables[place].foreignKeys.append(
          ForeignKey(
            columns: [], table: try row.text("parent"), targets: [],
            onDelete: try row.text("action")))
      }
      let last = tables[place].foreignKeys.count - 1
      tables[place].foreignKeys[last].columns.append(try row.text("child"))
      tables[place].foreignKeys[last].targets.append(try row.optionalText("target"))
    }
  }

  private static func readUniques(
    from connection: Connection, _ places: [String: Int], into tables: inout [DeclaredTable]
  ) throws {
    try connection.query(uniquesQuery) { row in
      guard let place = places[try row.text("table")] else { return }
      if try row.integer("part") == 0 {
        let isPrimaryKey = try row.text("origin") == "pk"
        tables[place].uniques.append(Unique(columns: [], isPrimaryKey: isPrimaryKey))
      }
      let last = tables[place].uniques.count - 1
      tables[place].uniques[last].columns.append(Int(try row.integer("place")))
    }
    // An expression isn't a column, and what only it tells apart isn't told by columns.
    for place in tables.indices {
      tables[place].uniques.removeAll { $0.columns.contains { $0 < 0 } }
    }
  }

  // MARK: - Queries

  private static let columnsQuery: SQL = """
    SELECT t.name AS "table", t.wr AS without, t.strict AS strict, c.name AS name,
      c.type AS type, c."notnull" AS required, c.dflt_value AS value, c.pk AS place,
      c.hidden AS hidden
    FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name, 'main') AS c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY lower(t.name), t.name, c.cid
    """

  private static let foreignKeysQuery: SQL = """
    SELECT t.name AS "table", f.seq AS part, f."table" AS parent, f."from" AS child,
      f."to" AS target, f.on_delete AS action
    FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name, 'main') AS f
    WHERE t.schema = 'main' AND t.type = 'table'
    ORDER BY t.name, f.id DESC, f.seq
    """

  private static let uniquesQuery: SQL = """
    SELECT t.name AS "table", x.seqno AS part, i.origin AS origin, x.cid AS place
    FROM pragma_table_list AS t JOIN pragma_index_list(t.name, 'main') AS i
      JOIN pragma_index_xinfo(i.name, 'main') AS x
    WHERE t.schema = 'main' AND t.type = 'table' AND i."unique" = 1 AND i.partial = 0
      AND x.key = 1
    ORDER BY t.name, i.seq DESC, x.seqno
    """
}
