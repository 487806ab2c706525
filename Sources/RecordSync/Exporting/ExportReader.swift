import SyncDatabase
private import SyncText

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
    _ selection: RecordSelection, of table: Int, in order: [RecordOrder] = [],
    atMost limit: Int? = nil, _ body: (ExportedRow) throws -> Void
  ) throws {
    let access = tables[table]
    if case .key(let key) = selection {
      guard limit.map({ $0 > 0 }) ?? true, let key = schema.tables[table].recordKey(key),
        let found = try access.row(of: key, on: connection), access.schema.isLive(found)
      else { return }
      return try body(try whole(found, of: table))
    }
    let asked = try asked(order, of: table)
    let all = asked + self.order(table, by: schema.tables[table].position)
    // A negative number is no limit (sqlite.org, "SELECT", 4).
    let most = limit.map { max(0, $0) } ?? -1
    let sql: SQL = """
      \(access.select) WHERE \(try condition(of: selection, table)) ORDER BY \(all) LIMIT \(most)
      """
    try connection.query(sql) { try body(try whole(FoundRow($0, access), of: table)) }
  }

  func count(_ selection: RecordSelection, of table: Int) throws -> Int {
    if case .key(let key) = selection {
      let key = schema.tables[table].recordKey(key)
      let found = try key.flatMap { try tables[table].row(of: $0, on: connection) }
      return found.map { schema.tables[table].isLive($0) } ?? false ? 1 : 0
    }
    let condition = try condition(of: selection, table)
    let sql: SQL = "SELECT COUNT(*) FROM \(tables[table].name) WHERE \(condition)"
    return Int(try connection.row(sql) { try $0.integer(0) } ?? 0)
  }

  private func condition(of selection: RecordSelection, _ table: Int) throws -> SQL {
    let isLive = tables[table].isLive
    guard case .condition(let text, let values) = selection else { return isLive }
    let condition = try connection.condition(
      text, values: values.map(\.stored), over: "\(tables[table].name)")
    return "\(condition) AND \(isLive)"
  }

  private func asked(_ order: [RecordOrder], of table: Int) throws -> [SQL] {
    try order.map { one in
      let name = one.column.asciiLowercased
      let columns = schema.tables[table].columns
      guard let place = columns.firstIndex(where: { $0.name.asciiLowercased == name }) else {
        throw RecordError.order(table: schema.tables[table].name, column: one.column)
      }
      return one.isDescending
        ? "\(tables[table].column(place)) DESC" : tables[table].column(place)
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
      let find = selectLive(table, where: target)
      return try targets.flatMap { try read(find, $0, table) }
    }
  }

  private func whole(_ row: FoundRow, of table: Int) throws -> ExportedRow {
    var layers = [(table: table, row: row)]
    var next = schema.tables[table].base
    while let base = next, layers.count <= schema.tables.count {
      let key = layers[layers.count - 1]
      let values = schema.tables[key.table].key.columns.map { key.row.values[$0] }
      guard let found = try tables[base].row(tables[base].findByKey, values, connection) else {
        break
      }
      layers.append((base, found))
      next = schema.tables[base].base
    }
    return ExportedRow(table: table, layers: layers)
  }

  private func read(_ sql: SQL, _ value: StoredValue, _ table: Int) throws -> [ExportedRow] {
    try tables[table].rows(sql, [value], connection).map { try whole($0, of: table) }
  }

  func row(of table: Int, where column: Int, is value: StoredValue) throws -> FoundRow? {
    try tables[table].row(select(table, where: column), [value], connection)
  }

  // MARK: - Statements

  private func statement(_ place: MemberMap.RelationPlace) throws -> SQL {
    if let sql = statements[place] { return sql }
    let relation = schema.tables[place.table].relations[place.relation]
    let sql: SQL
    switch relation.kind {
    case .toOne(_, let table, let target): sql = selectLive(table, where: target)
    case .toMany(let table, let column, _), .inverseToOne(let table, let column, _):
      sql = """
        \(selectLive(table, where: column)) ORDER BY \(order(table, by: relation.position?.column))
        """
    case .manyToMany(let through, let here, _, let there, _, _):
      let link = tables[through]
      let order = ([relation.position?.column].compactMap { $0 } + [there]).map(link.column)
      sql = """
        SELECT \(link.column(there)) FROM \(link.name)
        WHERE \(link.column(here)) = ?1 AND \(link.column(there)) IS NOT NULL AND \(link.isLive)
        ORDER BY \(order)
        """
    }
    statements[place] = sql
    return sql
  }

  /// But for rows that are marked as gone.
  private func selectLive(_ table: Int, where column: Int) -> SQL {
    "\(select(table, where: column)) AND \(tables[table].isLive)"
  }

  private func select(_ table: Int, where column: Int) -> SQL {
    "\(tables[table].select) WHERE \(tables[table].column(column)) = ?1"
  }

  private func order(_ table: Int, by position: Int?) -> [SQL] {
    let access = tables[table]
    let columns = [position].compactMap { $0 } + schema.tables[table].key.columns
    return columns.map { access.column($0) } + access.address
  }
}

/// A row on its way out, with those of the tables that its own extends.
struct ExportedRow {
  let table: Int
  /// The row, and those that it extends, as far as they are there.
  let layers: [(table: Int, row: FoundRow)]

  var address: [StoredValue] { layers[0].row.address }

  /// The value of a column, of its table or of one that this extends.
  subscript(place: MemberMap.ColumnPlace) -> StoredValue? { self[place.table, place.column] }

  subscript(table: Int, column: Int) -> StoredValue? {
    layers.first { $0.table == table }?.row.values[column]
  }
}

extension Relation.Kind {
  /// Whether following this relation back, from the row to which another one led, leads again to
  /// where that began.
  ///
  /// - Parameters:
  ///   - table: The table of this relation.
  ///   - other: The one that led there, which is a relation of `origin`.
  func leadsBack(from table: Int, over other: Relation.Kind, of origin: Int) -> Bool {
    switch (self, other) {
    case (.toOne(let column, _, _), .toMany(let child, let link, _)),
      (.toOne(let column, _, _), .inverseToOne(let child, let link, _)):
      return table == child && column == link
    case (.toMany(let child, let link, _), .toOne(let column, _, _)),
      (.inverseToOne(let child, let link, _), .toOne(let column, _, _)):
      return origin == child && column == link
    case (
      .manyToMany(let one, let here, _, let there, _, _),
      .manyToMany(let two, let from, _, let to, _, _)
    ):
      return one == two && here == to && there == from
    default: return false
    }
  }
}

struct MetRows {
  private var numbers: Set<Int64> = []
  private var others: Set<[StoredValue]> = []

  /// Notes a row; `false` if it was met before.
  mutating func insert(_ address: [StoredValue]) -> Bool {
    if address.count == 1, case .integer(let number) = address[0] {
      return numbers.insert(number).inserted
    }
    return others.insert(address).inserted
  }
}
