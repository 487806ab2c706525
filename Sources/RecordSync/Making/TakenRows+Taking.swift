import SyncDatabase

extension TakenRows {
  /// Takes the rows that aren't marked as gone; nothing is deleted.
  func take(on connection: Connection) throws {
    let rows = try TableAccess(schema.tables[relation.kind.table])
    let statement = try self.statement
    let types = copies.map { ColumnType(declared: $0.type.rawValue, isStrict: false) }
    try connection.forEachRow(of: source(rows)) { row in
      var values = try copies.indices.map { number in
        try row.value(Column(at: number)).map {
          rows.types[copies[number].from].converted($0, to: types[number])
        }
      }
      values.append(try row.value(Column(at: copies.count)))
      if position != nil { values.append(try row.value(Column(at: copies.count + 1))) }
      try connection.run(statement, values: values)
    }
    guard isFreed, let hung = relation.kind.childLink?.column else { return }
    try connection.run("UPDATE \(rows.name) SET \(rows.column(hung)) = NULL")
  }

  /// The values that are copied, the key of the row that led to them, and the place in its array.
  private func source(_ rows: TableAccess) throws -> SQL {
    func column(_ place: Int) -> SQL { "c.\(rows.column(place))" }
    var from: SQL = "\(rows.name) AS c"
    let place = relation.position?.column
    var order: SQL?
    let mark = rows.schema.mark.flatMap { mark in
      copies.contains { $0.from == mark } ? nil : column(mark)
    }
    var marks = mark.map { [$0] } ?? []
    let parent: SQL
    switch relation.kind {
    case .toOne(let link, _, let target):
      let owner = try TableAccess(schema.tables[owner])
      from = "\(from) JOIN \(owner.name) AS p ON p.\(owner.column(link)) = \(column(target))"
      parent = "p.\(try key(of: owner))"
    case .inverseToOne(_, let link, _), .toMany(_, let link, _):
      (parent, order) = (column(link), place.map(column))
    case .manyToMany(let through, let here, _, let there, _, let target):
      let links = try TableAccess(schema.tables[through])
      from = "\(from) JOIN \(links.name) AS l ON l.\(links.column(there)) = \(column(target))"
      parent = "l.\(links.column(here))"
      order = place.map { "l.\(links.column($0))" }
      if let mark = links.schema.mark { marks.append("l.\(links.column(mark))") }
    }
    let conditions: [SQL] = ["\(parent) IS NOT NULL"] + marks.map { "\($0) IS NULL" }
    let ordered = (order.map { [$0] } ?? []) + rows.schema.key.columns.map(column)
    return """
      SELECT \(copies.map { column($0.from) } + [parent]),
        row_number() OVER (PARTITION BY \(parent) ORDER BY \(ordered)) - 1
      FROM \(from) WHERE \(conditions, separator: " AND ")
      """
  }

  /// What writes these values into the table that takes them: as a row, or into the one that led
  /// to them.
  private var statement: SQL {
    get throws {
      let table = try Identifier.checked(table)
      let copied = try copies.map { try Identifier.checked($0.to) }
      guard let link else {
        let owner = try TableAccess(schema.tables[owner])
        return """
          UPDATE \(table) SET (\(copied)) = (\(parameters: copied.count))
          WHERE \(try key(of: owner)) = \(parameter: copied.count + 1)
          """
      }
      let columns =
        try copied + ([link] + [position].compactMap { $0 }).map { try Identifier.checked($0) }
      return "INSERT INTO \(table) (\(columns)) VALUES (\(parameters: columns.count))"
    }
  }

  private func key(of owner: TableAccess) throws -> SQL {
    guard let key = owner.schema.keyColumn else { throw RecordError.table(table, .unusableName) }
    return owner.column(key)
  }
}
