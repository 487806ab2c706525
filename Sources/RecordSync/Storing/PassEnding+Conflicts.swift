import SyncDatabase

extension PassEnding {
  /// Writes rows that hold each other's values in UNIQUE columns: two that swap them, for one.
  ///
  /// The values that are to change are parked: replaced by ones that nobody has, for a moment and
  /// within a savepoint. Rows that are refused all the same are left out, and the others tried
  /// again.
  func settleConflicts() throws {
    while true {
      let conflicts = notes.waiting.flatMap { window in window.conflicts.map { (window, $0) } }
      guard !conflicts.isEmpty else { return }
      let refused = try settle(parking: conflicts)
      guard !refused.isEmpty else { return notes.waiting.removeAll { $0.waiting.isEmpty } }
      for (window, place) in refused {
        window.rows[place].giveUp("another row holds a value that only one may hold")
      }
    }
  }

  /// Gives those that were refused; then nothing was written.
  private func settle(
    parking conflicts: [(WindowRows, Int)]
  ) throws -> [(WindowRows, Int)] {
    struct Refused: Error {}
    let before = notes.waiting.map { ($0, $0.progress) }
    let (report, seen, removals) = (notes.report, notes.seen, notes.removals)
    let references = finder.references
    var refused: [(WindowRows, Int)] = []
    do {
      try finder.attempt {
        for (window, place) in conflicts { try park(window.draft.rows[place]) }
        for (window, place) in conflicts { window.rows[place].reopen() }
        for (window, place) in conflicts { try linker.settle(place, in: window) }
        refused = conflicts.filter { $0.0.found($0.1) == nil }
        guard refused.isEmpty else { throw Refused() }
      }
    } catch is Refused {
      (notes.report, notes.seen, notes.removals) = (report, seen, removals)
      finder.references = references
      for (window, progress) in before { window.progress = progress }
    }
    return refused
  }

  private func park(_ row: DraftRow) throws {
    let table = finder.schema.tables[row.table]
    guard let key = row.key, let found = try linker.writer.look(for: key, in: row.table) else {
      return
    }
    let columns = Set(table.uniques.joined()).subtracting(table.key.columns).sorted()
    let edited = LocalEdits(found, table)
    let changed = columns.filter { column in
      guard !edited.protects(column), case .value(let value) = row.values[column]
      else { return false }
      return !table.columns[column].type.isSame(found.values[column], value)
    }
    guard !changed.isEmpty else { return }
    parked += 1
    let values = changed.map { Parking.value(for: table.columns[$0], number: parked) }
    let sql = finder.tables[row.table].update(changed)
    try finder.connection.run(sql, values: values + found.address)
  }
}

extension WindowRows {
  /// Rows that were refused for a value that only one may hold.
  fileprivate var conflicts: [Int] {
    rows.indices.filter { place in
      if case .refused(let error) = rows[place].wait { error.isOfUniqueness } else { false }
    }
  }
}

/// Values that nobody has.
enum Parking {
  static func value(for column: ColumnSchema, number: Int) -> StoredValue? {
    guard column.isRequired else { return nil }
    return switch column.type.affinity {
    case .integer, .numeric: .integer(Int64.min + Int64(number))
    case .real: .real(-Double.greatestFiniteMagnitude / Double(number))
    case .text: .text("\u{1}parked \(number)")
    case .blob: .blob(Array("\u{1}parked \(number)".utf8))
    }
  }
}

extension DatabaseError {
  /// Whether a row would hold what only one may.
  fileprivate var isOfUniqueness: Bool {
    // SQLITE_CONSTRAINT_UNIQUE, …_PRIMARYKEY and …_ROWID (sqlite.org, "Result and Error Codes").
    code == .constraint && [2067, 1555, 2579].contains(sqliteCode)
  }
}
