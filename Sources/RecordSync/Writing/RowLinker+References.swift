import SyncDatabase

extension RowLinker {
  /// How deep rows are followed through what they name; further ones are written in their turn.
  static let deepest = 48

  /// Sets the columns that refer to other rows; gives the references that lead nowhere yet.
  func link(
    _ values: inout [DraftRow.Given], of place: Int, _ found: FoundRow?, in window: WindowRows
  ) throws -> [UnresolvedReference] {
    let row = window.draft.rows[place]
    guard tables[row.table].refersToOthers || !row.claims.isEmpty else { return [] }
    var unresolved: [UnresolvedReference] = []
    var settled: Set<Int> = []
    for claim in row.claims {
      guard
        case .toOne(let column, let table, let target) =
          schema.tables[row.table].relations[claim.relation].kind
      else { continue }
      if row.nested.contains(column) {
        // The target is written all the same, only not linked.
        if case .row(let other)? = claim.members.first, window.draft.rows[other].key != nil {
          try follow { try settle(other, in: window) }
        }
        continue
      }
      guard let member = claim.members.first else {
        if operations.contains(.deleteRelations) { values[column] = .value(nil) }
        continue
      }
      switch member {
      case .key(let key): values[column] = .value(key)
      case .row(let other):
        settled.insert(column)
        let current = found?.values[column]
        guard
          let value = try value(of: other, table, target, linked: current, in: window)
        else {
          values[column] = .absent
          // One that was passed over for want of a key is told as that.
          if window.draft.rows[other].key == nil, window.rows[other].state == .absent { continue }
          let name = schema.tables[row.table].relations[claim.relation].name
          let key = window.draft.rows[other].key ?? RecordKey([])
          unresolved.append(UnresolvedReference(key: row.key, name: name, target: key))
          continue
        }
        let isNew = found == nil || window.rows[other].isNew
        let mayLink: Operations = isNew ? [.insertRelations, .updateRelations] : .updateRelations
        let isAllowed = !operations.isDisjoint(with: mayLink)
        values[column] = isAllowed ? .value(value) : .absent
        if isAllowed, window.found(other) == nil {
          let link = WindowRows.Ahead(
            place: place, column: column, old: current ?? nil, target: other)
          if try !isWritten(ahead: link, row.table, in: window) { values[column] = .absent }
        }
      }
    }
    for key in schema.tables[row.table].foreignKeys where !settled.contains(key.column) {
      guard case .value(let value?) = values[key.column], found?.values[key.column] != value,
        !isBaseLink(key, row.table),
        // What a parent that was written gave isn't its key.
        !(row.nested.contains(key.column) && schema.tables[key.table].keyColumn != key.target)
      else { continue }
      let old = found?.values[key.column] ?? nil
      let target = try target(of: value, key, from: place, old, in: window)
      if window.rows[place].references == .later, target == nil {
        values[key.column] = .absent
        continue
      }
      guard let target else {
        values[key.column] = .absent
        unresolved.append(
          UnresolvedReference(
            key: row.key, name: schema.tables[row.table].columns[key.column].name,
            target: RecordKey([value])))
        continue
      }
      values[key.column] = .value(target)
    }
    return unresolved
  }

  /// Whether a foreign key is what makes the table the rest of another one.
  private func isBaseLink(_ key: ForeignKey, _ table: Int) -> Bool {
    schema.tables[table].base == key.table && schema.tables[table].key.columns == [key.column]
  }

  /// What a reference to a row of the window holds; `nil` if the row isn't there.
  private func value(
    of place: Int, _ table: Int, _ column: Int, linked: StoredValue?, in window: WindowRows
  ) throws -> StoredValue? {
    let row = window.draft.rows[place]
    if row.key == nil {
      let found = try linked.flatMap { try finder.row(where: column, is: $0, in: table) }
      guard found != nil || insertionHook != nil || isGiven(column, of: row) else {
        // Nothing could ever refer to it: each sync would insert it once more.
        if window.rows[place].begin() {
          window.rows[place].leaveOut()
          notes.report[table].skipped += 1
        }
        return nil
      }
      try settle(place, in: window, found: found)
    } else {
      try follow { try settle(place, in: window) }
    }
    switch window.rows[place].state {
    case .settled(let found): return try found.values[column] ?? finder.reread(found, table, column)
    case .open, .active:
      // It comes in its turn; the database looks for it only at the end.
      guard row.rights.contains(.insert), let key = schema.tables[table].keyColumn, key == column
      else { return nil }
      return row.key?.values.first
    case .absent, .refused: return nil
    }
  }

