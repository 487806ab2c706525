import SyncDatabase

/// Gives a row another key; all rows that refer to it follow, and its parts in other tables.
struct KeyMove {
  private let finder: RowFinder
  private let notes: PassNotes
  private let schema: RecordSchema

  private struct Step: Hashable {
    var table: Int
    var address: [StoredValue]
    var columns: Set<Int>
  }

  init(_ pass: RecordPass) {
    (finder, notes) = (pass.finder, pass.notes)
    schema = finder.schema
  }

  func requireFree(_ key: RecordKey, in table: Int) throws {
    for part in parts(of: table) where try !finder.search.rows(of: key, in: part).isEmpty {
      throw RecordError.keyTaken(table: schema.tables[part].name, key: key)
    }
  }

  /// Foreign keys are checked only at the end of the transaction; but a rule of theirs for updates
  /// acts at once, so that rows follow before theirs goes.
  func move(_ row: FoundRow, from present: RecordKey, to key: RecordKey, in table: Int) throws {
    var (first, place) = (row, table)
    // What extends a row follows it, as what refers to it does.
    while let base = schema.tables[place].base,
      let part = try finder.search.rows(of: present, in: base).first
    {
      (first, place) = (part, base)
    }
    var values: [Int: StoredValue] = [:]
    for (column, value) in zip(schema.tables[place].key.columns, key.values)
    where first.values[column] != value {
      values[column] = value
    }
    var seen: Set<Step> = []
    try change(first, to: values, in: place, &seen)
  }

  /// The tables that hold a part of the rows of one.
  private func parts(of table: Int) -> [Int] {
    var root = table
    while let base = schema.tables[root].base { root = base }
    var parts = [root]
    var next = 0
    while next < parts.count {
      parts += schema.tables[parts[next]].extensions
      next += 1
    }
    return parts
  }

  private func change(
    _ row: FoundRow, to values: [Int: StoredValue], in table: Int, _ seen: inout Set<Step>
  ) throws {
    let columns = Set(values.keys)
    let step = Step(table: table, address: row.address, columns: columns)
    guard !values.isEmpty, seen.insert(step).inserted else { return }
    for reference in schema.references(to: columns, of: table)
    where try isAlone(row, in: table, reference) {
      let old = reference.targets.map { row.values[$0] }
      let new = reference.targets.map { values[$0] ?? row.values[$0] }
      for other in try rows(reference, holding: old.compactMap { $0 }) {
        var changed: [Int: StoredValue] = [:]
        for (column, value) in zip(reference.columns, new) where other.values[column] != value {
          changed[column] = value
        }
        try change(other, to: changed, in: reference.table, &seen)
      }
    }
    try write(values, to: row, in: table)
  }

  private func write(
    _ values: [Int: StoredValue], to row: FoundRow, in table: Int
  ) throws {
    let columns = values.keys.sorted()
    try finder.connection.run(
      finder.tables[table].update(columns), values: columns.map { values[$0] } + row.address)
    let key = schema.tables[table].key.columns.compactMap { values[$0] ?? row.values[$0] }
    notes.report.update(RecordKey(key), columns: columns, at: notes.moment, in: table)
  }

  /// Rows stay that refer to a value which another row holds as well: they may mean that one.
  private func isAlone(
    _ row: FoundRow, in table: Int, _ reference: KeyReference
  ) throws -> Bool {
    guard reference.targets.count == 1, !schema.tables[table].isUnique(reference.targets[0]),
      let value = row.values[reference.targets[0]]
    else { return true }
    return try finder.search.rows(where: reference.targets[0], is: value, in: table).count == 1
  }

  /// None where a value is NULL: that refers to nothing.
  private func rows(
    _ reference: KeyReference, holding values: [StoredValue]
  ) throws -> [FoundRow] {
    guard values.count == reference.columns.count else { return [] }
    return try finder.search.rows(where: reference.columns, are: values, in: reference.table)
  }
}

/// Columns of a table that hold what stands in columns of another one.
private struct KeyReference: Hashable {
  var table: Int
  var columns: [Int]
  var targets: [Int]
}

extension RecordSchema {
  /// What refers to a table, and to one of these columns at least: foreign keys of one column or of
  /// several, and relations that were declared.
  fileprivate func references(to columns: Set<Int>, of table: Int) -> [KeyReference] {
    var found: Set<KeyReference> = []
    for (place, other) in tables.enumerated() {
      for key in other.allForeignKeys where key.table == table {
        found.insert(KeyReference(table: place, columns: key.columns, targets: key.targets))
      }
    }
    for relation in tables[table].relations {
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
}
