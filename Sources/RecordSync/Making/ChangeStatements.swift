package import SyncDatabase

extension SchemaChange {
  /// What makes it, without a change of rows that are there; none for another type, which
  /// ``ColumnRetyping`` gives.
  package var statements: [SQL] {
    switch self {
    case .table(let table): table.statements
    case .column(let column, let table):
      Identifier(table).map { column.statements(addedTo: $0) } ?? []
    case .relation(let relation):
      relation.named.map { MadeNames.naming($0.relation, of: $0.table) }
        + (relation.taken.flatMap(\.naming).map { [$0] } ?? [])
    case .widened, .filled: []
    }
  }

  /// What then moves rows to it that are there.
  package var taking: [SQL] {
    if case .relation(let relation) = self { relation.taken?.statements ?? [] } else { [] }
  }

  /// Whether a table of ours is to say what columns are called in JSON.
  var namesColumns: Bool {
    switch self {
    case .table(let table): table.columns.contains { $0.jsonPath != nil }
    case .column(let column, _): column.jsonPath != nil || column.keyBeside != nil
    case .relation(let relation): relation.taken?.linkPath != nil
    case .widened, .filled: false
    }
  }

  /// Whether a table of ours is to say what relations are called in JSON.
  var namesRelations: Bool {
    if case .relation(let relation) = self { !relation.named.isEmpty } else { false }
  }
}

extension MadeTable {
  fileprivate var statements: [SQL] {
    guard let name = Identifier(name) else { return [] }
    var parts = columns.compactMap {
      $0.declaration(isKey: key == [$0.name], isPart: key.contains($0.name))
    }
    let keys = key.compactMap { Identifier($0) }
    if keys.count > 1 { parts.append("PRIMARY KEY (\(keys))") }
    let table: SQL = "CREATE TABLE \(name) (\(parts))"
    return [table] + columns.compactMap { $0.indexStatement(on: name) }
      + columns.compactMap { $0.nameStatement(of: self.name) }
  }
}

extension MadeColumn {
  fileprivate func statements(addedTo table: Identifier) -> [SQL] {
    guard let declaration = declaration(isKey: false, isPart: false) else { return [] }
    let adding: SQL = "ALTER TABLE \(table) ADD COLUMN \(declaration)"
    let key = keyBeside.map { MadeNames.naming($0, of: table.name, [$0]) }
    return [adding]
      + [indexStatement(on: table), nameStatement(of: table.name), key].compactMap { $0 }
  }

  /// A name, a type and constraints, as they stand in the declaration of a table.
  fileprivate func declaration(isKey: Bool, isPart: Bool) -> SQL? {
    guard let name = Identifier(name) else { return nil }
    var sql: SQL = "\(name) \(type.sql)"
    if isPart, !isKey || type != .integer { sql = "\(sql) NOT NULL" }
    if isKey { sql = "\(sql) PRIMARY KEY" }
    guard let reference, let table = Identifier(reference.table),
      let column = Identifier(reference.column)
    else { return sql }
    let action: SQL = reference.isChild ? "CASCADE" : "SET NULL"
    return "\(sql) REFERENCES \(table) (\(column)) ON DELETE \(action)"
  }

  fileprivate func indexStatement(on table: Identifier) -> SQL? {
    guard let index = reference?.index.flatMap({ Identifier($0) }), let name = Identifier(name)
    else { return nil }
    return "CREATE INDEX \(index) ON \(table) (\(name))"
  }

  fileprivate func nameStatement(of table: String) -> SQL? {
    jsonPath.map { MadeNames.naming(name, of: table, $0, keepsRest: keepsRest) }
  }
}
