import SyncDatabase

/// A sync of which all is ready but the writing.
struct PreparedRun {
  var run: RecordRun
  var payload: LoadedPayload
  var made: [SchemaChange] = []
  var remarks: [PayloadRemark] = []

  /// Writes what it reads. `nil` where elements have to be set aside first.
  ///
  /// - Parameter entry: Set to what is to be remembered of the source.
  func write(
    _ aside: inout SetAside, _ entry: inout SourceMemory.Entry?
  ) throws -> (report: RecordReport, remembersMore: Bool)? {
    var run = run
    try run.schema.requireMark(in: run.table)
    if payload.isIncrement { run.options.operations.remove(.delete) }
    if payload.remarks.contains(where: \.isOfRest) {
      run.options.operations.formIntersection(.keep)
    }
    // Rows may refer to rows that come later.
    try run.connection.execute("PRAGMA defer_foreign_keys = ON")
    var keeper = run.options.isPlan ? nil : try VersionKeeper(run.schema, on: run.connection)
    try takeRows(&keeper)
    let session = try run.undoSession()
    let made = try self.made + fillFromExtra()
    guard let written = try run.write(payload, &aside) else { return nil }
    try keeper?.keep()
    var report = written.report
    report.made = made
    report.remarks += payload.remarks + remarks
    if run.options.isStrict, let fault = report.remarks.compactMap(\.strictFault).first {
      throw RecordError.strict(table: run.schema.tables[run.table].name, fault)
    }
    report.undo = try session.map {
      RecordUndo(try $0.changeset().inverted(), MadeParts(made), in: run.schema)
    }
    let isToldLater = run.options.isPlan && report.hasChanges
    if payload.fingerprint != nil, !isToldLater { entry = try run.entry(for: payload, report) }
    report.status = run.options.isPlan ? .planned : report.hasChanges ? .written : .unchanged
    return (report, written.remembersMore)
  }
  /// Moves rows to what was made for them. An undo leaves that, with its versions, as it leaves
  /// what was made in place of another.
  private func takeRows(_ keeper: inout VersionKeeper?) throws {
    let taken = made.compactMap(\.taken)
    guard !taken.isEmpty else { return }
    for taken in taken { try taken.take(on: run.connection) }
    guard run.options.recordsUndo, let written = try keeper?.keep() else { return }
    keeper = try VersionKeeper(run.schema, on: run.connection, in: written)
  }

  /// Moves what tables kept for want of columns to those that there are meanwhile.
  private func fillFromExtra() throws -> [SchemaChange] {
    guard run.isLookedAt else { return [] }
    let tables = run.schema.tablesReached(from: run.table)
    return try ExtraFilling(run.connection, run.schema).fill(tables)
  }
}
