private import SyncDatabase

extension LedgerReading {
  /// The last runs, newest first.
  package func recentRuns(limit: Int) throws -> [RunRecord] {
    try connection.rows("SELECT * FROM runs ORDER BY id DESC LIMIT ?1", max(limit, 0)) { row in
      guard let ending = RunEnding(rawValue: try row.text("outcome")) else {
        throw row.wrongType("outcome", "not an outcome")
      }
      var run = RunRecord(
        startedNanoseconds: try row.integer("started"), endedNanoseconds: try row.integer("ended"),
        ending: ending, catalog: try row.text("catalog"))
      run.counts.listed = Int(try row.integer("listed"))
      run.counts.removed = Int(try row.integer("removed"))
      run.counts.updated = Int(try row.integer("updated"))
      run.counts.downloaded = Int(try row.integer("downloaded"))
      run.counts.skipped = Int(try row.integer("skipped"))
      run.counts.failed = Int(try row.integer("failed"))
      run.bytes = try row.integer("bytes")
      run.error = try row.optionalText("error")
      return run
    }
  }
}

extension LedgerWriting {
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
      run.startedNanoseconds, run.endedNanoseconds, run.ending.rawValue, run.catalog,
      counts.listed, counts.removed, counts.updated, counts.downloaded, counts.skipped,
      counts.failed, run.bytes, run.error)
    try connection.run("DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - 1000")
  }
}
