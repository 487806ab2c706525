package import SyncDatabase

extension SchemaChange {
  /// What makes it; none for what is declared anew, which ``TableRebuild`` does.
  package var statements: [SQL] {
    switch self {
    case .table(let table): table.statements
    case .column(let column, let table):
      Identifier(table).map { column.statements(addedTo: $0) } ?? []
    case .relinked(let column, _, let through): through.filling(from: column).map { [$0] } ?? []
    case .widened, .loosened, .filled: []
    }
  }

  var columns: [(table: String, column: MadeColumn)] {
    switch self {
    case .table(let table): table.columns.map { (table.name, $0) }
    case .column(let column, let table): [(table, column)]
    case .widened, .loosened, .relinked, .filled: []
    }
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

extension MadeTable {
  /// What makes a link of each row that named one other by a column.
  fileprivate func filling(from column: String) -> SQL? {
    guard columns.count == 2, let here = columns[0].reference, let there = columns[1].reference,
      let name = Identifier(name), let own = Identifier(columns[0].name),
      let other = Identifier(columns[1].name), let parent = Identifier(here.table),
      let parentKey = Identifier(here.column), let child = Identifier(there.table),
      let childKey = Identifier(there.column), let column = Identifier(column)
    else { return nil }
    return """
      INSERT INTO \(name) (\(own), \(other)) SELECT \(parent).\(parentKey), \(child).\(childKey)
      FROM \(child) JOIN \(parent) ON \(parent).\(parentKey) = \(child).\(column)
      """
  }
}

extension MadeColumn {
  fileprivate func statements(addedTo table: Identifier) -> [SQL] {
    guard let declaration = declaration(isKey: false, isPart: false) else { return [] }
    let adding: SQL = "ALTER TABLE \(table) ADD COLUMN \(declaration)"
    return [adding] + [indexStatement(on: table), nameStatement(of: table.name)].compactMap { $0 }
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
    jsonName.map { MadeNames.naming(name, of: table, [$0]) }
  }
}
