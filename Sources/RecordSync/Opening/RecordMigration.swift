import SyncDatabase

/// One named step in the life of a database's schema, done once in each database.
///
/// ```swift
/// let options = StoreOptions(migrations: [
///   RecordMigration("users", "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)"),
///   RecordMigration("ages", "ALTER TABLE users ADD COLUMN age INTEGER"),
/// ])
/// let store = try await RecordStore(.file("app.sqlite", ifMissing: .make), options: options)
/// ```
///
/// Each runs in a transaction of its own; one that fails leaves the database as it was before it,
/// with those before it done. Foreign keys are off meanwhile, so that a table may be made anew
/// under its rows' references, and are looked at afterwards: a migration that breaks more of them
/// than were broken fails. Which were done stands in a table of ours, `recordsync_migrations`.
///
/// Once released, a migration is never changed, renamed or taken out; changes are new ones, at the
/// end.
public struct RecordMigration: Sendable {
  let name: String
  let change: @Sendable (MigrationStep) throws -> Void

  /// A step of SQL: any number of statements. Never put together from what came from elsewhere.
  public init(_ name: String, _ statements: String) {
    self.init(name) { try $0.execute(statements) }
  }

  /// A step in Swift. An error that it throws takes the step back.
  public init(_ name: String, change: @escaping @Sendable (MigrationStep) throws -> Void) {
    self.name = name
    self.change = change
  }
}

/// What a migration may do with the database, as long as it runs. Statements that begin or end a
/// transaction are errors.
public struct MigrationStep {
  let connection: Connection

  /// Runs any number of statements. Never put a text together from what came from elsewhere.
  public func execute(_ statements: String) throws {
    try connection.execute(written: statements)
  }

  /// Runs one statement with values for its `?`.
  ///
  /// - Returns: How many rows it inserted, changed or deleted.
  @discardableResult
  public func run(_ statement: String, _ values: [RecordValue] = []) throws -> Int {
    try connection.run(SQL(written: statement, values: []), values: values.map(\.stored))
  }

  /// The rows of a query, each with its values in the order of the result's columns.
  public func rows(_ query: String, _ values: [RecordValue] = []) throws -> [[RecordValue]] {
    var rows: [[RecordValue]] = []
    try connection.query(
      SQL(written: query, values: []), values: values.map(\.stored)
    ) { row in
      rows.append(try (0..<row.columnCount).map { RecordValue(try row.value(Column(at: $0))) })
    }
    return rows
  }
}

struct MigrationRun {
  let connection: Connection
  let all: [RecordMigration]

  /// Does those that the database hasn't seen, in order. One that has seen others is refused before
  /// anything is done; but who names none takes the tables as they are.
  func perform() throws {
    guard !all.isEmpty else { return }
    let pending = try self.pending()
    guard !pending.isEmpty else { return }
    // A table that is made anew is dropped first, and its rows' children would go with it. The
    // setting has no effect within a transaction.
    try connection.execute("PRAGMA foreign_keys = OFF")
    for migration in pending { try apply(migration) }
  }

  static func applied(in connection: Connection) throws -> [String] {
    guard try connection.hasTable("recordsync_migrations") else { return [] }
    return try connection.rows("SELECT name FROM recordsync_migrations ORDER BY position") {
      try $0.text("name")
    }
  }

  private func pending() throws -> [RecordMigration] {
    var known: Set<String> = []
    for migration in all where !known.insert(migration.name).inserted {
      throw RecordError.opening(.migrationsOfOneName(migration.name))
    }
    let applied = try Self.applied(in: connection)
    let unknown = applied.filter { !known.contains($0) }
    guard unknown.isEmpty else { throw RecordError.opening(.newerDatabase(migrations: unknown)) }
    return all.filter { !applied.contains($0.name) }
  }

  private func apply(_ migration: RecordMigration) throws {
    let name = migration.name
    do {
      try connection.transaction {
        // Somebody else may have opened the file at the same time, and been faster.
        guard try !Self.applied(in: connection).contains(name) else { return }
        // Where a foreign key itself can't be, SQLite counts none.
        let broken = try? brokenReferences()
        try connection.withoutTransactions {
          try migration.change(MigrationStep(connection: connection))
        }
        if let broken, case let more = try brokenReferences() - broken, more > 0 {
          throw RecordError.opening(.migrationBreaksReferences(name: name, count: more))
        }
        try record(name)
      }
    } catch let error as DatabaseError where error.isOfStatement {
      throw RecordError.opening(.migrationFailed(name: name, reason: error.message))
    }
  }

  private func record(_ name: String) throws {
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS recordsync_migrations (
        position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
      )
      """)
    try connection.run("INSERT INTO recordsync_migrations (name) VALUES (?1)", name)
  }

  private func brokenReferences() throws -> Int {
    var count = 0
    try connection.query("PRAGMA foreign_key_check", values: []) { _ in count += 1 }
    return count
  }
}

extension DatabaseError {
  /// Whether it tells of what was to be done, and not of the file.
  fileprivate var isOfStatement: Bool {
    switch code {
    case .constraint, .statement, .misuse, .wrongType: true
    // A statement that may not be compiled (sqlite.org, SQLITE_AUTH).
    case .cannotOpen: sqliteCode & 0xFF == 23
    case .damaged, .newerVersion, .busy, .withoutLocks, .full, .readOnly, .inputOutput, .other:
      false
    }
  }
}
