import SyncDatabase

/// A SQLite database whose tables are kept equal to JSON.
///
/// ```swift
/// let store = try await RecordStore(path: "app.sqlite")
/// let report = try await store.sync(.text(json), into: "users")
/// ```
///
/// The schema is the database's own: tables, keys and relations are read from it, and nothing is
/// added unless ``RecordOptions/creates`` asks for it. One sync runs at a time; each is one
/// transaction, so that whoever reads sees the state before it or after it.
public final class RecordStore: Sendable {
  let database: Database
  let location: StoreLocation
  let options: StoreOptions
  let teller = ChangeTeller()

  var overrides: SchemaOverrides { options.overrides }

  /// Opens a database that exists.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - overrides: What the tables' declarations don't tell.
  public convenience init(
    path: String, overrides: SchemaOverrides = SchemaOverrides()
  ) async throws {
    try await self.init(.file(path), options: StoreOptions(overrides: overrides))
  }

  /// Opens a database, or makes it, and brings it to the state of the last migration.
  ///
  /// A file that can't be written can be read, and what a sync would do be planned.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - options: How it is opened.
  /// - Throws: ``RecordError/opening(_:)``; what SQLite says of the file.
  public convenience init(
    _ location: StoreLocation, options: StoreOptions = StoreOptions()
  ) async throws {
    let opening = StoreOpening(location: location, options: options)
    let database = try await Database.open(path: location.name) { try opening.connection() }
    try await self.init(database, location, options)
  }

  init(_ database: Database, _ location: StoreLocation, _ options: StoreOptions) async throws {
    (self.database, self.location, self.options) = (database, location, options)
    let teller = teller
    try await database.withConnection { try teller.look(at: $0) }
  }

  /// What was understood of the database, as it is now.
  public func schema() async throws -> RecordSchema {
    try await withSchema { $1 }
  }

  /// Makes a table, and what hangs on it, equal to a payload: one transaction, or nothing.
  ///
  /// With ``RecordOptions/creates``, and in tables whose overrides say so, what the payload has and
  /// no table takes gets a place first, in the same transaction: objects with a key that are the
  /// same wherever they stand become rows of a table that others may name, other arrays of objects
  /// rows of a table of their own, everything else columns, of the narrowest type that holds all
  /// values of the whole payload. A column that can't hold what comes gets another type; where
  /// something else hangs on it, a column `extra` beside it keeps that. Nothing is dropped.
  /// ``RecordReport/made`` tells what was done, and what from.
  ///
  /// - Parameters:
  ///   - payload: The objects.
  ///   - table: The table's name.
  ///   - options: What may be done, and to which rows.
  public func sync(
    _ payload: RecordPayload, into table: String, options: RecordOptions = RecordOptions()
  ) async throws -> RecordReport {
    if options.isPlan, let copy = try await copyForPlan() {
      return try await Self.takingRoom {
        try await copy.sync(payload, into: table, options: options)
      }
    }
    let payload = try await askingForNew(payload, for: table, options)
    if options.creates || overrides.growsTables {
      return try await grow(for: payload, into: table, options)
    }
    guard let loaded = try await load(payload, for: table, options) else {
      return .unchanged(undoable: options.recordsUndo)
    }
    return try await write(over: table, options) { try $0.sync(loaded) }
  }

  /// Lends a run over a table, on the connection's own thread; what it does is told as a change.
  func write(
    over table: String, _ options: RecordOptions,
    _ body: @Sendable (RecordRun) throws -> RecordReport
  ) async throws -> RecordReport {
    try await writing { connection, schema in
      try body(RecordRun(connection, schema, table: table, options))
    }
  }

  /// Lends a run over a table that isn't to write, on the connection's own thread.
  func withRun<Result: Sendable>(
    over table: String, _ options: RecordOptions,
    _ body: @Sendable (RecordRun) throws -> Result
  ) async throws -> Result {
    try await withSchema { try body(RecordRun($0, $1, table: table, options)) }
  }

  /// Lends the connection, on its own thread, with what is understood of the database.
  func withSchema<Result: Sendable>(
    _ body: @Sendable (Connection, RecordSchema) throws -> Result
  ) async throws -> Result {
    let overrides = overrides
    return try await database.withConnection { connection in
      try body(connection, SchemaReader.read(connection, overrides: overrides))
    }
  }

  /// Fetches what a sync of a table needs; `nil` where nothing has changed there nor here.
  func load(
    _ payload: RecordPayload, for table: String, _ options: RecordOptions
  ) async throws -> LoadedPayload? {
    var fingerprint: SourceFingerprint?
    if case .address(let address) = payload.source {
      fingerprint = SourceFingerprint(address, payload, table, options)
    }
    guard let fingerprint else {
      return try await payload.load(options.onProgress, deletes: options.operations.deletes)
    }
    let overrides = overrides
    // A condition may speak of a column that this payload brings. What is remembered needs none.
    var remembered = options
    remembered.scope?.condition = nil
    let (text, known) = try await withRun(over: table, remembered) { run in
      var fingerprint = fingerprint
      try fingerprint.add(overrides, run.connection)
      return (fingerprint.text, try run.validators(of: fingerprint.text))
    }
    var loaded = try await payload.load(
      options.onProgress, deletes: options.operations.deletes, unless: known)
    loaded?.fingerprint = text
    return loaded
  }

  func grow(
    for payload: RecordPayload, into table: String, _ options: RecordOptions
  ) async throws -> RecordReport {
    guard let loaded = try await loadToGrow(payload, for: table, options) else {
      return .unchanged(undoable: options.recordsUndo)
    }
    let (overrides, teller) = (overrides, teller)
    return try await database.withConnection { connection in
      try teller.look(at: connection)
      let growth = GrowingRun(
        connection: connection, overrides: overrides, table: table, options: options)
      let report = try growth.sync(loaded, from: payload)
      teller.tell(of: report)
      return report
    }
  }

  /// As ``load(_:for:_:)``. A table that isn't there yet was never synced before.
  private func loadToGrow(
    _ payload: RecordPayload, for table: String, _ options: RecordOptions
  ) async throws -> LoadedPayload? {
    let overrides = overrides
    let isThere = try await database.withConnection { connection in
      let present = try PresentTables(in: connection, overrides, creates: options.creates)
      let isWhole = overrides.fitting(present.declared) == overrides
      return present.schema.place(of: table) != nil && isWhole
    }
    guard isThere else {
      guard options.creates else { throw RecordError.table(table, .missing) }
      return try await payload.load(options.onProgress, deletes: options.operations.deletes)
    }
    return try await load(payload, for: table, options)
  }
}
