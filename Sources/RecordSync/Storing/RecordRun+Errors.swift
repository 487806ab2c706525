import SyncDatabase

/// What may be an error of a service, and no row.
extension RecordRun {
  /// Whether an element's row was there before the payload named it.
  func wasThere(_ index: Int, of window: PayloadWindow, _ pass: RecordPass) throws -> Bool {
    let row = try pass.schema.row(
      of: index, of: window, in: table, given: scope.given, on: connection)
    return row.map { !pass.notes.seen[table].contains($0.address) } ?? false
  }

  /// An object that stands alone is never all there is: it is put, and nothing is deleted.
  func putAlone(
    _ window: PayloadWindow, _ builder: inout DraftBuilder, _ pass: RecordPass
  ) throws {
    if !isLookedAt {
      try LoneObject(window: window).require(
        in: pass.schema, table, named: schema.tables[table].name
      ) { try wasThere(0, of: window, pass) }
    }
    pass.isPutAlone = true
    pass.keepRows()
    builder = DraftBuilder(pass.schema, operations: pass.operations)
  }
}
