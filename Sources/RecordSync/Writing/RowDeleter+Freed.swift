import SyncDatabase

/// Rows that lose what they hung on and stay. Of a table that nests in itself they are roots now,
/// which a payload that names all roots has to name as well.
extension RowDeleter {
  /// Unlinks what isn't named and only loses its parent.
  func unlink() throws {
    for (group, rows) in notes.removals.inOrder where group.unlinks {
      guard let column = group.column else { continue }
      for row in rows.rows where !notes.stays(row, of: group) {
        if try !isEdited(row, in: group.table) { try unlink(row, column, in: group.table) }
      }
    }
  }

  private func unlink(_ row: KeyedRow, _ column: Int, in table: Int) throws {
    do {
      try connection.run(tables[table].update([column]), values: [nil] + row.address)
      notes.report[table].unlinked += 1
      free(row, in: table)
    } catch let error as DatabaseError where error.code == .constraint {
      notes.report.refuse(row.key, error, in: table)
    }
  }

  /// Keeps a row that hangs on nothing any more, where it may have come into the scope by that.
  func free(_ row: KeyedRow, in table: Int) {
    if table == scope?.table { notes.removals.free(row) }
  }

  /// Of the rows that were freed, those that are in scope now and aren't named are to go: else the
  /// next sync of the same payload would delete them. Gives them.
  func noteFreed() throws -> [KeyedRow] {
    let freed = notes.removals.takeFreed()
    guard let (table, condition) = scope, !freed.isEmpty else { return [] }
    let group = Removals.Group.top(table)
    var known = Set(notes.removals.rows(of: group).map(\.address))
    let access = tables[table]
    var rows: [KeyedRow] = []
    for row in freed where !notes.stays(row, of: group) && known.insert(row.address).inserted {
      try Task.checkCancellation()
      let isIt: [SQL] = zip(access.address, row.address).map { "\($0) = \($1)" }
      try connection.query(access.keys(where: "\(isIt + [condition], separator: " AND ")")) { _ in
        rows.append(row)
      }
    }
    notes.removals.add(rows, to: group)
    return rows
  }
}
