import SyncDatabase

extension RecordPass {
  /// Makes one row equal to what its window says, and then what hangs on it; gives the row, or
  /// `nil` if it isn't in the database.
  ///
  /// - Parameter found: The row of an object without a key, where one is linked already.
  @discardableResult
  func settle(
    _ place: Int, in window: WindowRows, found linked: FoundRow? = nil
  ) throws -> FoundRow? {
    guard window.rows[place].begin() else { return window.found(place) }
    try countRow()
    let (key, table) = (window.draft.rows[place].key, window.draft.rows[place].table)
    // Whatever becomes of it: what is named isn't deleted.
    let found = try key.map { try look(for: $0, in: table) } ?? linked
    guard try hasWhatItHangsOn(place, in: window) else { return nil }
    // What it hangs on may have given it a position.
    let row = window.draft.rows[place]
    if found == nil, window.rows[place].wasThere {
      window.rows[place].leaveOut()
      return nil
    }
    var values = row.values
    if let extras = row.extras {
      let held = found?.values[extras.column] ?? nil
      values[extras.column] = .value(extras.stored(over: values[extras.column], held))
    }
    guard try found != nil || isAccepted(place, &values, in: window) else { return nil }
    if found == nil, let position = window.positions[place] {
      values[position.column] = .value(.integer(position.value))
    }
    let unresolved = try link(&values, of: place, found, in: window)
    moment = ReportBuilder.Moment(element: row.element, row: place)
    if isWritingAside, found != nil, let key { report.name(key, at: moment, in: table) }
    do {
      try write(place, of: window, values, found)
    } catch let error as DatabaseError where error.code == .constraint {
      window.rows[place].refuse(.refused(error))
    }
    guard let settled = window.found(place) else { return nil }
    window.rows[place].wait(for: unresolved)
    guard window.rows[place].references != .only else { return settled }
    noteClaims(of: place, settled, in: window)
    try settleClaims(of: place, settled, wasThere: found != nil, in: window)
    return settled
  }

  /// Writes the rows first of which this one is the rest, or under which it was named; without
  /// these it isn't written either.
  private func hasWhatItHangsOn(_ place: Int, in window: WindowRows) throws -> Bool {
    let row = window.draft.rows[place]
    if let base = row.base, try settle(base, in: window) == nil {
      let reason = window.insertions?.refusal(of: place)
      window.rows[place].refuse(.other(reason ?? "the row that it extends isn't there"))
      return false
    }
    guard let owner = row.owner, !row.isTop else { return true }
    try follow { try settle(owner, in: window) }
    switch window.rows[owner].state {
    case .refused: window.rows[place].refuse(.other("the row that it hangs on was refused"))
    case .absent: window.rows[place].leaveOut()
    case .open, .active, .settled: return true
    }
    return false
  }

  /// Follows one row to another, unless the way is too long; that one is then written in its turn.
  func follow(_ body: () throws -> Void) throws {
    guard depth < Self.deepest else { return }
    depth += 1
    defer { depth -= 1 }
    try body()
  }

  /// The row of a key, which then counts as named. Of several rows that share the key the oldest
  /// stays.
  func look(for key: RecordKey, in table: Int) throws -> FoundRow? {
    let rows = try search.rows(of: key, in: table)
    guard let first = rows.first else { return nil }
    seen[table].insert(first.address)
    for twin in rows.dropFirst() {
      seen[table].insert(twin.address)
      removals.addTwin(twin.address, key, in: table)
    }
    return first
  }

  private func write(
    _ place: Int, of window: WindowRows, _ values: [DraftRow.Given], _ found: FoundRow?
  ) throws {
    let row = window.draft.rows[place]
    guard let found else {
      guard row.rights.contains(.insert) else { return window.rows[place].leaveOut() }
      return window.rows[place].insert(try insert(row, values))
    }
    // What was inserted before in this pass, and had to wait for something, may be completed.
    let mayUpdate = row.rights.contains(.update) || window.rows[place].isNew
    let allowed = mayUpdate ? values : links(of: row, in: values)
    window.rows[place].settle(try update(row, allowed, found))
  }

