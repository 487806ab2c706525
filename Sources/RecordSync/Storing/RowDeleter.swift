import SyncDatabase
import SyncEngine

/// Deletes or unlinks the rows that a payload doesn't name where it was to name all, as far as the
/// database allows that.
struct RowDeleter {
  let finder: RowFinder
  let notes: PassNotes
  private let connection: Connection
  private let schema: RecordSchema
  private let tables: [TableAccess]
  /// By table: what the database itself deletes or unlinks with a row.
  private let followers: [[Follower]]

  init(_ finder: RowFinder, _ notes: PassNotes) {
    self.finder = finder
    self.notes = notes
    connection = finder.connection
    schema = finder.schema
    tables = finder.tables
    followers = schema.followers()
  }

  /// Throws if more rows would go than the rule allows, in any group.
  func requireLimit(_ rule: RemovalLimit) throws {
    guard rule != .unlimited else { return }
    for (group, rows) in notes.removals.inOrder where !group.unlinks {
      let count = rows.rows.count { !notes.seen[group.table].contains($0.address) }
      guard count == 0 || rule.allows(removals: count, of: rows.count) else {
        throw RecordError.removalRefused(
          table: schema.tables[group.table].name, count: count, of: rows.count)
      }
    }
  }

  /// Deletes, or unlinks, what isn't named.
  ///
  /// - Parameter mayMerge: Whether of the rows of a table that share a key only one is to stay.
  func delete(mergingTwinsOf mayMerge: (Int) -> Bool) throws {
    var doomed: [(table: Int, row: KeyedRow)] = []
    for (group, rows) in notes.removals.inOrder {
      for row in rows.rows where !notes.seen[group.table].contains(row.address) {
        if try isEdited(row, in: group.table) { continue }
        if group.unlinks, let column = group.column {
          try unlink(row, column, in: group.table)
        } else {
          doomed.append((group.table, row))
        }
      }
    }
    for (table, row) in notes.removals.twins {
      if !mayMerge(table) {
        notes.report.keepTwins(of: row.key, in: table)
      } else if try !isEdited(row, in: table) {
        doomed.append((table, row))
      }
    }
    notes.removals.clear()
    try delete(doomed)
  }

  private func isEdited(_ row: KeyedRow, in table: Int) throws -> Bool {
    guard schema.tables[table].edits != nil,
      let found = try finder.row(at: row.address, in: table),
      !LocalEdits(found, schema.tables[table]).isEmpty
    else { return false }
    notes.report.keep(row.key, columns: [], in: table)
    return true
  }

  private func unlink(_ row: KeyedRow, _ column: Int, in table: Int) throws {
    do {
      try connection.run(tables[table].update([column]), values: [nil] + row.address)
      notes.report.unlink(in: table)
    } catch let error as DatabaseError where error.code == .constraint {
      notes.report.refuse(row.key, error, in: table)
    }
  }

  /// All at once where the database allows that; else one after the other, again and again, until
  /// only those are left whose deletion it forbids.
  private func delete(_ doomed: [(table: Int, row: KeyedRow)]) throws {
    guard !doomed.isEmpty else { return }
    var gone = GoneRows()
    do {
      gone = try deleteAtOnce(doomed)
    } catch Refusal.inDoubt {
      gone =
        try refersToNothing(doomed)
        ? deleteSingly(doomed) : deleteAtOnce(doomed, isTrusting: true)
    } catch is Refusal {
      gone = try deleteSingly(doomed)
    } catch let error as DatabaseError where error.code == .constraint {
      gone = try deleteSingly(doomed)
    }
    for (table, key) in gone.rows { notes.report.delete(key, in: table) }
    for (table, count) in gone.unlinked { notes.report.unlink(count, in: table) }
  }

  private enum Refusal: Error {
    /// Rows that stay refer to some that were to go.
    case forbidden
    /// They did for a moment. SQLite takes the deletion of a row that referred to nothing before
    /// for the end of that, so that they may still do.
    case inDoubt
  }

  /// - Parameter isTrusting: Whether no row that is to go refers to nothing.
  private func deleteAtOnce(
    _ doomed: [(table: Int, row: KeyedRow)], isTrusting: Bool = false
  ) throws -> GoneRows {
    var gone = GoneRows()
    var wasBroken = false
    try finder.attempt {
      for (table, row) in doomed {
        try delete(row, in: table, noting: &gone)
        try notes.countRow()
        wasBroken = wasBroken || connection.breaksForeignKeys
      }
      if connection.breaksForeignKeys { throw Refusal.forbidden }
      if wasBroken, !isTrusting { throw Refusal.inDoubt }
    }
    return gone
  }

