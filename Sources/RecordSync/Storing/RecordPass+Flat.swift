import SyncDatabase

extension RecordPass {
  /// Does at once what can be done with the elements of a window as they stand in the text. Gives
  /// the others.
  func writeFlat(_ window: PayloadWindow) throws -> [Int] {
    let all = Array(window.elements.indices)
    let wasFlat = isFlatThroughout
    isFlatThroughout = false
    guard waiting.isEmpty, remembered.isEmpty, let table = topTable, try beginFlat(table)
    else { return all }
    var looks = 0
    let sorted = try flat?.sort(window, connection) {
      looks += 1
      try countLook()
    }
    guard var rest = sorted else {
      counted += looks
      guard let left = try writeFamilies(window, of: table) else { return all }
      isFlatThroughout = wasFlat && left.isEmpty
      return left
    }
    for row in rest.same { noteNamed(row, in: table) }
    let before = elementsBefore
    let refused =
      try flat?.insert(rest, of: window, connection) { element, key, row in
        report.insert(
          RecordKey(key), at: ReportBuilder.Moment(element: before + element, row: 0), in: table)
        noteNamed(row, in: table)
        entanglement.insert([.integer(row)], in: table)
        flatCount? += 1
      } ?? []
    let unchanged =
      try flat?.update(rest.changed, of: window, connection) { element, key, row, columns in
        let isFirst = !seen[table].contains(row)
        report.update(
          RecordKey(key), columns: columns,
          at: ReportBuilder.Moment(element: before + element, row: 0), in: table, isFirst: isFirst)
        let name = RowName(
          table: table,
          identity: KeyIdentity(schema.tables[table]).identity(of: RecordKey(key)))
        named[table].insert(row)
        entanglement.update([.integer(row)], in: table, name)
        if !isFirst { entanglement.note(name) }
      } ?? []
    for (_, row) in rest.changed { seen[table].insert(row) }
    rest.refuse(refused + unchanged)
    isFlatThroughout = wasFlat && rest.rest.isEmpty
    counted += rest.rest.count
    return rest.rest
  }

  func noteNamed(_ row: Int64, in table: Int) {
    seen[table].insert(row)
    named[table].insert(row)
  }

  /// How many rows the table at the top has, if it can be told by that number that the payload
  /// names all of them: where all of it was flat, no row that it named has moved or gone.
  func countIfAllAreNamed() -> Int? {
    guard isFlatThroughout, let table = topTable, let count = flatCount else { return nil }
    return count == seen[table].countNumbers() ? count : nil
  }

  /// Whether it may be tried: where rows at the top have neither an order nor a parent, nobody is
  /// asked of them, and the table allows it.
  private func beginFlat(_ table: Int) throws -> Bool {
    guard readsFlat, top == nil else { return false }
    if flat == nil {
      let inserts = operations.contains(.insert) && insertionHook == nil
      flat = try FlatPass(
        schema, table, tables[table], inserts: inserts, updates: operations.contains(.update),
        connection)
      guard flat != nil else {
        readsFlat = false
        return false
      }
      flatCount = try operations.contains(.delete) && !isScoped ? countRows(of: table) : nil
    }
    return flat != nil
  }

  private func countRows(of table: Int) throws -> Int? {
    try connection.row("SELECT count(*) FROM \(tables[table].name)") { try Int($0.integer(0)) }
  }
}
