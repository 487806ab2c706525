/// What identifies the rows of each table.
struct KeyFinder {
  let tables: [TableSchema]
  let overrides: [SchemaOverrides.Table]
  let spelling: Spelling

  /// The key of a table, whose ``TableSchema/base`` and ``TableSchema/extensions`` are known.
  func key(of table: Int) throws(SchemaProblem) -> KeySchema {
    if let declared = overrides[table].key {
      var columns: [Int] = []
      for name in declared { columns.append(try tables[table].requirePlace(ofColumn: name)) }
      guard !columns.isEmpty else { throw .withoutKey(table: tables[table].name) }
      return key(columns, of: table)
    }
    if let base = tables[table].base { return try extendingKey(of: table, base) }
    let primary = tables[table].primaryKey
    if primary.count == 1 { return singleKey(primary[0], of: table) }
    if primary.count > 1 { return key(primary, of: table) }
    if let column = named("id", in: table) ?? named("remote_id", in: table) {
      return key([column], of: table)
    }
    if let link = LinkTable(tables[table]) {
      return key([link.first.column, link.second.column], of: table)
    }
    var none = KeySchema.none
    none.problem = .withoutKey(table: tables[table].name)
    return none
  }

  /// The key with the column that names the parent before it, unless it has that already.
  func key(_ key: KeySchema, of table: Int, with parent: Int) -> KeySchema {
    guard key.problem == nil, !key.columns.contains(parent) else { return key }
    return KeySchema(
      columns: [parent] + key.columns,
      jsonNames: [jsonName(of: parent, in: table)] + key.jsonNames,
      isRowNumber: false, problem: nil, alternative: nil)
  }

  /// Rows of an extending table have the key of the row that they are the rest of, under its name,
  /// unless they have a column of that name.
  private func extendingKey(of table: Int, _ base: Int) throws(SchemaProblem) -> KeySchema {
    var own = key(tables[table].primaryKey, of: table)
    guard tables[table].columns[own.columns[0]].jsonPath == nil else { return own }
    let names = try key(of: base).jsonNames
    let isTaken = names.contains { hasOther($0, than: own.columns[0], in: table) }
    if !isTaken { own.jsonNames = names }
    return own
  }

  /// An INTEGER PRIMARY KEY may be no more than SQLite's row number, where another column says that
  /// it is the identity. Where other tables extend this one, it is known to be more.
  private func singleKey(_ column: Int, of table: Int) -> KeySchema {
    guard tables[table].rowNumberColumn == column, tables[table].extensions.isEmpty,
      let other = ["id", "remote_id"].lazy.compactMap({ named($0, in: table, but: column) }).first
    else { return key([column], of: table) }
    var key = key([other], of: table)
    key.alternative = .init(column: column, jsonName: jsonName(of: column, in: table))
    return key
  }

  private func key(_ columns: [Int], of table: Int) -> KeySchema {
    KeySchema(
      columns: columns, jsonNames: columns.map { jsonName(of: $0, in: table) },
      isRowNumber: columns.count == 1 && columns[0] == tables[table].rowNumberColumn,
      problem: nil, alternative: nil)
  }

  /// `id` for a column `remote_id`, too, unless there is another column of that name.
  private func jsonName(of place: Int, in table: Int) -> String {
    let column = tables[table].columns[place]
    if let path = column.jsonPath { return path.joined(separator: ".") }
    switch canonical(column.name) {
    case Array("id".utf8): return "id"
    case Array("remote_id".utf8) where !hasOther("id", than: place, in: table): return "id"
    default: return column.name
    }
  }

  /// Whether another column has this name, and no declared one in its place.
  private func hasOther(_ name: String, than place: Int, in table: Int) -> Bool {
    tables[table].columns.indices.contains { other in
      let column = tables[table].columns[other]
      return other != place && column.jsonPath == nil && canonical(column.name) == canonical(name)
    }
  }

  /// A column of this name in any spelling. One that refers to another table identifies rows of
  /// that.
  private func named(_ name: String, in table: Int, but other: Int? = nil) -> Int? {
    let own = tables[table]
    return own.columns.indices.first { place in
      place != other && canonical(own.columns[place].name) == Array(name.utf8)
        && !own.foreignKeys.contains { $0.column == place }
    }
  }

  private func canonical(_ name: String) -> [UInt8] { spelling.canonical(Array(name.utf8)) }
}
