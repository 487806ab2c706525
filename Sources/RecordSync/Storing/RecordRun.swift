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

  /// All of it, or nothing.
  func sync(_ reader: consuming PayloadReader) throws -> RecordReport {
    let clock = ContinuousClock()
    var report = RecordReport(status: .written)
    var ended = clock.now
    do {
      var reader = reader
      try connection.transaction {
        // Rows may refer to rows that come later.
        try connection.execute("PRAGMA defer_foreign_keys = ON")
        report = try write(&reader)
        if options.isPlan { throw Unrecorded(status: .planned) }
        // What was tried and taken back would be recorded all the same, page by page.
        guard report.hasChanges else { throw Unrecorded(status: .unchanged) }
        ended = clock.now
      }
      report.durations[.commit] = clock.now - ended
    } catch let end as Unrecorded {
      report.status = end.status
    } catch is PayloadProblem where Task.isCancelled {
      // Whoever waited for its bytes stopped waiting.
      throw CancellationError()
    }
    return report
  }

  /// Ends the transaction without an error, and without anything written.
  private struct Unrecorded: Error {
    var status: RecordReport.Status
  }

  private func write(_ reader: inout PayloadReader) throws -> RecordReport {
    let clock = ContinuousClock()
    let start = clock.now
    let pass = try RecordPass(connection, schema, operations: options.operations) { _ in
      try Task.checkCancellation()
    }
    if options.scope?.condition != nil {
      let access = pass.tables[table]
      try connection.check(scope.condition(access), over: "\(access.name)")
    }
    try writeRows(of: &reader, pass)
    let written = clock.now
    if options.operations.contains(.delete) { try noteScope(pass) }
    try pass.finish(options.removalLimit)
    try pass.search.end()
    let tables = pass.report.reports()
    if options.isStrict { try requireFlawless(tables) }
    return RecordReport(
      status: .written, tables: tables,
      durations: [.rows: written - start, .ending: clock.now - written])
  }

  private func writeRows(of reader: inout PayloadReader, _ pass: RecordPass) throws {
    var builder = DraftBuilder(schema, operations: options.operations)
    var window = PayloadWindow()
    var (hasKeys, first) = (false, nil as PayloadExcerpt?)
    while try reader.next(&window) {
      builder.begin()
      for (index, element) in window.elements.enumerated() {
        let row = builder.readTop(element, in: window.tape, as: table, given: scope.given)
        hasKeys = hasKeys || row != nil
        if first == nil { first = window.excerpt(of: index) }
      }
      if let problem = builder.problem { throw RecordError.schema(problem) }
      try pass.write(builder.draft)
    }
    guard hasKeys || reader.count == 0 else {
      let table = schema.tables[table]
      throw PayloadProblem.withoutKeys(
        table: table.name, names: table.key.jsonNames, elements: reader.count, first: first)
    }
  }

  /// What the payload doesn't name of what it speaks of is to go.
  private func noteScope(_ pass: RecordPass) throws {
    let access = pass.tables[table]
    var rows: [KeyedRow] = []
    try connection.explainingCondition(isThere: options.scope?.condition != nil) {
      try connection.query(access.keys(where: scope.condition(access))) { row in
        rows.append(try KeyedRow(row, access))
      }
    }
    pass.removals.add(
      rows, to: Removals.Group(table: table, column: nil, relation: "", unlinks: false))
  }

  /// With strictness, what would only be reported ends the sync.
  private func requireFlawless(_ tables: [String: TableReport]) throws {
    for (name, report) in tables.sorted(by: { $0.key < $1.key }) {
      guard let fault = report.fault else { continue }
      throw RecordError.strict(table: name, fault)
    }
  }
}

extension TableReport {
  /// The gravest of what strictness doesn't let pass.
  fileprivate var fault: RecordError.StrictFault? {
    if let row = refused.first { return .refused(row) }
    if skipped > 0 { return .skipped(skipped) }
    if let value = mismatched.first { return .mismatched(value) }
    if let reference = unresolved.first { return .unresolved(reference) }
    return unknown.keys.sorted().first.map { .unknown($0) }
  }
}
