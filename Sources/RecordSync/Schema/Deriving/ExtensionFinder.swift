private import SyncText

/// Which tables extend which: those whose primary key refers to another's.
struct ExtensionFinder {
  let tables: [TableSchema]
  let overrides: [SchemaOverrides.Table]

  /// The table that each table extends. Nothing extends itself, not even by way of others.
  func bases() -> [Int?] {
    let found = tables.indices.map(base)
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
    let own = tables[table]
    guard own.primaryKey.count == 1, hasItsKey(table) else { return nil }
    return own.foreignKeys.first { key in
      [key.column] == own.primaryKey && key.table != table
        && [key.target] == tables[key.table].primaryKey && hasItsKey(key.table)
        && !isDeclaredRelation(key, of: table)
    }?.table
  }

  /// Whether no other key than the primary key was declared.
  private func hasItsKey(_ table: Int) -> Bool {
    guard let key = overrides[table].key else { return true }
    return key.map { tables[table].place(ofColumn: $0) } == tables[table].primaryKey
  }

  /// Whether a relation was declared over the foreign key, from either side: then it is one, and
  /// the tables are two.
  private func isDeclaredRelation(_ key: ForeignKey, of table: Int) -> Bool {
    func names(_ relation: SchemaOverrides.Relation, table other: Int?) -> Bool {
      guard relation.through == nil, relation.table?.asciiLowercased == name(other) else {
        return false
      }
      guard let column = relation.column else { return other != nil }
      return tables[table].place(ofColumn: column) == key.column
    }
    return overrides[table].relations.values.contains { names($0, table: nil) }
      || overrides[key.table].relations.values.contains { names($0, table: table) }
  }

  private func name(_ table: Int?) -> String? { table.map { tables[$0].name.asciiLowercased } }
}
