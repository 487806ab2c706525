import SyncDatabase

extension SchemaChange {
  /// What makes tables and columns, and what says in tables of ours what these and relations are
  /// called in JSON. ``ColumnRetyping`` gives a column that is there another type.
  var statements: (made: [SQL], columns: [SQL], relations: [SQL]) {
    get throws {
      switch self {
      case .table(let table):
        (try table.statements, table.columns.flatMap { $0.names(in: table.name) }, [])
      case .column(let column, let table):
        (try column.statements(addedTo: .checked(table)), column.names(in: table), [])
      case .relation(let relation):
        (
          [], relation.taken?.names ?? [],
          (relation.named + [relation.taken?.hidden].compactMap { $0 }).map(MadeNames.naming)
        )
      case .widened, .filled: ([], [], [])
      }
    }
  }

  /// The rows that then move to what was made.
  var taken: TakenRows? {
    if case .relation(let relation) = self { relation.taken } else { nil }
  }
}

extension MadeTable {
  fileprivate var statements: [SQL] {
    get throws {
      let name = try Identifier.checked(name)
      var parts = try columns.map {
        try $0.declaration(isKey: key == [$0.name], isPart: key.contains($0.name))
      }
      let keys = try key.map { try Identifier.checked($0) }
      if keys.count > 1 { parts.append("PRIMARY KEY (\(keys))") }
      return try ["CREATE TABLE \(name) (\(parts))"] + columns.flatMap { try $0.indexes(on: name) }
    }
  }
}

extension MadeColumn {
  fileprivate func statements(addedTo table: Identifier) throws -> [SQL] {
    let declaration = try declaration(isKey: false, isPart: false)
    return try ["ALTER TABLE \(table) ADD COLUMN \(declaration)"] + indexes(on: table)
  }

  /// A name, a type and constraints, as they stand in the declaration of a table.
  fileprivate func declaration(isKey: Bool, isPart: Bool) throws -> SQL {
    var sql: SQL = "\(try Identifier.checked(name)) \(type.sql)"
    if isPart, !isKey || type != .integer { sql = "\(sql) NOT NULL" }
    if isKey { sql = "\(sql) PRIMARY KEY" }
    guard let reference else { return sql }
    let (table, column) = (
      try Identifier.checked(reference.table), try Identifier.checked(reference.column)
    )
    let action: SQL = reference.isChild ? "CASCADE" : "SET NULL"
    return "\(sql) REFERENCES \(table) (\(column)) ON DELETE \(action)"
  }

  fileprivate func indexes(on table: Identifier) throws -> [SQL] {
    guard let index = try reference?.index.map({ try Identifier.checked($0) }) else { return [] }
    return ["CREATE INDEX \(index) ON \(table) (\(try Identifier.checked(name)))"]
  }

  fileprivate func names(in table: String) -> [SQL] {
    let own = jsonPath.map { MadeNames.naming(name, of: table, $0, keepsRest: keepsRest) }
    let key = keyBeside.map { MadeNames.naming($0, of: table, [$0]) }
    return [own, key].compactMap { $0 }
  }
}

extension TakenRows {
  /// What says where the key stands of the row that was led to.
  fileprivate var names: [SQL] {
    guard let column = relation.kind.ownColumn, let linkPath else { return [] }
    let owner = schema.tables[owner]
    return [MadeNames.naming(owner.columns[column].name, of: owner.name, linkPath)]
  }
}
