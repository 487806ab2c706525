import SyncDatabase
import SyncEngine

extension RecordPass {
  /// Throws if more rows would go than the rule allows, in any group.
  func requireLimit(_ rule: RemovalLimit) throws {
    guard rule != .unlimited else { return }
    for (group, rows) in removals.inOrder where !group.unlinks {
      let count = rows.rows.count { !seen[group.table].contains($0.address) }
      guard count == 0 || rule.allows(removals: count, of: rows.count) else {
        throw RecordError.removalRefused(
          table: schema.tables[group.table].name, count: count, of: rows.count)
      }
    }
  }

  /// Deletes, or unlinks, what isn't named.
  func delete() throws {
    var doomed: [(table: Int, row: KeyedRow)] = []
    for (group, rows) in removals.inOrder {
      for row in rows.rows where !seen[group.table].contains(row.address) {
        if try isEdited(row, in: group.table) { continue }
        if group.unlinks, let column = group.column {
          try unlink(row, column, in: group.table)
        } else {
          doomed.append((group.table, row))
        }
      }
    }
    for (table, row) in removals.twins {
      if !mayDeleteTwins(of: table) {
        report.keepTwins(of: row.key, in: table)
      } else if try !isEdited(row, in: table) {
        doomed.append((table, row))
      }
    }
    removals.clear()
    try delete(doomed)
  }

  /// Rows that share a key are made one only where rows of the table may be deleted at all, and
  /// never where the payload speaks of some of its rows only.
  private func mayDeleteTwins(of table: Int) -> Bool {
    table == topTable
      ? operations.contains(.delete) && !isScoped : operations.contains(.deleteRelations)
  }

  private func isEdited(_ row: KeyedRow, in table: Int) throws -> Bool {
    guard schema.tables[table].edits != nil,
      let found = try self.row(at: row.address, in: table),
      !LocalEdits(found, schema.tables[table]).isEmpty
    else { return false }
    report.keep(row.key, columns: [], in: table)
    return true
  }

  private func unlink(_ row: KeyedRow, _ column: Int, in table: Int) throws {
    do {
      try connection.run(tables[table].update([column]), values: [nil] + row.address)
      report.unlink(in: table)
    } catch let error as DatabaseError where error.code == .constraint {
      report.refuse(row.key, error, in: table)
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
    for (table, key) in gone.rows { report.delete(key, in: table) }
    for (table, count) in gone.unlinked { report.unlink(count, in: table) }
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
    try attempt {
      for (table, row) in doomed {
        try delete(row, in: table, noting: &gone)
        try countRow()
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
        try countRow()
        var gone = GoneRows()
        do {
          try attempt {
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
          report.refuse(entry.row.key, reasons[place], in: entry.table)
        }
        return all
      }
      left = refused
    }
  }
}
