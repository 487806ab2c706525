import SyncDatabase

/// Brings a database to the state of the last migration.
struct MigrationRun {
  private let connection: Connection
  private let all: [RecordMigration]

  init(_ connection: Connection, _ all: [RecordMigration]) {
    self.connection = connection
    self.all = all
  }

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

  /// The names of those that the database has seen, in the order in which they were done.
  static func applied(in connection: Connection) throws -> [String] {
    let isThere = try connection.row(
      "SELECT 1 AS one FROM sqlite_schema WHERE type = 'table' AND name = 'recordsync_migrations'"
    ) { try $0.integer("one") }
    guard isThere != nil else { return [] }
    return try connection.rows("SELECT name FROM recordsync_migrations ORDER BY position") {
      try $0.text("name")
    }
  }

  private func pending() throws -> [RecordMigration] {
    var known: Set<String> = []
    for migration in all where !known.insert(migration.name).inserted {
      throw StoreError.migrationsOfOneName(migration.name)
    }
    let applied = try Self.applied(in: connection)
    let unknown = applied.filter { !known.contains($0) }
    guard unknown.isEmpty else { throw StoreError.newerDatabase(migrations: unknown) }
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
          throw StoreError.migrationBreaksReferences(name: name, count: more)
        }
        try record(name)
      }
    } catch let error as DatabaseError where error.isOfStatement {
      throw StoreError.migrationFailed(name: name, reason: error.message)
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

  /// How many references lead to no row.
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
