import SyncDatabase

/// An index over columns of a table that has none there: a temporary table, made by one look at all
/// rows and kept up by temporary triggers. The user's schema stays as it is.
struct LookupTable {
  private let name: Identifier
  private let triggers: [Identifier]
  /// The columns of the rows' addresses, there and here.
  private let address: [SQL]
  private let held: [Identifier]
  private let keys: [Identifier]

  init(_ table: TableAccess, _ columns: [Int], number: Int, on connection: Connection) throws {
    let name = "recordsync_lookup_\(number)"
    self.name = try Identifier.checked(name)
    triggers = try ["insert", "update", "delete"].map { try Identifier.checked("\(name)_\($0)") }
    address = table.address
    held = try address.indices.map { try Identifier.checked("a\($0)") }
    keys = try columns.indices.map { try Identifier.checked("k\($0)") }
    try connection.run(declaration(table, columns))
    let values: [SQL] = table.address + columns.map { table.column($0) }
    try connection.run("INSERT INTO temp.\(self.name) SELECT \(values) FROM main.\(table.name)")
    let index = try Identifier.checked("\(name)_keys")
    try connection.run("CREATE INDEX temp.\(index) ON \(self.name) (\(keys))")
    try follow(table, values, on: connection)
  }

  /// That a row is one of those found, as to parameters from this number on.
  func condition(from first: Int) -> SQL {
    let parts: [SQL] = keys.enumerated().map { "\($1) = \(parameter: first + $0)" }
    let rows: SQL = "SELECT \(held) FROM temp.\(name) WHERE \(parts, separator: " AND ")"
    return "(\(address)) IN (\(rows))"
  }

  func drop(from connection: Connection) throws {
    for trigger in triggers { try connection.run("DROP TRIGGER temp.\(trigger)") }
    try connection.run("DROP TABLE temp.\(name)")
  }

  /// Values are compared as in the columns themselves.
  private func declaration(_ table: TableAccess, _ columns: [Int]) throws -> SQL {
    var parts = try table.declarations(of: held)
    for (name, column) in zip(keys, columns) {
      parts.append(try table.declaration(name, table.schema.columns[column]))
    }
    return "CREATE TEMP TABLE \(name) (\(parts), PRIMARY KEY (\(held))) WITHOUT ROWID"
  }

  private func follow(
    _ table: TableAccess, _ values: [SQL], on connection: Connection
  ) throws {
    let added: [SQL] = values.map { "NEW.\($0)" }
    let isOld: [SQL] = zip(held, address).map { "\($0) = OLD.\($1)" }
    let differ: [SQL] = values.map { "OLD.\($0) IS NOT NEW.\($0)" }
    let add: SQL = "INSERT OR REPLACE INTO \(name) VALUES (\(added))"
    let remove: SQL = "DELETE FROM \(name) WHERE \(isOld, separator: " AND ")"
    try connection.run(
      "CREATE TEMP TRIGGER \(triggers[0]) AFTER INSERT ON main.\(table.name) BEGIN \(add); END")
    try connection.run(
      """
      CREATE TEMP TRIGGER \(triggers[1]) AFTER UPDATE ON main.\(table.name)
      WHEN \(differ, separator: " OR ") BEGIN \(remove); \(add); END
      """)
    try connection.run(
      "CREATE TEMP TRIGGER \(triggers[2]) AFTER DELETE ON main.\(table.name) BEGIN \(remove); END")
  }
}

extension TableAccess {
  /// Columns that hold addresses of rows, under other names.
  func declarations(of held: [Identifier]) throws -> [SQL] {
    try held.enumerated().map { place, name in
      guard schema.rowNumber == nil else { return "\(name) INTEGER" }
      return try declaration(name, schema.columns[schema.primaryKey[place]])
    }
  }

  /// A column under another name that holds the same values and compares them in the same way.
  fileprivate func declaration(_ name: Identifier, _ column: ColumnSchema) throws -> SQL {
    let collation = try Identifier.checked(column.collation.name)
    return "\(name) \(column.type.affinity.declaration) COLLATE \(collation)"
  }

  /// Whether an index leads to the rows with a value in a column.
  func isIndexed(_ column: Int, by connection: Connection) throws -> Bool {
    if let isIndexed = indexed[column] { return isIndexed }
    let isIndexed = try !isScanned(for: [column], by: connection)
    indexed[column] = isIndexed
    return isIndexed
  }

  /// Whether SQLite would look at all rows for those with values in these columns.
  func isScanned(for columns: [Int], by connection: Connection) throws -> Bool {
    let parts: [SQL] = columns.map { "\(column($0)) = ?" }
    var isScanned = false
    try connection.query(
      "EXPLAIN QUERY PLAN SELECT 1 FROM \(name) WHERE \(parts, separator: " AND ")",
      values: columns.map { _ in nil }
    ) { row in
      isScanned = try isScanned || row.text("detail").hasPrefix("SCAN")
    }
    return isScanned
  }
}

extension ColumnType.Affinity {
  fileprivate var declaration: SQL {
    switch self {
    case .text: "TEXT"
    case .numeric: "NUMERIC"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .blob: "BLOB"
    }
  }
}

extension ColumnSchema.Collation {
  fileprivate var name: String {
    switch self {
    case .binary: "BINARY"
    case .noCase: "NOCASE"
    case .trimmed: "RTRIM"
    case .other(let name): name
    }
  }
}
