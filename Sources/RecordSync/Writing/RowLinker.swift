import SyncDatabase

/// Makes rows of a window equal to what it says, with what they refer to and what hangs on them.
final class RowLinker {
  let finder: RowFinder
  let notes: PassNotes
  let writer: RowWriter
  let connection: Connection
  let schema: RecordSchema
  let tables: [TableAccess]
  var operations: Operations
  let insertionHook: InsertionHook?
  /// The columns that keep what nothing else takes, by table.
  private let extras: [Int?]
  /// How many rows were followed to the one that is being written.
  private var depth = 0

  init(_ writer: RowWriter, operations: Operations, insertionHook: InsertionHook? = nil) {
    self.writer = writer
    self.operations = operations
    self.insertionHook = insertionHook
    (finder, notes) = (writer.finder, writer.notes)
    connection = finder.connection
    schema = finder.schema
    tables = finder.tables
    extras = schema.tables.map(\.extra)
  }

  /// Makes one row equal to what its window says, and then what hangs on it; gives the row, or
  /// `nil` if it isn't in the database.
  ///
  /// - Parameter found: The row of an object without a key, where one is linked already.
  @discardableResult
  func settle(
    _ place: Int, in window: WindowRows, found linked: FoundRow? = nil
  ) throws -> FoundRow? {
    guard window.rows[place].begin() else { return window.found(place) }
    try notes.counter.countRow()
    let (key, table) = (window.draft.rows[place].key, window.draft.rows[place].table)
    // Whatever becomes of it: what is named isn't deleted.
    let found = try key.map { try writer.look(for: $0, in: table) } ?? linked
    guard try hasWhatItHangsOn(place, in: window) else { return nil }
    // What it hangs on may have given it a position.
    let row = window.draft.rows[place]
    if found == nil, window.rows[place].wasThere {
      window.rows[place].leaveOut()
      return nil
    }
    var values = row.values
    keepExtras(of: row, found, in: &values)
    if let found, let mark = schema.tables[table].mark, found.values[mark] != nil,
      values[mark] == .absent
    {
      values[mark] = .value(nil)
    }
    guard try found != nil || isAccepted(place, &values, in: window) else { return nil }
    if let position = window.positions[place], position.isFor(found, row) {
      values[position.column] = .value(.integer(position.value))
    }
    let unresolved = try link(&values, of: place, found, in: window)
    notes.moment = ReportBuilder.Moment(element: row.element, row: place)
    if let found, let key { note(found, key, of: place, waitingFor: unresolved, in: window) }
    do {
      try write(place, of: window, values, found)
    } catch let error as DatabaseError where error.code == .constraint {
      window.rows[place].refuse(.refused(error))
    }
    guard let settled = window.found(place) else { return nil }
    if let key, !row.nested.isEmpty {
      notes.entanglement.adopt(settled.address, in: table, notes.name(of: row, key))
    }
    window.rows[place].wait(for: unresolved)
    guard window.rows[place].references != .only else { return settled }
    notes.noteClaims(of: place, settled, in: window)
    try settleClaims(of: place, settled, wasThere: found != nil, in: window)
    return settled
  }

  /// What was kept for want of a column goes where the column gets a value.
  private func keepExtras(
    of row: DraftRow, _ found: FoundRow?, in values: inout [DraftRow.Given]
  ) {
    guard let extra = extras[row.table] else { return }
    let held = found?.values[extra] ?? nil
    guard row.extras != nil || values[extra] == .absent && ExtraMembers.isKept(held) else { return }
    let columns = schema.tables[row.table].columns
    let placed = values.indices.filter { values[$0] != .absent }.flatMap { columns[$0].jsonNames }
    let extras = row.extras ?? ExtraMembers(column: extra)
    values[extra] = .value(extras.stored(over: values[extra], held, besides: placed))
  }

  /// Notes a row that is there, before it is changed.
  private func note(
    _ found: FoundRow, _ key: RecordKey, of place: Int,
    waitingFor unresolved: [UnresolvedReference], in window: WindowRows
  ) {
    let row = window.draft.rows[place]
    if notes.entanglement.isWritingAside {
      notes.report.name(key, at: notes.moment, in: row.table)
    }
    notes.entanglement.meet(found.address, in: row.table)
    guard !unresolved.isEmpty else { return }
    let hangs = unresolved.contains { notes.saysWhereItHangs($0, in: row.table) }
    let isKnown = { [notes] in notes.isWaited(for: place, in: window) }
    notes.entanglement.wait(
      found.address, in: row.table, hangs: hangs, unless: isKnown(), notes.name(of: row, key))
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

  private func write(
    _ place: Int, of window: WindowRows, _ values: [DraftRow.Given], _ found: FoundRow?
  ) throws {
    let row = window.draft.rows[place]
    guard let found else {
      guard row.rights.contains(.insert) else { return window.rows[place].leaveOut() }
      return window.rows[place].insert(try writer.insert(row, values))
    }
    // What was inserted before in this pass, and had to wait for something, may be completed.
    let mayUpdate = row.rights.contains(.update) || window.rows[place].isNew
    let allowed = mayUpdate ? values : links(of: row, in: values)
    window.rows[place].settle(try writer.update(row, allowed, found))
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
}
