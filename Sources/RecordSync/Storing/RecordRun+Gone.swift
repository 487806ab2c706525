import SyncDatabase
import SyncText

/// Rows that a payload says are gone.
extension RecordRun {
  /// Takes the objects that stand for rows which are gone out of a window. Answers whether one has
  /// a usable key.
  func takeGone(
    from window: inout PayloadWindow, _ mark: DeletedMark, _ pass: RecordPass
  ) throws -> Bool {
    var (others, hasKeys): ([Int], Bool) = ([], false)
    let identity = KeyIdentity(pass.schema.tables[table])
    for (place, element) in window.elements.enumerated() {
      let isGone = mark.marks(element, in: window.tape)
      if !isGone { others.append(place) }
      // Whatever comes last counts.
      guard isGone || !pass.notes.gone.isEmpty else { continue }
      try Task.checkCancellation()
      guard let key = key(of: element, in: window.tape, pass) else {
        if isGone { pass.notes.report[table].skipped += 1 }
        continue
      }
      pass.notes.gone[identity.identity(of: key)] = isGone ? key : nil
      hasKeys = hasKeys || isGone
    }
    window.keep(others)
    return hasKeys
  }

  private func key(
    of element: JSONTape.Node, in tape: borrowing JSONTape, _ pass: RecordPass
  ) -> RecordKey? {
    var builder = DraftBuilder(pass.schema, operations: [])
    let place = builder.readTop(element, in: tape, as: table, given: scope.given)
    return place.flatMap { builder.draft.rows[$0].key }
  }

  /// Takes the keys in the arrays at a path, but for those of rows that the payload names.
  func takeGoneKeys(
    of payload: LoadedPayload, at path: PayloadPath, _ pass: RecordPass
  ) throws {
    try payload.forEachBody(mustBeWhole: false, as: .items(path)) { reader in
      var window = PayloadWindow()
      do throws(PayloadProblem) {
        while try reader.next(&window) { takeGoneKeys(in: window, pass) }
      } catch .items(_, .absent) {
      } catch .items(_, .scalar(.null)) {
      }
    }
    for (identity, key) in pass.notes.gone {
      let rows = try pass.finder.search.rows(of: key, in: table)
      if rows.contains(where: { pass.notes.seen[table].contains($0.address) }) {
        pass.notes.gone[identity] = nil
      }
    }
  }

  private func takeGoneKeys(in window: PayloadWindow, _ pass: RecordPass) {
    let own = pass.schema.tables[table]
    for element in window.elements {
      var key = self.key(of: element, in: window.tape, pass)
      if let column = own.keyColumn,
        let value = own.columns[column].type.key(element, in: window.tape)?.value
      {
        key = RecordKey([value])
      }
      if let key {
        pass.notes.gone[KeyIdentity(own).identity(of: key)] = key
      } else {
        pass.notes.report[table].skipped += 1
      }
    }
  }

  /// What is gone is to go, of the rows of which the payload speaks.
  func noteGone(_ pass: RecordPass) throws {
    guard !pass.notes.gone.isEmpty else { return }
    var rows: [KeyedRow] = []
    for key in pass.notes.gone.values {
      rows += try pass.finder.search.rows(of: key, in: table).map {
        KeyedRow(address: $0.address, key: key)
      }
    }
    if options.scope != nil {
      var inScope: Set<[StoredValue]> = []
      let addresses = Set(rows.map(\.address))
      try forEachRowInScope(pass) { row in
        if addresses.contains(row.address) { inScope.insert(row.address) }
      }
      rows.removeAll { !inScope.contains($0.address) }
    }
    pass.notes.goneRows = Set(rows.map(\.address))
    let known = Set(pass.notes.removals.rows(of: .top(table)).map(\.address))
    rows.removeAll { known.contains($0.address) }
    rows.sort { StoredOrder.precedes($0.address, $1.address) }
    // Those of a whole payload are counted already.
    let others = pass.operations.contains(.delete) ? 0 : try countRows(pass) - rows.count
    pass.notes.removals.add(rows, besides: others, to: .top(table))
  }

  /// How many rows the payload speaks of.
  private func countRows(_ pass: RecordPass) throws -> Int {
    let access = pass.finder.tables[table]
    let condition: SQL = options.scope == nil ? "1" : scope.condition(access)
    var count = 0
    try connection.query("SELECT count(*) FROM \(access.name) WHERE \(condition)", values: []) {
      count = Int(try $0.integer(0))
    }
    return count
  }
}
