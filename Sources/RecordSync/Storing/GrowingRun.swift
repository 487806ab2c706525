import SyncDatabase
import SyncText

/// One sync that makes or grows tables first, on the connection's own thread.
struct GrowingRun {
  private let connection: Connection
  private let overrides: SchemaOverrides
  private let table: String
  private let options: RecordOptions

  init(
    _ connection: Connection, _ overrides: SchemaOverrides, table: String,
    _ options: RecordOptions
  ) {
    self.connection = connection
    self.overrides = overrides
    self.table = table
    self.options = options
  }

  /// The payload is looked at as a whole before the database is locked, and is read again then.
  func sync(_ payload: LoadedPayload, from source: RecordPayload) throws -> RecordReport {
    let before = try PresentTables(in: connection, overrides, creates: options.creates)
    let seen = try payload.look(for: table, in: before, options.scope, on: connection)
    return try RecordRun.sync(over: connection, options) {
      // Somebody else may have changed the tables meanwhile.
      let present = try PresentTables(in: connection, overrides, creates: options.creates)
      let doubt = try seen.require(for: table, in: present, options.scope, on: connection)
      var made = try make(for: seen, in: present)
      let schema = try SchemaReader.read(connection, overrides: present.overrides)
      let filling = ExtraFilling(connection, schema)
      made += try filling.fill(Self.tables(of: schema, reachedFrom: table))
      var run = try RecordRun(connection, schema, table: table, options)
      (run.isLookedAt, run.doubt) = (true, doubt)
      let now = try PresentTables(in: connection, overrides, creates: options.creates)
      let merged = try SchemaGrowth.merged(seen.shape, into: table, in: now)
      return PreparedRun(
        run: run, payload: try remembered(payload, from: source), made: made,
        remarks: merged.map { .merged(table: $0, key: $1.key, member: $1.member) })
    }
  }

  private func make(
    for seen: LookedAtPayload, in present: PresentTables
  ) throws -> [SchemaChange] {
    var present = present
    present.isExact = options.keepsDigits
    let isThere = present.schema.place(of: table) != nil
    guard isThere || present.unknown(in: table) != .freeze else {
      throw RecordError.table(table, .missing)
    }
    guard isThere || seen.shape.elements > 0 else {
      throw RecordError.table(table, .nothingToMakeItFrom)
    }
    let isTaken = present.names.contains(table.asciiLowercased)
    guard isThere || SafeNames.isTable(table) && !isTaken else {
      throw RecordError.table(table, .unusableName)
    }
    guard !seen.shape.objects[0].hasTooManyNames || present.unknown(in: table) != .evolve else {
      throw RecordError.table(table, .tooManyNames)
    }
    let maker = SchemaMaker(connection, present)
    do {
      let changes = try SchemaGrowth.changes(
        for: seen.shape, of: table, in: present, isWide: maker.isWide)
      try maker.make(changes)
      return changes
    } catch let problem as SchemaProblem {
      throw RecordError.schema(problem)
    } catch let problem as SchemaGrowth.WithoutKeys {
      throw PayloadProblem.withoutKeys(
        table: table, names: problem.names, elements: seen.shape.elements, first: seen.first)
    }
  }

  private static func tables(of schema: RecordSchema, reachedFrom table: String) -> [Int] {
    schema.place(of: table).map { schema.tablesReached(from: $0) } ?? []
  }

  /// What is remembered of a source holds for the tables as they are now.
  private func remembered(
    _ payload: LoadedPayload, from source: RecordPayload
  ) throws -> LoadedPayload {
    guard case .address(let address) = source.source,
      var fingerprint = SourceFingerprint(address, source.form, table, options)
    else { return payload }
    try fingerprint.add(overrides, connection)
    var payload = payload
    payload.fingerprint = fingerprint.text
    return payload
  }
}
