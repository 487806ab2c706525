import SyncDatabase
import SyncEngine
import SyncText

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
  /// - Throws: ``StoreError``, or an error whose sentence tells what SQLite says of the file.
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
    let overrides = overrides
    return try await database.withConnection { try Self.schema(of: $0, overrides) }
  }

  /// Makes a table, and what hangs on it, equal to a payload: one transaction, or nothing.
  ///
  /// With ``RecordOptions/creates``, and in tables whose overrides say so, what the payload has and
  /// no table takes gets a place first, in the same transaction: objects with a key become rows of
  /// a table of their own, linked to those under which they stand, everything else columns, of the
  /// narrowest type that holds all values of the whole payload. A column that can't hold what comes
  /// is widened. Nothing is dropped. ``RecordReport/made`` tells what was done, and what from.
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
    let overrides = overrides
    return try await database.withConnection { connection in
      let schema = try Self.schema(of: connection, overrides)
      return try body(RecordRun(connection, schema, table: table, options))
    }
  }

  static func schema(
    of connection: Connection, _ overrides: SchemaOverrides
  ) throws -> RecordSchema {
    try SchemaReader.read(connection, overrides: overrides)
  }
}
