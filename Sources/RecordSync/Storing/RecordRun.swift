import OneWaySynchronizer
import SyncDatabase
import SyncText

/// One sync from payload to report, on the connection's own thread.
struct RecordRun {
  private let connection: Connection
  private let schema: RecordSchema
  private let table: Int
  private let options: RecordOptions
  private let scope: ResolvedScope

  init(
    _ connection: Connection, _ schema: RecordSchema, table name: String, _ options: RecordOptions
  ) throws {
    guard let table = schema.place(of: name) else { throw RecordError.table(name, .missing) }
    if let problem = schema.tables[table].key.problem { throw RecordError.schema(problem) }
    self.connection = connection
    self.schema = schema
    self.table = table
    self.options = options
    scope = try ResolvedScope(options.scope, of: table, schema, connection)
  }

  func sync(_ json: [UInt8]) throws -> RecordReport {
    let before = connection.totalChanges
    var report = RecordReport(status: .unchanged)
    do {
      try connection.transaction {
        try connection.execute("PRAGMA defer_foreign_keys = ON")
        report = try write(json)
        if options.isPlan { throw OnlyPlanned() }
      }
    } catch is OnlyPlanned {
      report.status = .planned
      return report
    }
    report.status = connection.totalChanges == before ? .unchanged : .written
    return report
  }

  private struct OnlyPlanned: Error {}

  private func write(_ json: [UInt8]) throws -> RecordReport {
    let pass = try RecordPass(connection, schema, operations: options.operations) { _ in
      try Task.checkCancellation()
    }
    var builder = DraftBuilder(schema, operations: options.operations)
    var tape = JSONTape(nesting: 128)
    tape.begin(json)
    let root = try tape.append(at: 0).root
    let clock = ContinuousClock()
    let start = clock.now
    var isEmpty = true
    var hasKeys = false
    if tape.kind(of: root) == .array {
      let end = tape.end(of: root)
      var element = tape.inside(root)
      while element != end {
        isEmpty = false
        let row = builder.readTop(element, in: tape, as: table, given: scope.given)
        hasKeys = hasKeys || row != nil
        element = tape.after(element)
      }
    } else {
      isEmpty = false
      hasKeys = builder.readTop(root, in: tape, as: table, given: scope.given) != nil
    }
    guard isEmpty || hasKeys else {
      let names = schema.tables[table].key.jsonNames
      throw RecordError.noKeys(table: schema.tables[table].name, names: names)
    }
    try pass.write(builder.draft)
    let written = clock.now
    if options.operations.contains(.delete) { try noteScope(pass) }
    try pass.finish(options.removalLimit)
    let ended = clock.now
    return RecordReport(
      status: .written, tables: pass.report.reports(),
      durations: [.rows: written - start, .deletions: ended - written])
  }

  private func noteScope(_ pass: RecordPass) throws {
    let access = pass.tables[table]
    var rows: [KeyedRow] = []
    try connection.query(access.keys(where: scope.condition(access))) { row in
      rows.append(try KeyedRow(row, access))
    }
    pass.removals.add(
      rows, to: Removals.Group(table: table, column: nil, relation: "", unlinks: false))
  }
}
