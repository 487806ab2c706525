import SyncDatabase

/// Deletes or unlinks the rows that a payload which names all doesn't name, as far as it may.
struct RowDeleter {
  let finder: RowFinder
  let notes: PassNotes
  let connection: Connection
  let schema: RecordSchema
  let tables: [TableAccess]
  /// The table that is synced, and what its rows fulfil of which the payload is to name all.
  let scope: (table: Int, condition: SQL)?
  /// By table: what the database itself deletes or unlinks with a row.
  private let followers: [[Follower]]

  init(_ finder: RowFinder, _ notes: PassNotes, within scope: (table: Int, condition: SQL)?) {
    self.finder = finder
    self.notes = notes
    self.scope = scope
    connection = finder.connection
    schema = finder.schema
    tables = finder.tables
    followers = schema.followers()
  }

  /// Deletes what isn't named.
  ///
  /// - Parameter mayMerge: Whether of the rows of a table that share a key only one is to stay.
  func delete(mergingTwinsOf mayMerge: (Int) -> Bool) throws {
    var doomed: [(table: Int, row: KeyedRow)] = []
    var gone: [Removals.Group: Int] = [:]
    for (group, rows) in notes.removals.inOrder where !group.unlinks {
      for row in rows.rows where !notes.stays(row, of: group) {
        if try isEdited(row, in: group.table) { continue }
        doomed.append((group.table, row))
        gone[group, default: 0] += 1
      }
    }
    for (table, row) in notes.removals.twins {
      if !mayMerge(table) {
        notes.report.keepTwins(of: row.key, in: table)
      } else if try !isEdited(row, in: table) {
        doomed.append((table, row))
      }
    }
    notes.removals.clear(gone: gone)
    try delete(doomed)
  }

  func isEdited(_ row: KeyedRow, in table: Int) throws -> Bool {
    guard schema.tables[table].edits != nil, let found = try finder.row(at: row.address, in: table)
    else { return false }
    let isEdited = !LocalEdits(found, schema.tables[table]).isEmpty
    if isEdited { notes.report.keep(row.key, columns: [], in: table) }
    return isEdited
  }

  /// All at once where the database allows that; else one after the other, again and again, until
  /// only those are left whose deletion it forbids.
  private func delete(_ doomed: [(table: Int, row: KeyedRow)]) throws {
    guard !doomed.isEmpty else { return }
    var (gone, isInDoubt) = try deleteAtOnce(doomed)
    if isInDoubt, try !refersToNothing(doomed) {
      (gone, _) = try deleteAtOnce(doomed, isTrusting: true)
    }
    let all = try gone ?? deleteSingly(doomed)
    for (table, key) in all.rows { notes.report[table].deleted.append(key) }
    for (table, count) in all.cascaded { notes.report[table].cascaded += count }
    for (table, count) in all.marked { notes.report[table].marked += count }
    for (table, count) in all.unlinked { notes.report[table].unlinked += count }
    for (table, row) in all.freed { free(row, in: table) }
  }

  /// Gives nothing, and takes all back, where rows that stay refer to some that were to go.
  ///
  /// If a reference was broken in between and none is at the end, that is in doubt: SQLite only
  /// counts them, and a row among these that referred to nothing before may have lowered the count
  /// that a row that stays has raised.
  ///
  /// - Parameter isTrusting: Whether no row that is to go refers to nothing.
  private func deleteAtOnce(
    _ doomed: [(table: Int, row: KeyedRow)], isTrusting: Bool = false
  ) throws -> (gone: GoneRows?, isInDoubt: Bool) {
    var (gone, wasBroken) = (GoneRows(), false)
    do {
      let isBroken = try finder.attempt(keeping: { !$0 && (isTrusting || !wasBroken) }) {
        for (table, row) in doomed {
          try delete(row, in: table, noting: &gone)
          try notes.counter.countRow()
          wasBroken = wasBroken || connection.breaksForeignKeys
        }
        return connection.breaksForeignKeys
      }
      guard !isBroken, isTrusting || !wasBroken else { return (nil, !isBroken) }
      return (gone, false)
    } catch let error as DatabaseError where error.code == .constraint {
      return (nil, false)
    }
  }

  private func deleteSingly(_ doomed: [(table: Int, row: KeyedRow)]) throws -> GoneRows {
    var all = GoneRows()
    var left = doomed
    while true {
      var refused: [(table: Int, row: KeyedRow, reason: String)] = []
      for (table, row) in left {
        if all.contains(row, of: table) {
          all.insert(row, of: table)
          continue
        }
        try notes.counter.countRow()
        var gone = GoneRows()
        var reason: String?
        do {
          let isBroken = try finder.attempt(keeping: { !$0 }) {
            try delete(row, in: table, noting: &gone)
            return connection.breaksForeignKeys
          }
          if isBroken { reason = "FOREIGN KEY constraint failed" }
        } catch let error as DatabaseError where error.code == .constraint {
          reason = error.message
        }
        if let reason {
          refused.append((table, row, reason))
        } else {
          all.add(gone)
        }
      }
      if refused.count == left.count || refused.isEmpty {
        for (table, row, reason) in refused { notes.report.refuse(row.key, reason, in: table) }
        return all
      }
      left = refused.map { ($0.table, $0.row) }
    }
  }
}

