package import SyncDatabase
private import SyncText

/// Makes a table anew with columns of other types, and puts it in the place of the old one: with
/// its rows, their row numbers, indexes and triggers (sqlite.org, "ALTER TABLE", section 7).
/// Foreign keys aren't enforced meanwhile.
struct TableRebuild {
  private let connection: Connection
  private let table: TableSchema
  private let types: [(column: String, type: MadeType)]
  /// The table as it is made, until it has its name.
  private static let other: Identifier = "recordsync_rebuilt"

  /// - Parameters:
  ///   - table: As it is.
  ///   - types: The columns to be declared anew.
  init(
    _ connection: Connection, _ table: TableSchema, _ types: [(column: String, type: MadeType)]
  ) {
    self.connection = connection
    self.table = table
    self.types = types
  }

  func perform() throws {
    guard let name = Identifier(table.name) else { return }
    let (text, others) = try texts()
    let sequence = try self.sequence()
    try connection.run(SQL(written: text, values: []))
    try copyRows(from: name)
    try connection.run("DROP TABLE \(name)")
    try connection.run("ALTER TABLE \(Self.other) RENAME TO \(name)")
    for sql in others { try connection.run(SQL(written: sql, values: [])) }
    if let sequence {
      try connection.run(
        "UPDATE sqlite_sequence SET seq = ?1 WHERE name = ?2", sequence, table.name)
    }
  }

  /// What makes the table, and what makes its indexes and triggers again.
  private func texts() throws -> (table: String, others: [String]) {
    var own: String?
    var others: [String] = []
    try connection.query(
      """
      SELECT type, sql FROM sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE AND sql IS NOT NULL
      ORDER BY type = 'trigger', name
      """, table.name
    ) { row in
      let sql = try row.text("sql")
      if try row.text("type") == "table" { own = sql } else { others.append(sql) }
    }
    guard var text = own.flatMap({ DeclarationText($0) }),
      types.allSatisfy({ text.setType($0.type.rawValue, of: $0.column) })
    else {
      throw DatabaseError(
        code: .statement, message: "the declaration of \(table.name) can't be changed",
        path: connection.path)
    }
    return (text.text(named: Self.other.name), others)
  }

  /// The largest number that an AUTOINCREMENT gave; it goes on where rows that had numbers are
  /// gone.
  private func sequence() throws -> Int64? {
    let isThere = try connection.row(
      "SELECT 1 AS one FROM sqlite_schema WHERE name = 'sqlite_sequence'"
    ) { try $0.integer("one") }
    guard isThere != nil else { return nil }
    return try connection.row("SELECT seq FROM sqlite_sequence WHERE name = ?1", table.name) {
      try $0.integer("seq")
    }
  }

  private func copyRows(from name: Identifier) throws {
    let places = table.columns.indices.filter { !table.columns[$0].isGenerated }
    let columns = try places.map { try Self.identifier(table.columns[$0].name) }
    let converted = try places.map(conversion)
    let key = table.rowNumberColumn.map { table.columns[$0].name }
    let keepsNumber = key.map { key in types.contains { $0.column == key } } ?? true
    var names: [SQL] = columns.map { "\($0)" }
    if keepsNumber, let number = table.rowNumber?.sql { names.insert(number, at: 0) }
    let offset = names.count - columns.count
    let insert: SQL = """
      INSERT INTO \(Self.other) (\(names)) VALUES (\(parameters: names.count))
      """
    var count = 0
    try connection.query("SELECT \(names) FROM \(name)", values: []) { row in
      var values: [StoredValue?] = []
      values.reserveCapacity(names.count)
      for place in names.indices {
        let value = try row.value(Column(at: place))
        values.append(place < offset ? value : converted[place - offset](value))
      }
      try connection.run(insert, values: values)
      count += 1
      if count.isMultiple(of: 1_000) { try Task.checkCancellation() }
    }
  }

  /// What becomes of a column's values: as their JSON is read by the new type. What isn't of the
  /// old type stays as it is.
  private func conversion(_ place: Int) throws -> (StoredValue?) -> StoredValue? {
    let column = table.columns[place]
    guard let type = types.first(where: { $0.column == column.name })?.type else { return { $0 } }
    let after = ColumnType(declared: type.rawValue, isStrict: table.isStrict)
    return { value in
      guard let value else { return nil }
      var json: [UInt8] = []
      column.type.json(of: value, to: &json)
      var tape = JSONTape(nesting: PayloadWindow.nesting)
      tape.begin(json)
      guard let root = try? tape.append(at: 0).root,
        case .stored(let stored?, _) = after.stored(root, in: tape)
      else { return value }
      return stored
    }
  }

  private static func identifier(_ name: String) throws -> Identifier {
    guard let identifier = Identifier(name) else {
      throw DatabaseError(code: .statement, message: "a column has no usable name", path: "")
    }
    return identifier
  }
}

extension TableSchema.RowNumber {
  /// As it stands in a statement.
  package var sql: SQL {
    switch self {
    case .rowid: "rowid"
    case .underscored: "_rowid_"
    case .oid: "oid"
    }
  }
}