  /// Of a row's values those of its links that it gives as objects or as nothing: what may be done
  /// with these was looked at as the links were set, and hangs on other operations.
  private func links(of row: DraftRow, in values: [DraftRow.Given]) -> [DraftRow.Given] {
    var links = [DraftRow.Given](repeating: .absent, count: values.count)
    for claim in row.claims {
      guard
        case .toOne(let column, _, _) = schema.tables[row.table].relations[claim.relation].kind
      else { continue }
      if case .key? = claim.members.first { continue }
      links[column] = values[column]
    }
    return links
  }

  private func insert(_ row: DraftRow, _ values: [DraftRow.Given]) throws -> FoundRow {
    let table = schema.tables[row.table]
    var places: [Int] = []
    var stored: [StoredValue?] = []
    var result = [StoredValue?](repeating: nil, count: values.count)
    for (place, given) in values.enumerated() {
      guard case .value(let value) = given, !table.columns[place].isGenerated else { continue }
      places.append(place)
      stored.append(value)
      result[place] = value
    }
    let address = try write(in: row.table) {
      try requireWritten(
        try connection.run(tables[row.table].insert(places), values: stored), in: row.table)
      guard table.rowNumber != nil else { return table.primaryKey.compactMap { result[$0] } }
      return [.integer(connection.lastInsertedRow)]
    }
    if table.key.isRowNumber { result[table.key.columns[0]] = address[0] }
    let key = RecordKey(table.key.columns.compactMap { result[$0] })
    report.insert(key, at: moment, in: row.table)
    entanglement.insert(address, in: row.table)
    if table.rowNumber == nil, address.count < table.primaryKey.count,
      let found = try search.rows(of: key, in: row.table).first
    {
      // A part of its address is a default.
      seen[row.table].insert(found.address)
      return found
    }
    seen[row.table].insert(address)
    return FoundRow(address: address, values: result)
  }

  /// A trigger, or what the table says of conflicts, may leave a row out without an error.
  private func requireWritten(_ count: Int, in table: Int) throws {
    guard count == 0 else { return }
    throw DatabaseError(
      code: .constraint, message: "a trigger left it out", path: connection.path)
  }

  func update(
    _ row: DraftRow, _ values: [DraftRow.Given], _ found: FoundRow
  ) throws -> FoundRow {
    let access = tables[row.table]
    var places = access.differences(between: found.values, and: values)
    guard !places.isEmpty else { return found }
    let table = access.schema
    let key = row.key ?? RecordKey(table.key.columns.compactMap { found.values[$0] })
    // A table of links may be made of it one day, which holds both.
    let others = places.filter { row.nested.contains($0) && found.values[$0] != nil }
    if keepsParents, !row.isTop, !others.isEmpty {
      report.stay(key, in: row.table)
      places.removeAll { others.contains($0) }
    }
    let edited = LocalEdits(found, table)
    let kept = places.filter { edited.protects($0) }
    if !kept.isEmpty { report.keep(key, columns: kept, in: row.table) }
    places.removeAll { edited.protects($0) }
    guard !places.isEmpty else { return found }
    var result = found
    for place in places {
      if case .value(let value) = values[place] { result.values[place] = value }
    }
    result.address = try write(in: row.table) {
      try requireWritten(
        try connection.run(
          access.update(places), values: places.map { result.values[$0] } + found.address),
        in: row.table)
      // The row may be somewhere else now.
      guard table.rowNumber != nil else { return table.primaryKey.compactMap { result.values[$0] } }
      guard let column = table.rowNumberColumn, let number = result.values[column] else {
        return found.address
      }
      return [number]
    }
    seen[row.table].insert(result.address)
    entanglement.update(result.address, in: row.table, name(of: row, key))
    tell(of: places, changed: row, key, from: found)
    return result
  }

  /// A child that came from another parent has moved, and one that had none is linked.
  private func tell(
    of places: [Int], changed row: DraftRow, _ key: RecordKey, from found: FoundRow
  ) {
    let columns = places.filter { !row.nested.contains($0) }
    if columns.count < places.count {
      let hadParent = places.contains { row.nested.contains($0) && found.values[$0] != nil }
      report.adopt(key, hadParent: hadParent, in: row.table)
    }
    guard !columns.isEmpty else { return }
    report.update(key, columns: columns, at: moment, in: row.table)
  }
}
