import SyncDatabase

/// The tables whose rows are followed so that a sync can be taken back.
struct UndoTables {
  private let schema: RecordSchema

  init(_ schema: RecordSchema) {
    self.schema = schema
  }

  /// All that a sync of a table may change; throws if one of these can't be followed. Others are
  /// followed where that can be: a trigger may write to them.
  func followed(for table: Int) throws -> [Identifier] {
    for place in reached(from: table).sorted() {
      if let obstacle = obstacle(place) {
        throw UndoError.unfollowable(table: schema.tables[place].name, obstacle)
      }
    }
    return try schema.tables.indices.filter { obstacle($0) == nil }.map {
      try Identifier.checked(schema.tables[$0].name)
    }
  }

  /// The tables that a payload for this one reaches, over relations and what the database itself
  /// deletes or clears.
  func reached(from table: Int) -> Set<Int> {
    var reached: Set<Int> = [table]
    var open = [table]
    while let next = open.popLast() {
      for other in neighbours(of: next) where reached.insert(other).inserted { open.append(other) }
    }
    return reached
  }

  private func neighbours(of table: Int) -> [Int] {
    let own = schema.tables[table]
    var others = own.extensions + (own.base.map { [$0] } ?? [])
    for relation in own.relations {
      others.append(relation.kind.table)
      if case .manyToMany(let through, _, _, _, _, _) = relation.kind { others.append(through) }
    }
    return others
      + schema.tables.indices.filter { place in
        schema.tables[place].foreignKeys.contains {
          $0.table == table && ![.none, .restrict].contains($0.onDelete)
        }
      }
  }

  private func obstacle(_ table: Int) -> UndoError.Obstacle? {
    let own = schema.tables[table]
    if own.primaryKey.isEmpty { return .noPrimaryKey }
    return own.columns.contains(where: \.isGenerated) ? .generatedColumns : nil
  }
}
