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
  /// What it is recorded by; unique.
  public let name: String
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