  /// Whether a new row has a value in a column: its object's, a default, or SQLite's number.
  private func isGiven(_ column: Int, of row: DraftRow) -> Bool {
    if case .value(let value) = row.values[column] { return value != nil }
    let table = schema.tables[row.table]
    return table.columns[column].hasDefault || table.rowNumberColumn == column
      || table.columns[column].isGenerated
  }

  /// What a reference by key holds, if there is such a row, or will be once the window is written.
  private func target(
    of value: StoredValue, _ key: ForeignKey, from place: Int, _ old: StoredValue?,
    in window: WindowRows
  ) throws -> StoredValue? {
    let table = schema.tables[key.table]
    guard table.keyColumn != key.target, table.keyColumn != nil else {
      if let held = try finder.held(value, key.table, key.target) {
        return held
      }
      guard let other = coming(RecordKey([value]), in: key.table, window) else { return nil }
      let link = WindowRows.Ahead(place: place, column: key.column, old: old, target: other)
      let from = window.draft.rows[place].table
      return try isWritten(ahead: link, from, in: window) ? value : nil
    }
    // JSON speaks of the table's key, and the database refers to another column.
    return try finder.search.rows(of: RecordKey([value]), in: key.table).first?.values[key.target]
  }

  /// Whether a reference is written before the row to which it leads; else it is written once all
  /// rows of the window are there.
  ///
  /// As long as such references are open, SQLite looks for those that lead to each row that is
  /// inserted: through an index, or else at all rows of the table.
  private func isWritten(
    ahead link: WindowRows.Ahead, _ table: Int, in window: WindowRows
  ) throws -> Bool {
    let access = tables[table]
    let isKeyed = window.draft.rows[link.place].key != nil
    if !window.isWhole, isKeyed, !access.schema.columns[link.column].isRequired,
      try !access.isIndexed(link.column, by: connection)
    {
      window.rows[link.place].deferReferences()
      return false
    }
    window.ahead.append(link)
    return true
  }

  func linkLater(in window: WindowRows) throws {
    window.isWhole = true
    let places = window.rows.indices.filter { window.rows[$0].references == .later }
    for place in places { window.rows[place].openReferences() }
    for place in places { try settle(place, in: window) }
    for place in places { window.rows[place].closeReferences() }
  }

  /// The row of a key that the window is yet to write.
  private func coming(_ key: RecordKey, in table: Int, _ window: WindowRows) -> Int? {
    let identity = notes.identities[table].identity(of: key)
    guard let place = window.draft.place(of: identity, in: table),
      window.rows[place].isComing, window.draft.rows[place].rights.contains(.insert)
    else { return nil }
    return place
  }

  /// Links to rows that were to come and didn't are taken back, and tried once more at the end.
  func takeBackLinksAhead(in window: WindowRows) throws {
    for link in window.ahead where window.found(link.target) == nil {
      guard let row = window.found(link.place), window.rows[link.place].wait == nil else {
        continue
      }
      let table = window.draft.rows[link.place].table
      let name = schema.tables[table].columns[link.column].name
      let target = window.draft.rows[link.target].key ?? RecordKey([])
      do {
        let values = [link.old] + row.address
        try connection.run(tables[table].update([link.column]), values: values)
        window.wait(link.place, for: name, target)
      } catch let error as DatabaseError where error.code == .constraint {
        guard window.rows[link.place].isNew else {
          window.rows[link.place].refuse(.refused(error))
          continue
        }
        try connection.run(tables[table].delete, values: row.address)
        notes.report.takeBack(window.draft.rows[link.place].key, in: table)
        window.rows[link.place].takeBack(.refused(error))
      }
    }
    window.ahead.removeAll()
  }
}
