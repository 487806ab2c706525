package import OneWaySynchronizer
private import SyncDatabase

/// One run, as `status` tells of it.
package struct RunRecord: Equatable, Sendable {
  /// When it began, in nanoseconds since 1970.
  package var startedNanoseconds: Int64
  /// When it ended, in nanoseconds since 1970.
  package var endedNanoseconds: Int64
  /// How it ended.
  package var outcome: Outcome
  /// What was done, in numbers of items.
  package var counts = PassCounts()
  /// How many bytes were transferred.
  package var bytes: Int64 = 0
  /// The catalog's address, without user-info or other secrets.
  package var catalog: String
  /// What went wrong, for people; `nil` when nothing did.
  package var error: String?

  /// How a run ended. The raw values are stored, and never change.
  package enum Outcome: String, Sendable, CaseIterable {
    /// Everything was done.
    case succeeded
    /// Some items failed, the others are done.
    case someFailed
    /// A stage failed.
    case failed
    /// Too much would have been removed.
    case removalRefused
    /// It was cancelled.
    case cancelled
  }

  /// A run in which nothing was done.
  package init(
    startedNanoseconds: Int64, endedNanoseconds: Int64, outcome: Outcome, catalog: String
  ) {
    self.startedNanoseconds = startedNanoseconds
    self.endedNanoseconds = endedNanoseconds
    self.outcome = outcome
    self.catalog = catalog
  }
}

extension IndexAccess {
  /// The last runs, newest first.
  package func recentRuns(limit: Int) throws -> [RunRecord] {
    try connection.rows(
      """
      SELECT started, ended, outcome, catalog, listed, removed, updated, downloaded, skipped,
        failed, bytes, error
      FROM runs ORDER BY id DESC LIMIT ?1
      """, max(limit, 0)
    ) { try run(in: $0) }
  }

  private func run(in row: borrowing Row) throws -> RunRecord {
    guard let outcome = RunRecord.Outcome(rawValue: try row.text(2)) else {
      throw row.wrongType(2, "not an outcome")
    }
    var run = RunRecord(
      startedNanoseconds: try row.integer(0), endedNanoseconds: try row.integer(1),
      outcome: outcome, catalog: try row.text(3))
    run.counts.listed = Int(try row.integer(4))
    run.counts.removed = Int(try row.integer(5))
    run.counts.updated = Int(try row.integer(6))
    run.counts.downloaded = Int(try row.integer(7))
    run.counts.skipped = Int(try row.integer(8))
    run.counts.failed = Int(try row.integer(9))
    run.bytes = try row.integer(10)
    run.error = try row.optionalText(11)
    return run
  }
}

extension IndexWriter {
  /// Records a run that has ended. The last 1,000 are kept.
  package func recordRun(_ run: RunRecord) throws {
    let counts = run.counts
    try connection.run(
      """
      INSERT INTO runs (
        started, ended, outcome, catalog, listed, removed, updated, downloaded, skipped, failed,
        bytes, error)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      """,
      run.startedNanoseconds, run.endedNanoseconds, run.outcome.rawValue, run.catalog,
      counts.listed, counts.removed, counts.updated, counts.downloaded, counts.skipped,
      counts.failed, run.bytes, run.error)
    try connection.run("DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - 1000")
  }
}
