internal import SyncDatabase

/// Reads the rows of an export, in the order in which a payload has them.
final class ExportReader {
  private let connection: Connection
  private let schema: RecordSchema
  private let tables: [TableAccess]
  private var statements: [MemberMap.RelationPlace: SQL] = [:]

  init(_ connection: Connection, _ schema: RecordSchema) throws {
    self.connection = connection
    self.schema = schema
    tables = try schema.tables.map(TableAccess.init)
  }

  /// Gives the rows of a table one after the other. They aren't held, nor counted before.
  func each(
    _ selection: RecordSelection, of table: Int, _ body: (ExportedRow) throws -> Void
  ) throws {
    let access = tables[table]
    let all: SQL = "SELECT \(access.address), \(columns(table)) FROM \(access.name)"
    let order = order(table, by: schema.tables[table].position)
    switch selection {
    case .all:
      try connection.query("\(all) ORDER BY \(order)", values: []) { row in
        try body(try whole(FoundRow(row, access), of: table))
      }
    case .condition(let text, let values):
      let condition = try ConditionText(text, values: values.map(\.stored)).sql
      try connection.check(condition, over: "\(access.name)")
      try connection.query("\(all) WHERE \(condition) ORDER BY \(order)", values: []) { row in
        try body(try whole(FoundRow(row, access), of: table))
      }
    case .key(let key):
      guard let key = schema.tables[table].recordKey(key) else { return }
      if let found = try access.row(of: key, on: connection) {
        try body(try whole(found, of: table))
      }
    }
  }

  func rows(_ place: MemberMap.RelationPlace, of row: ExportedRow) throws -> [ExportedRow] {
    switch schema.tables[place.table].relations[place.relation].kind {
    case .toOne(let column, let table, _):
      guard let value = row[place.table, column] else { return [] }
      return try read(try statement(place), value, table)
    case .toMany(let table, _, let own), .inverseToOne(let table, _, let own):
      guard let value = row[place.table, own] else { return [] }
      return try read(try statement(place), value, table)
    case .manyToMany(_, _, let own, _, let table, let target):
      guard let value = row[place.table, own] else { return [] }
      var targets: [StoredValue] = []
      try connection.query(try statement(place), values: [value]) { row in
        if let target = try row.value(0), targets.last != target { targets.append(target) }
      }
      let find = select(table, where: target)
      return try targets.flatMap { try read(find, $0, table) }
    }
  }

  private func whole(_ row: FoundRow, of table: Int) throws -> ExportedRow {
    var layers = [(table: table, row: row)]
    var next = schema.tables[table].base
    while let base = next, layers.count <= schema.tables.count {
      let key = layers[layers.count - 1]
      let values = schema.tables[key.table].key.columns.map { key.row.values[$0] }
      var found: FoundRow?
      try connection.query(tables[base].findByKey, values: values) { row in
        if found == nil { found = try FoundRow(row, tables[base]) }
      }
      guard let found else { break }
      layers.append((base, found))
      next = schema.tables[base].base
    }
    return ExportedRow(table: table, layers: layers)
  }

  private func read(_ sql: SQL, _ value: StoredValue, _ table: Int) throws -> [ExportedRow] {
    var found: [FoundRow] = []
    try connection.query(sql, values: [value]) { found.append(try FoundRow($0, tables[table])) }
    return try found.map { try whole($0, of: table) }
  }

  /// The first row that holds a value in a column.
  func row(of table: Int, where column: Int, is value: StoredValue) throws -> FoundRow? {
    var found: FoundRow?
    try connection.query(select(table, where: column), values: [value]) { row in
      if found == nil { found = try FoundRow(row, tables[table]) }
    }
    return found
  }

  // MARK: - Statements

  private func statement(_ place: MemberMap.RelationPlace) throws -> SQL {
    if let sql = statements[place] { return sql }
    let relation = schema.tables[place.table].relations[place.relation]
    let sql: SQL
    switch relation.kind {
    case .toOne(_, let table, let target): sql = select(table, where: target)
    case .toMany(let table, let column, _), .inverseToOne(let table, let column, _):
      sql = """
        \(select(table, where: column)) ORDER BY \(order(table, by: relation.position?.column))
        """
    case .manyToMany(let through, let here, _, let there, _, _):
      let link = tables[through]
      let order = ([relation.position?.column].compactMap { $0 } + [there]).map(link.column)
      sql = """
        SELECT \(link.column(there)) FROM \(link.name)
        WHERE \(link.column(here)) = ?1 AND \(link.column(there)) IS NOT NULL
        ORDER BY \(order)
        """
    }
    statements[place] = sql
    return sql
  }

  private func select(_ table: Int, where column: Int) -> SQL {
    let access = tables[table]
    return """
      SELECT \(access.address), \(columns(table)) FROM \(access.name)
      WHERE \(access.column(column)) = ?1
      """
  }

  private func columns(_ table: Int) -> [SQL] {
    schema.tables[table].columns.indices.map { tables[table].column($0) }
  }

  private func order(_ table: Int, by position: Int?) -> [SQL] {
    let access = tables[table]
    let columns = [position].compactMap { $0 } + schema.tables[table].key.columns
    return columns.map { access.column($0) } + access.address
  }
}
