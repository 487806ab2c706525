private import SyncDatabase

extension LedgerReading {
  /// The last runs, newest first.
  package func recentRuns(limit: Int) throws -> [RunRecord] {
    try connection.rows("SELECT * FROM runs ORDER BY id DESC LIMIT ?1", max(limit, 0)) { row in
      guard let ending = RunEnding(rawValue: try row.text("outcome")) else {
        throw row.wrongType("outcome", "not an outcome")
      }
      let (started, ended) = (try row.integer("started"), try row.integer("ended"))
      guard !ended.subtractingReportingOverflow(started).overflow else {
        throw row.wrongType("ended", "centuries from when it started")
      }
      var run = RunRecord(
        startedNanoseconds: started, endedNanoseconds: ended, ending: ending,
        catalog: try row.text("catalog"))
      run.counts.listed = Int(try row.amount("listed"))
      run.counts.removed = Int(try row.amount("removed"))
      run.counts.updated = Int(try row.amount("updated"))
      run.counts.downloaded = Int(try row.amount("downloaded"))
      run.counts.skipped = Int(try row.amount("skipped"))
      run.counts.failed = Int(try row.amount("failed"))
      run.bytes = try row.amount("bytes")
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

extension Row {
  /// A whole number that isn't negative: a row of runs bears no checksum, and people reckon with
  /// what it says.
  fileprivate func amount(_ column: Column) throws -> Int64 {
    let amount = try integer(column)
    guard amount >= 0 else { throw wrongType(column, "a negative amount") }
    return amount
  }
}
