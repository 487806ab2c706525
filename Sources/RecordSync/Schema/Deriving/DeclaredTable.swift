import SyncDatabase
private import SyncText

/// A table as the database declares it, before anything is made of it.
struct DeclaredTable: Equatable, Sendable {
  var name: String
  /// Whether SQLite keeps no row number for it (sqlite.org, "WITHOUT ROWID").
  var isWithoutRowNumber: Bool
  /// Whether its columns take only values of their type (sqlite.org, "STRICT Tables").
  var isStrict: Bool
  /// Its columns in their order, generated ones too.
  var columns: [Column] = []
  /// In the order in which they were declared.
  var foreignKeys: [ForeignKey] = []
  /// The indexes that refuse equal rows, each over columns alone and over all rows.
  var uniques: [Unique] = []

  struct Column: Equatable, Sendable {
    var name: String
    /// The declared type as it was written; empty where there is none.
    var type: String
    var isRequired: Bool
    /// Whether it has a DEFAULT other than NULL.
    var hasDefault: Bool
    /// Its place in the primary key, from 1; 0 where it isn't part of it.
    var keyPlace: Int
    var isGenerated: Bool
    var collation: String
    /// Its name in JSON, where no column can have that one; kept in a table of ours.
    var jsonName: String?
  }

  struct ForeignKey: Equatable, Sendable {
    var columns: [String]
    /// The table referred to, as it was written.
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
  /// The table that keeps the names of columns in JSON that no column can have.
  static let names: Identifier = "recordsync_names"

  /// The tables of the main database, sorted by name: neither those of SQLite and of this package,
  /// nor views, virtual tables, and what virtual tables keep.
  static func all(in connection: Connection) throws -> [DeclaredTable] {
    var tables = try tablesWithColumns(in: connection)
    for table in tables.indices { try tables[table].readCollations(from: connection) }
    let places = Dictionary(
      tables.indices.map { (tables[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    try readForeignKeys(from: connection) { name, key in
      if let place = places[name] { tables[place].foreignKeys.append(key) }
    }
    try readUniques(from: connection) { name, unique in
      if let place = places[name] { tables[place].uniques.append(unique) }
    }
    try readNames(from: connection) { name, column, jsonName in
      guard let place = places[name],
        let column = tables[place].columns.firstIndex(where: { $0.name == column })
      else { return }
      tables[place].columns[column].jsonName = jsonName
    }
    return tables
  }

  private static func readNames(
    from connection: Connection, _ body: (_ table: String, _ column: String, String) -> Void
  ) throws {
    guard try connection.hasTable("recordsync_names") else { return }
    try connection.query(
      "SELECT table_name, column_name, json_name FROM \(names) ORDER BY 1, 2", values: []
    ) { row in
      body(try row.text("table_name"), try row.text("column_name"), try row.text("json_name"))
    }
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
    from connection: Connection, _ body: (String, ForeignKey) -> Void
  ) throws {
    var last: (table: String, number: Int64, key: ForeignKey)?
    try connection.query(foreignKeysQuery) { row in
      let (table, number) = (try row.text("table"), try row.integer("number"))
      let (child, target) = (try row.text("child"), try row.optionalText("target"))
      if let known = last, known.table == table, known.number == number {
        last?.key.columns.append(child)
        last?.key.targets.append(target)
        return
      }
      if let known = last { body(known.table, known.key) }
      let key = ForeignKey(
        columns: [child], table: try row.text("parent"), targets: [target],
        onDelete: try row.text("action"))
      last = (table, number, key)
    }
    if let known = last { body(known.table, known.key) }
  }

  private static func readUniques(
    from connection: Connection, _ body: (String, Unique) -> Void
  ) throws {
    var last: (table: String, index: String, unique: Unique)?
    func end() {
      // An expression isn't a column, and what only it tells apart isn't told by columns.
      guard let known = last, known.unique.columns.allSatisfy({ $0 >= 0 }) else { return }
      body(known.table, known.unique)
    }
    try connection.query(uniquesQuery) { row in
      let (table, index) = (try row.text("table"), try row.text("index"))
      let place = Int(try row.integer("place"))
      if last?.table == table, last?.index == index {
        last?.unique.columns.append(place)
        return
      }
      end()
      let isPrimaryKey = try row.text("origin") == "pk"
      last = (table, index, Unique(columns: [place], isPrimaryKey: isPrimaryKey))
    }
    end()
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
    SELECT t.name AS "table", f.id AS number, f."table" AS parent, f."from" AS child,
      f."to" AS target, f.on_delete AS action
    FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name, 'main') AS f
    WHERE t.schema = 'main' AND t.type = 'table'
    ORDER BY t.name, f.id DESC, f.seq
    """

  private static let uniquesQuery: SQL = """
    SELECT t.name AS "table", i.name AS "index", i.origin AS origin, x.cid AS place
    FROM pragma_table_list AS t JOIN pragma_index_list(t.name, 'main') AS i
      JOIN pragma_index_xinfo(i.name, 'main') AS x
    WHERE t.schema = 'main' AND t.type = 'table' AND i."unique" = 1 AND i.partial = 0
      AND x.key = 1
    ORDER BY t.name, i.seq DESC, x.seqno
    """
}
