private import SyncText

// MARK: - Which columns of which tables foreign keys lead to, and which of them lead nowhere

extension SchemaDraft {
  mutating func findForeignKeys() {
    for table in schema.tables.indices {
      schema.tables[table].foreignKeys = foreignKeys(of: table)
      schema.tables[table].compositeForeignKeys = compositeForeignKeys(of: table)
    }
  }

  /// The foreign keys of a table, as declared; one that was declared twice, once.
  private mutating func foreignKeys(of table: Int) -> [ForeignKey] {
    var found: [ForeignKey] = []
    for key in declared[table].foreignKeys {
      guard let resolved = resolve(key, of: table) else { continue }
      let isKnown = found.contains {
        $0.column == resolved.column && $0.table == resolved.table && $0.target == resolved.target
      }
      if !isKnown { found.append(resolved) }
    }
    return found
  }

  private func compositeForeignKeys(of table: Int) -> [CompositeForeignKey] {
    declared[table].foreignKeys.compactMap { key in
      guard key.columns.count > 1, let parent = schema.place(of: key.table) else {
        return nil
      }
      let named = key.targets.compactMap { $0 }
      let targets =
        named.isEmpty
        ? schema.tables[parent].primaryKey
        : named.compactMap(schema.tables[parent].place(ofColumn:))
      let columns = key.columns.compactMap(schema.tables[table].place(ofColumn:))
      guard columns.count == key.columns.count, targets.count == columns.count else { return nil }
      return CompositeForeignKey(
        columns: columns, table: parent, targets: targets, onDelete: .init(named: key.onDelete))
    }
  }

  private mutating func resolve(
    _ key: DeclaredTable.ForeignKey, of table: Int
  ) -> ForeignKey? {
    let name = schema.tables[table].name
    guard key.columns.count == 1 else {
      schema.warnings.append(.compositeForeignKey(table: name, columns: key.columns))
      return nil
    }
    let written = key.targets[0].map { "\(key.table).\($0)" } ?? key.table
    guard let column = schema.tables[table].place(ofColumn: key.columns[0]),
      let parent = schema.place(of: key.table),
      let target = target(key.targets[0], in: schema.tables[parent])
    else {
      schema.warnings.append(.danglingForeignKey(table: name, column: key.columns[0], to: written))
      return nil
    }
    guard schema.tables[parent].isUnique(target) else {
      schema.warnings.append(.repeatableTarget(table: name, column: key.columns[0], to: written))
      return nil
    }
    return ForeignKey(
      column: column, table: parent, target: target, onDelete: .init(named: key.onDelete))
  }

  private func target(_ name: String?, in parent: TableSchema) -> Int? {
    if let name { return parent.place(ofColumn: name) }
    return parent.primaryKey.count == 1 ? parent.primaryKey[0] : nil
  }
}

extension ForeignKey.Action {
  init(named name: String) {
    switch name.asciiLowercased {
    case "cascade": self = .cascade
    case "set null": self = .setNull
    case "set default": self = .setDefault
    case "restrict": self = .restrict
    default: self = .none
    }
  }
}

// MARK: - Which tables extend which: those whose primary key refers to another's

extension SchemaDraft {
  mutating func findExtensions() {
    for (table, base) in bases().enumerated() {
      schema.tables[table].base = base
      if let base { schema.tables[base].extensions.append(table) }
    }
  }

  /// The table that each table extends. Nothing extends itself, not even by way of others.
  private func bases() -> [Int?] {
    let found = schema.tables.indices.map(base)
    return found.indices.map { table in
      var seen: Set<Int> = [table]
      var next = found[table]
      while let base = next {
        guard seen.insert(base).inserted else { return nil }
        next = found[base]
      }
      return found[table]
    }
  }

  private func base(of table: Int) -> Int? {
    let own = schema.tables[table]
    guard own.primaryKey.count == 1, hasItsKey(table) else { return nil }
    return own.foreignKeys.first { key in
      [key.column] == own.primaryKey && key.table != table
        && [key.target] == schema.tables[key.table].primaryKey && hasItsKey(key.table)
        && !isDeclaredRelation(key, of: table)
    }?.table
  }

  /// Whether no other key than the primary key was declared.
  private func hasItsKey(_ table: Int) -> Bool {
    guard let key = overrides[table].key else { return true }
    return key.map { schema.tables[table].place(ofKey: $0) } == schema.tables[table].primaryKey
  }