  private func deleteSingly(_ doomed: [(table: Int, row: KeyedRow)]) throws -> GoneRows {
    var all = GoneRows()
    var left = doomed
    while true {
      var refused: [(table: Int, row: KeyedRow)] = []
      var reasons: [String] = []
      for (table, row) in left where !all.contains(row, of: table) {
        try notes.countRow()
        var gone = GoneRows()
        do {
          try finder.attempt {
            try delete(row, in: table, noting: &gone)
            if connection.breaksForeignKeys { throw Refusal.forbidden }
          }
          all.add(gone)
        } catch is Refusal {
          refused.append((table, row))
          reasons.append("FOREIGN KEY constraint failed")
        } catch let error as DatabaseError where error.code == .constraint {
          refused.append((table, row))
          reasons.append(error.message)
        }
      }
      if refused.count == left.count || refused.isEmpty {
        for (place, entry) in refused.enumerated() {
          notes.report.refuse(entry.row.key, reasons[place], in: entry.table)
        }
        return all
      }
      left = refused
    }
  }
}

// MARK: - What goes with a row

extension RowDeleter {
  /// Deletes a row with what it is the rest of, and the rest of it; adds all that goes.
  func delete(_ row: KeyedRow, in table: Int, noting gone: inout GoneRows) throws {
    guard gone.insert(row, of: table) else { return }
    for other in schema.tables[table].extensions { try deletePart(row, in: other, &gone) }
    try remove(row, in: table, &gone)
    var base = schema.tables[table].base
    while let other = base {
      if let part = try part(row, in: other), gone.insert(part, of: other) {
        try remove(part, in: other, &gone)
      }
      base = schema.tables[other].base
    }
  }

  private func deletePart(_ row: KeyedRow, in table: Int, _ gone: inout GoneRows) throws {
    for other in schema.tables[table].extensions { try deletePart(row, in: other, &gone) }
    guard let part = try part(row, in: table), gone.insert(part, of: table) else { return }
    try remove(part, in: table, &gone)
  }

  private func part(_ row: KeyedRow, in table: Int) throws -> KeyedRow? {
    try finder.search.rows(of: row.key, in: table).first.map {
      KeyedRow(address: $0.address, key: row.key)
    }
  }

  private func remove(_ row: KeyedRow, in table: Int, _ gone: inout GoneRows) throws {
    try noteFollowers(of: row, in: table, &gone)
    try connection.run(tables[table].delete, values: row.address)
  }

  /// What the database does with the rows that refer to one which goes.
  private func noteFollowers(
    of row: KeyedRow, in table: Int, _ gone: inout GoneRows
  ) throws {
    var going = [(row: row, table: table)]
    while let (row, table) = going.popLast() {
      guard !followers[table].isEmpty, let found = try finder.row(at: row.address, in: table) else {
        continue
      }
      for follower in followers[table] {
        let values = follower.targets.compactMap { found.values[$0] }
        guard values.count == follower.targets.count else { continue }
        let rows = try finder.search.rows(where: follower.columns, are: values, in: follower.table)
        switch follower.fate {
        case .unlinked: gone.unlink(rows.count, of: follower.table)
        case .link: for link in rows { gone.insertLink(link.address, of: follower.table) }
        case .deleted:
          for child in rows.map({ KeyedRow($0, schema.tables[follower.table]) })
          where gone.insert(child, of: follower.table) { going.append((child, follower.table)) }
        }
      }
    }
  }

  /// Whether one of these rows refers to a row that isn't there.
  func refersToNothing(_ rows: [(table: Int, row: KeyedRow)]) throws -> Bool {
    for (table, row) in rows {
      let keys =
        schema.tables[table].foreignKeys.map { CompositeForeignKey($0) }
        + schema.tables[table].compositeForeignKeys
      guard !keys.isEmpty, let found = try finder.row(at: row.address, in: table) else { continue }
      for key in keys {
        let values = key.columns.compactMap { found.values[$0] }
        guard values.count == key.columns.count else { continue }
        if try finder.search.rows(where: key.targets, are: values, in: key.table).isEmpty {
          return true
        }
      }
    }
    return false
  }
}
