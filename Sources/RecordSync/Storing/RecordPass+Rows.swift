import SyncDatabase

extension RecordPass {
  /// Makes one row equal to what its window says, and then what hangs on it; gives the row, or `nil`
  /// if it isn't in the database.
  ///
  /// - Parameter found: The row of an object without a key, where one is linked already.
  @discardableResult
  func settle(
    _ place: Int, in window: WindowRows, found linked: FoundRow? = nil
  ) throws -> FoundRow? {
    guard case .open = window.states[place] else { return window.found(place) }
    window.states[place] = .active
    window.waiting[place] = nil
    try countRow()
    let row = window.draft.rows[place]
    // Whatever becomes of it: what is named isn't deleted.
    let found = try row.key.map { try look(for: $0, in: row.table) } ?? linked
    if let base = row.base, try settle(base, in: window) == nil {
      return put(place, in: window, .other("the row that it extends isn't there"))
    }
    if let owner = row.owner, !row.isTop {
      try follow { try settle(owner, in: window) }
      switch window.states[owner] {
      case .refused: return put(place, in: window, .other("the row that it hangs on was refused"))
      case .absent:
        window.states[place] = .absent
        return nil
      case .open, .active, .settled: break
      }
    }
    if found == nil, window.wereThere.contains(place) {
      window.states[place] = .absent
      return nil
    }
    var values = row.values
    if let extras = row.extras {
      let held = found?.values[extras.column] ?? nil
      values[extras.column] = .value(extras.stored(over: values[extras.column], held))
    }
    if found == nil, let position = window.positions[place] {
      values[position.column] = .value(.integer(position.value))
    }
    let unresolved = try link(&values, of: place, found, in: window)
    moment = ReportBuilder.Moment(window: window.number, row: place)
    do {
      window.states[place] = try write(place, of: window, values, found)
    } catch let error as DatabaseError where error.code == .constraint {
      return put(place, in: window, .refused(error))
    }
    guard let settled = window.found(place) else { return nil }
    if !unresolved.isEmpty { window.waiting[place] = .unresolved(unresolved) }
    guard !window.linking.contains(place) else { return settled }
    try settleClaims(of: place, settled, wasThere: found != nil, in: window)
    if window.waiting[place] != nil { window.wereThere.insert(place) }
    return settled
  }

  /// Follows one row to another, unless the way is too long; that one is then written in its turn.
  func follow(_ body: () throws -> Void) throws {
    guard depth < Self.deepest else { return }
    depth += 1
    defer { depth -= 1 }
    try body()
  }

  private func put(_ place: Int, in window: WindowRows, _ wait: WindowRows.Wait) -> FoundRow? {
    window.states[place] = .refused
    window.waiting[place] = wait
    return nil
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
  ) throws -> WindowRows.State {
    let row = window.draft.rows[place]
    guard let found else {
      guard row.rights.contains(.insert) else { return .absent }
      let inserted = try insert(row, values)
      window.inserted.insert(place)
      return .settled(inserted, isNew: true)
    }
    // What was inserted before in this pass, and had to wait for something, may be completed.
    guard row.rights.contains(.update) || window.inserted.contains(place) else {
      return .settled(found, isNew: false)
    }
    return .settled(try update(row, values, found), isNew: false)
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
    try connection.run(tables[row.table].insert(places), values: stored)
    let address: [StoredValue]
    if table.rowNumber != nil {
      let number = StoredValue.integer(connection.lastInsertedRow)
      address = [number]
      if table.key.isRowNumber { result[table.key.columns[0]] = number }
    } else {
      address = table.primaryKey.compactMap { result[$0] }
    }
    let key = RecordKey(table.key.columns.compactMap { result[$0] })
    report.insert(key, at: moment, in: row.table)
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

  func update(
    _ row: DraftRow, _ values: [DraftRow.Given], _ found: FoundRow
  ) throws -> FoundRow {
    let access = tables[row.table]
    var places = access.differences(between: found.values, and: values)
    guard !places.isEmpty else { return found }
    let table = access.schema
    let key = row.key ?? RecordKey(table.key.columns.compactMap { found.values[$0] })
    let edited = LocalEdits(found, table)
    let kept = places.filter { edited.protects($0) }
    if !kept.isEmpty { report.keep(key, columns: kept, in: row.table) }
    places.removeAll { edited.protects($0) }
    guard !places.isEmpty else { return found }
    var result = found
    for place in places {
      if case .value(let value) = values[place] { result.values[place] = value }
    }
    try connection.run(
      access.update(places), values: places.map { result.values[$0] } + found.address)
    if table.rowNumber == nil {
      result.address = table.primaryKey.compactMap { result.values[$0] }
    } else if let column = table.rowNumberColumn, let number = result.values[column] {
      result.address = [number]
    }
    // The row may be somewhere else now.
    seen[row.table].insert(result.address)
    report.update(key, columns: places, at: moment, in: row.table)
    return result
  }
}
