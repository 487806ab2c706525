import SyncDatabase

/// Gives a row another key, and lets all rows that refer to it follow.
struct KeyMove {
  private let pass: RecordPass
  private let schema: RecordSchema

  /// A column that refers to another.
  private struct Reference: Hashable {
    var table: Int
    var column: Int
  }

  init(_ pass: RecordPass) {
    self.pass = pass
    schema = pass.schema
  }

  /// Foreign keys are checked only at the end of the transaction; but a rule of theirs for updates
  /// acts at once, so that rows follow before theirs goes.
  func move(_ row: FoundRow, to key: RecordKey, in table: Int) throws {
    let columns = schema.tables[table].key.columns
    var values = row.values
    for (column, value) in zip(columns, key.values) {
      guard let old = row.values[column], old != value else { continue }
      var seen: Set<Reference> = [Reference(table: table, column: column)]
      try follow(column, of: table, from: old, to: value, &seen)
      values[column] = value
    }
    let changed = columns.filter { values[$0] != row.values[$0] }
    try pass.connection.run(
      pass.tables[table].update(changed), values: changed.map { values[$0] } + row.address)
    pass.report.update(key, columns: changed, at: pass.moment, in: table)
  }

  private func follow(
    _ column: Int, of table: Int, from old: StoredValue, to new: StoredValue,
    _ seen: inout Set<Reference>
  ) throws {
    for reference in references(to: column, of: table) where seen.insert(reference).inserted {
      try follow(reference.column, of: reference.table, from: old, to: new, &seen)
      let own = schema.tables[reference.table]
      let rows = try pass.search.rows(where: reference.column, is: old, in: reference.table)
      for row in rows {
        try pass.connection.run(
          pass.tables[reference.table].update([reference.column]), values: [new] + row.address)
        let key = RecordKey(
          own.key.columns.compactMap { $0 == reference.column ? new : row.values[$0] })
        pass.report.update(
          key, columns: [reference.column], at: pass.moment, in: reference.table)
      }
    }
  }

  private func references(to column: Int, of table: Int) -> [Reference] {
    var references: [Reference] = []
    for (place, other) in schema.tables.enumerated() {
      for key in other.foreignKeys where key.table == table && key.target == column {
        references.append(Reference(table: place, column: key.column))
      }
    }
    for relation in schema.tables[table].relations {
      switch relation.kind {
      case .toMany(let table, let link, let own), .inverseToOne(let table, let link, let own):
        if own == column { references.append(Reference(table: table, column: link)) }
      case .manyToMany(let through, let here, let own, _, _, _):
        if own == column { references.append(Reference(table: through, column: here)) }
      case .toOne: break
      }
    }
    return references
  }
}
