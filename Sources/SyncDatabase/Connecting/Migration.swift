/// One named step in the life of a database's schema.
///
/// Once released, a migration is never changed, renamed or taken out; changes are new ones, added
/// at the end.
package struct Migration: Sendable {
  package let name: String
  let change: @Sendable (Connection) throws -> Void

  /// A step with a name, which runs within a transaction of its own.
  package init(_ name: String, change: @escaping @Sendable (Connection) throws -> Void) {
    self.name = name
    self.change = change
  }
}

extension Connection {
  /// The names of the migrations that the file holds, in the order in which they were applied.
  package func appliedMigrations() throws -> [String] {
    guard try hasTable("migrations") else { return [] }
    return try rows("SELECT name FROM migrations ORDER BY position") { try $0.text("name") }
  }

  /// Those that the file lacks; throws `.newerVersion` if it holds others beyond ours. Changes
  /// nothing.
  func pendingMigrations(of all: [Migration]) throws -> [Migration] {
    let known = Set(all.map(\.name))
    guard known.count == all.count else {
      throw misuse("two migrations of one name")
    }
    let applied = try appliedMigrations()
    let unknown = applied.filter { !known.contains($0) }
    // A newer version has ours too, first and in our order. Anything else isn't what we wrote.
    guard unknown.isEmpty || applied.starts(with: all.map(\.name)) else {
      throw DatabaseError(code: .damaged, message: "migrations that make no sense", path: path)
    }
    guard unknown.isEmpty else {
      throw DatabaseError(
        code: .newerVersion(unknown), message: "unknown migrations", path: path)
    }
    return all.filter { !applied.contains($0.name) }
  }

  func apply(_ migration: Migration) throws {
    try transaction {
      try execute(
        """
        CREATE TABLE IF NOT EXISTS migrations (
          position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
        ) STRICT
        """)
      // Somebody else may have opened the file at the same time, and been faster.
      guard try !appliedMigrations().contains(migration.name) else { return }
      try migration.change(self)
      try run("INSERT INTO migrations (name) VALUES (?1)", migration.name)
    }
  }
}