  /// Whether a relation was declared over the foreign key, from either side: then it is one, and
  /// the tables are two.
  private func isDeclaredRelation(_ key: ForeignKey, of table: Int) -> Bool {
    func names(_ relation: SchemaOverrides.Relation, table other: Int?) -> Bool {
      guard relation.through == nil, relation.table?.asciiLowercased == name(other) else {
        return false
      }
      guard let column = relation.column else { return other != nil }
      return schema.tables[table].place(ofColumn: column) == key.column
    }
    return overrides[table].relations.values.contains { names($0, table: nil) }
      || overrides[key.table].relations.values.contains { names($0, table: table) }
  }

  private func name(_ table: Int?) -> String? {
    table.map { schema.tables[$0].name.asciiLowercased }
  }
}

// MARK: - What identifies the rows of each table

extension SchemaDraft {
  mutating func findKeys() throws(SchemaProblem) {
    for table in schema.tables.indices {
      schema.tables[table].key = try key(of: table)
      if schema.tables[table].key.problem != nil {
        schema.warnings.append(.withoutKey(table: schema.tables[table].name))
      }
    }
  }

  /// The key of a table, whose ``TableSchema/base`` and ``TableSchema/extensions`` are known.
  private func key(of table: Int) throws(SchemaProblem) -> KeySchema {
    if let declared = overrides[table].key {
      var columns: [Int] = []
      for name in declared { columns.append(try schema.tables[table].requirePlace(ofKey: name)) }
      guard !columns.isEmpty else { throw .withoutKey(table: schema.tables[table].name) }
      return key(columns, of: table)
    }
    if let base = schema.tables[table].base { return try extendingKey(of: table, base) }
    let primary = schema.tables[table].primaryKey
    if primary.count == 1 { return singleKey(primary[0], of: table) }
    if primary.count > 1 { return key(primary, of: table) }
    if let column = named("id", in: table) ?? named("remote_id", in: table) {
      return key([column], of: table)
    }
    if let link = LinkTable(schema.tables[table]) {
      return key([link.first.column, link.second.column], of: table)
    }
    var none = KeySchema.none
    none.problem = .withoutKey(table: schema.tables[table].name)
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
    var own = key(schema.tables[table].primaryKey, of: table)
    guard schema.tables[table].columns[own.columns[0]].jsonPath == nil else { return own }
    let names = try key(of: base).jsonNames
    let isTaken = names.contains { hasOther($0, than: own.columns[0], in: table) }
    if !isTaken { own.jsonNames = names }
    return own
  }

  /// An INTEGER PRIMARY KEY may be no more than SQLite's row number, where another column says that
  /// it is the identity. Where other tables extend this one, it is known to be more.
  private func singleKey(_ column: Int, of table: Int) -> KeySchema {
    guard schema.tables[table].rowNumberColumn == column, schema.tables[table].extensions.isEmpty,
      declared[table].columns[column].jsonPath == nil,
      let other = ["id", "remote_id"].lazy.compactMap({ named($0, in: table, but: column) }).first
    else { return key([column], of: table) }
    var key = key([other], of: table)
    key.alternative = .init(column: column, jsonName: jsonName(of: column, in: table))
    return key
  }

  private func key(_ columns: [Int], of table: Int) -> KeySchema {
    KeySchema(
      columns: columns, jsonNames: columns.map { jsonName(of: $0, in: table) },
      isRowNumber: columns.count == 1 && columns[0] == schema.tables[table].rowNumberColumn,
      problem: nil, alternative: nil)
  }

  /// `id` for a column `remote_id`, too, unless there is another column of that name.
  private func jsonName(of place: Int, in table: Int) -> String {
    let column = schema.tables[table].columns[place]
    if let path = column.jsonPath { return path.joined(separator: ".") }
    switch canonical(column.name) {
    case Array("id".utf8): return "id"
    case Array("remote_id".utf8) where !hasOther("id", than: place, in: table): return "id"
    default: return column.name
    }
  }

  /// Whether another column has this name, and no declared one in its place.
  private func hasOther(_ name: String, than place: Int, in table: Int) -> Bool {
    schema.tables[table].columns.indices.contains { other in
      let column = schema.tables[table].columns[other]
      return other != place && column.jsonPath == nil && canonical(column.name) == canonical(name)
    }
  }

  /// A column of this name in any spelling that is no foreign key: that identifies other rows.
  private func named(_ name: String, in table: Int, but other: Int? = nil) -> Int? {
    let own = schema.tables[table]
    return own.columns.indices.first { place in
      place != other && canonical(own.columns[place].name) == Array(name.utf8)
        && !own.foreignKeys.contains { $0.column == place }
    }
  }

  private func canonical(_ name: String) -> [UInt8] { schema.spelling.canonical(Array(name.utf8)) }
}
