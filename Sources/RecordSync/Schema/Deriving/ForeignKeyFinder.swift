private import SyncText

/// Which columns of which tables the declared foreign keys lead to, and which of them lead nowhere.
struct ForeignKeyFinder {
  let declared: [DeclaredTable]
  let tables: [TableSchema]
  let places: [String: Int]
  private(set) var warnings: [SchemaWarning] = []

  /// - Parameters:
  ///   - declared: The tables as declared.
  ///   - tables: The same tables, with their columns.
  ///   - places: The tables' places by their names in lower case.
  init(_ declared: [DeclaredTable], _ tables: [TableSchema], places: [String: Int]) {
    self.declared = declared
    self.tables = tables
    self.places = places
  }

  /// The foreign keys of a table in the order in which they were declared; one that was declared
  /// twice, once.
  mutating func foreignKeys(of table: Int) -> [ForeignKey] {
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

  /// The foreign keys of several columns of a table.
  func compositeForeignKeys(of table: Int) -> [CompositeForeignKey] {
    declared[table].foreignKeys.compactMap { key in
      guard key.columns.count > 1, let parent = places[key.table.asciiLowercased] else {
        return nil
      }
      let named = key.targets.compactMap { $0 }
      let targets =
        named.isEmpty
        ? tables[parent].primaryKey : named.compactMap(tables[parent].place(ofColumn:))
      let columns = key.columns.compactMap(tables[table].place(ofColumn:))
      guard columns.count == key.columns.count, targets.count == columns.count else { return nil }
      return CompositeForeignKey(
        columns: columns, table: parent, targets: targets, onDelete: .init(named: key.onDelete))
    }
  }

  private mutating func resolve(
    _ key: DeclaredTable.ForeignKey, of table: Int
  ) -> ForeignKey? {
    let name = tables[table].name
    guard key.columns.count == 1 else {
      warnings.append(.compositeForeignKey(table: name, columns: key.columns))
      return nil
    }
    let written = key.targets[0].map { "\(key.table).\($0)" } ?? key.table
    guard let column = tables[table].place(ofColumn: key.columns[0]),
      let parent = places[key.table.asciiLowercased],
      let target = target(key.targets[0], in: tables[parent])
    else {
      warnings.append(.danglingForeignKey(table: name, column: key.columns[0], to: written))
      return nil
    }
    guard tables[parent].isUnique(target) else {
      warnings.append(.repeatableTarget(table: name, column: key.columns[0], to: written))
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
