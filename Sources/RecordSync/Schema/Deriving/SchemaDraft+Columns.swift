private import SyncText

extension SchemaDraft {
  mutating func readColumns() throws(SchemaProblem) {
    for place in declared.indices { schema.tables.append(try table(place)) }
  }

  /// The table without what other tables have to do with it: foreign keys, key, relations.
  private func table(_ place: Int) throws(SchemaProblem) -> TableSchema {
    let (declared, overrides) = (declared[place], overrides[place])
    var table = TableSchema(
      name: declared.name, columns: declared.columns.map { column($0, of: declared) }, key: .none,
      relations: [],
      base: nil, extensions: [], position: nil, edits: nil, unknown: overrides.unknown ?? unknown,
      primaryKey: declared.primaryKey, rowNumberColumn: declared.rowNumberColumn, foreignKeys: [],
      compositeForeignKeys: [],
      uniques: declared.uniques.filter { !$0.isPrimaryKey }.map(\.columns), rowNumber: nil)
    if !declared.isWithoutRowNumber {
      table.rowNumber = [.rowid, .underscored, .oid].first {
        table.place(ofColumn: $0.rawValue) == nil
      }
    }
    table.position = try overrides.position.map { name throws(SchemaProblem) in
      try table.requirePlace(ofPositions: name)
    }
    table.edits = try overrides.edits.map { name throws(SchemaProblem) in
      try table.requirePlace(ofColumn: name)
    }
    table.keepsHistory = overrides.keepsHistory ?? keepsHistory
    var seen: [Int: String] = [:]
    for (name, override) in overrides.columns.sorted(by: { $0.key < $1.key }) {
      let place = try table.requirePlace(ofColumn: name)
      if let other = seen.updateValue(name, forKey: place) {
        throw .declaredTwice("\(table.name).\(other)", "\(table.name).\(name)")
      }
      try adjust(&table.columns[place], by: override, in: table.name)
    }
    for name in overrides.key ?? [] where table.place(ofKey: name) == nil {
      // The column of a key within objects may be called as one that is made for it.
      let path = JSONPath.parts(of: name) ?? []
      guard path.count > 1, let place = table.place(ofColumn: path.joined(separator: "_")),
        table.columns[place].jsonPath == nil
      else { continue }
      table.columns[place].jsonPath = path
    }
    return table
  }

  private func column(
    _ column: DeclaredTable.Column, of declared: DeclaredTable
  ) -> ColumnSchema {
    var type = ColumnType(declared: column.type, isStrict: declared.isStrict)
    // A strict table has it as TEXT.
    if column.keepsRest { type.kind = .json }
    return ColumnSchema(
      name: column.name, type: type,
      isRequired: column.isRequired, hasDefault: column.hasDefault,
      isGenerated: column.isGenerated, collation: .init(named: column.collation),
      jsonPath: column.jsonPath, keepsRest: column.keepsRest, isExported: true, ignoresNull: false,
      transformer: nil)
  }

  private func adjust(
    _ column: inout ColumnSchema, by override: SchemaOverrides.Column, in table: String
  ) throws(SchemaProblem) {
    if let name = override.name {
      guard let path = JSONPath.parts(of: name) else {
        throw .emptyName(of: column.name, table: table)
      }
      column.jsonPath = path
    }
    column.isExported = override.export ?? true
    column.ignoresNull = override.ignoreNull ?? false
    column.transformer = override.transform
    if let kind = override.kind { column.type.kind = kind }
    if let date = override.date { column.type.kind = .date(date) }
  }
}

extension TableSchema {
  /// As ``place(ofColumn:)``, for a name that an override gave.
  func requirePlace(ofColumn name: String) throws(SchemaProblem) -> Int {
    guard let place = place(ofColumn: name) else { throw .noColumn(name, table: self.name) }
    return place
  }

  /// The column that an override names as a part of the key: by its name, or by its way in JSON.
  func place(ofKey name: String) -> Int? {
    if let place = place(ofColumn: name) { return place }
    let path = JSONPath.parts(of: name) ?? [name]
    return columns.firstIndex { ($0.jsonPath ?? [$0.name]) == path }
  }

  func requirePlace(ofKey name: String) throws(SchemaProblem) -> Int {
    guard let place = place(ofKey: name) else { throw .noColumn(name, table: self.name) }
    return place
  }

  func requirePlace(ofPositions name: String) throws(SchemaProblem) -> Int {
    let place = try requirePlace(ofColumn: name)
    switch columns[place].type.affinity {
    case .integer, .numeric, .blob: return place
    case .real, .text: throw .noPositions(columns[place].name, table: self.name)
    }
  }
}

extension KeySchema {
  static var none: KeySchema {
    KeySchema(columns: [], jsonNames: [], isRowNumber: false, problem: nil, alternative: nil)
  }
}

extension ColumnSchema.Collation {
  init(named name: String) {
    switch name.asciiLowercased {
    case "binary": self = .binary
    case "nocase": self = .noCase
    case "rtrim": self = .trimmed
    default: self = .other(name)
    }
  }
}