// MARK: - What goes with a row

extension RowDeleter {
  /// Deletes a row with what it is the rest of, and the rest of it; adds all that goes.
  func delete(_ row: KeyedRow, in table: Int, noting gone: inout GoneRows) throws {
    guard gone.insert(row, of: table) else { return }
    let marks = schema.tables[table].mark != nil
    for other in schema.tables[table].extensions {
      try deletePart(row, in: other, marking: marks, &gone)
    }
    try remove(row, in: table, marking: marks, &gone)
    var base = schema.tables[table].base
    while let other = base {
      try removePart(row, in: other, marking: marks, &gone)
      base = schema.tables[other].base
    }
  }

  private func deletePart(
    _ row: KeyedRow, in table: Int, marking marks: Bool, _ gone: inout GoneRows
  ) throws {
    for other in schema.tables[table].extensions {
      try deletePart(row, in: other, marking: marks, &gone)
    }
    try removePart(row, in: table, marking: marks, &gone)
  }

  /// The parts of a row that is marked stay, and are marked where that can be.
  private func removePart(
    _ row: KeyedRow, in table: Int, marking marks: Bool, _ gone: inout GoneRows
  ) throws {
    guard !marks || schema.tables[table].mark != nil,
      let part = try part(row, in: table, amongMarked: !marks), gone.insert(part, of: table)
    else { return }
    try remove(part, in: table, marking: marks, &gone)
  }

  private func part(
    _ row: KeyedRow, in table: Int, amongMarked: Bool
  ) throws -> KeyedRow? {
    let rows = try finder.search.rows(of: row.key, in: table)
    return rows.first { amongMarked || schema.tables[table].isLive($0) }.map {
      KeyedRow(address: $0.address, key: row.key)
    }
  }

  private func remove(
    _ row: KeyedRow, in table: Int, marking marks: Bool, _ gone: inout GoneRows
  ) throws {
    if marks { return try mark(row, in: table, &gone) }
    try noteFollowers(of: row, in: table, &gone)
    try connection.run(tables[table].delete, values: row.address)
  }

  /// Marks a row as gone; and does what the database would have done with it to the rows that would
  /// have gone, too: those that can be marked are marked, others deleted. References to it stay.
  private func mark(_ row: KeyedRow, in table: Int, _ gone: inout GoneRows) throws {
    gone.mark(in: table)
    var going = [(row: row, table: table)]
    while let (row, table) = going.popLast() {
      guard let column = schema.tables[table].mark else {
        try noteFollowers(of: row, in: table, &gone)
        try connection.run(tables[table].delete, values: row.address)
        continue
      }
      guard let found = try finder.row(at: row.address, in: table) else { continue }
      try connection.run(
        tables[table].update([column]), values: [finder.mark(in: table)] + row.address)
      going += try noteFollowers(ofMarked: found, in: table, &gone)
    }
  }

  /// Gives the rows that the database would delete with one, but for its own parts, which stay with
  /// it; adds them to those that go.
  private func noteFollowers(
    ofMarked row: FoundRow, in table: Int, _ gone: inout GoneRows
  ) throws -> [(row: KeyedRow, table: Int)] {
    var going: [(row: KeyedRow, table: Int)] = []
    for (follower, rows) in try rows(following: row, of: table) {
      let (place, own) = (follower.table, schema.tables[follower.table])
      if follower.fate == .unlinked || schema.tables[table].extensions.contains(place) { continue }
      for child in rows where own.isLive(child) {
        let keyed = KeyedRow(child, own)
        if follower.fate == .link {
          gone.insertLink(child.address, of: place)
        } else {
          guard gone.insertFollower(keyed, of: place) else { continue }
          if own.mark != nil { gone.mark(in: place) }
        }
        going.append((keyed, place))
      }
    }
    return going
  }

  private func noteFollowers(
    of row: KeyedRow, in table: Int, _ gone: inout GoneRows
  ) throws {
    var going = [(row: row, table: table)]
    while let (row, table) = going.popLast() {
      guard !followers[table].isEmpty, let found = try finder.row(at: row.address, in: table) else {
        continue
      }
      for (follower, rows) in try rows(following: found, of: table) {
        switch follower.fate {
        case .unlinked:
          let own = schema.tables[follower.table]
          gone.free(rows.map { KeyedRow($0, own) }, of: follower.table)
        case .link: for link in rows { gone.insertLink(link.address, of: follower.table) }
        case .deleted:
          for child in rows.map({ KeyedRow($0, schema.tables[follower.table]) })
          where gone.insertFollower(child, of: follower.table) {
            going.append((child, follower.table))
          }
        }
      }
    }
  }

  private func rows(
    following row: FoundRow, of table: Int
  ) throws -> [(follower: Follower, rows: [FoundRow])] {
    try followers[table].compactMap { follower in
      let key = follower.key
      let values = key.targets.compactMap { row.values[$0] }
      guard values.count == key.targets.count else { return nil }
      return (follower, try finder.search.rows(where: key.columns, are: values, in: follower.table))
    }
  }

  /// Whether one of these rows refers to a row that isn't there.
  func refersToNothing(_ rows: [(table: Int, row: KeyedRow)]) throws -> Bool {
    for (table, row) in rows {
      let keys = schema.tables[table].allForeignKeys
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
