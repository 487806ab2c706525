import SyncDatabase

/// Columns of a table that hold what stands in columns of another one.
struct KeyReference: Hashable {
  var table: Int
  /// One for each of the targets.
  var columns: [Int]
  /// The columns of the other table.
  var targets: [Int]
}

/// Who refers to whom: by foreign keys of one column or several, or by relations that were declared.
struct KeyReferences {
  private let schema: RecordSchema
  private let declared: [DeclaredTable]

  init(_ schema: RecordSchema, _ connection: Connection) throws {
    self.schema = schema
    declared = try DeclaredTable.all(in: connection)
  }

  /// Those to a table of which one column at least is among these.
  func references(to columns: Set<Int>, of table: Int) -> [KeyReference] {
    var found: Set<KeyReference> = []
    for (place, other) in schema.tables.enumerated() {
      for key in other.foreignKeys where key.table == table {
        found.insert(
          KeyReference(table: place, columns: [key.column], targets: [key.target]))
      }
    }
    for other in declared {
      for key in other.foreignKeys where key.columns.count > 1 {
        if let reference = resolved(key, of: other, to: table) { found.insert(reference) }
      }
    }
    for relation in schema.tables[table].relations {
      switch relation.kind {
      case .toMany(let other, let link, let own), .inverseToOne(let other, let link, let own):
        found.insert(KeyReference(table: other, columns: [link], targets: [own]))
      case .manyToMany(let through, let here, let own, _, _, _):
        found.insert(KeyReference(table: through, columns: [here], targets: [own]))
      case .toOne: break
      }
    }
    return found.filter { !columns.isDisjoint(with: $0.targets) }.sorted { one, other in
      (one.table, one.columns[0]) < (other.table, other.columns[0])
    }
  }

  private func resolved(
    _ key: DeclaredTable.ForeignKey, of other: DeclaredTable, to table: Int
  ) -> KeyReference? {
    let target = schema.tables[table]
    guard schema.place(of: key.table) == table, let place = schema.place(of: other.name) else {
      return nil
    }
    let columns = key.columns.compactMap { schema.tables[place].place(ofColumn: $0) }
    let named = key.targets.compactMap { $0.flatMap { target.place(ofColumn: $0) } }
    let targets = named.isEmpty ? target.primaryKey : named
    guard columns.count == key.columns.count, targets.count == columns.count else { return nil }
    return KeyReference(table: place, columns: columns, targets: targets)
  }
}
