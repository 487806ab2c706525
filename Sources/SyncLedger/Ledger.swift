package import SyncDatabase

/// What a processor remembers from run to run, in tables of its own database: the last runs, what
/// failed, what validates the listing, how far each source was read, and named values.
///
/// A ledger is a view of a connection and holds nothing itself. Whoever has another type over the
/// same connection lets it conform to ``LedgerReading`` or ``LedgerWriting`` instead.
///
/// ```swift
/// let database = try await Database.open(path: path, migrations: Ledger.migrations + ours)
/// try await database.transaction { connection in
///   let ledger = Ledger(connection)
///   try ledger.recordRun(run)
///   try ledger.setValue("42", for: ValueName("revision"))
/// }
/// ```
///
/// Errors are `DatabaseError`s. Content that was changed behind our back is `.damaged` or
/// `.wrongType`, never another value.
package struct Ledger: LedgerWriting {
  /// The connection whose database it reads and writes.
  package let connection: Connection

  /// The ledger in the database of a connection, which has gone through ``migrations``.
  package init(_ connection: Connection) {
    self.connection = connection
  }
}

package protocol LedgerReading {
  /// The connection whose database is read.
  var connection: Connection { get }
}

extension LedgerReading {
  /// Reads all that a ledger keeps, but for the validators, which are read when they are sent. A
  /// run that does so first finds the damage that others would find later.
  /// - Throws: `.damaged` or `.wrongType` where one of them would.
  package func checkLedger() throws {
    try checkValues()
    _ = try failureCount()
    _ = try failures()
    _ = try recentRuns(limit: .max)
  }
}

/// What can be written to a ledger, too: within a transaction of the caller's, so that what belongs
/// together is recorded together.
package protocol LedgerWriting: LedgerReading {}
