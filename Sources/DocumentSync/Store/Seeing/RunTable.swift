import SyncDatabase

/// The last syncs.
struct RunTable {
  let session: StoreSession

  static let limit: Int64 = 50

  /// Keeps one, and forgets those before the last ones.
  ///
  /// - Parameter account: whose it was.
  func note(_ run: SyncRun, of account: String) throws {
    let connection = session.connection
    try connection.run(
      """
      INSERT INTO runs (began, ended, reason, counts, problem, account)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, run.began, run.ended, run.reason, run.counts.value.text, run.problem, account)
    let last = connection.lastInsertedRow
    try connection.run("DELETE FROM runs WHERE number <= ?1", last - Self.limit)
  }

  /// Keeps one that found nothing to do: in place of the last one, if that didn't either.
  func noteQuiet(_ run: SyncRun, of account: String) throws {
    guard let last = try runs(of: account, limit: 1).first, last.problem == nil,
      last.counts == run.counts
    else { return try note(run, of: account) }
    try session.connection.run(
      """
      UPDATE runs SET began = ?1, ended = ?2, reason = ?3
      WHERE number = (SELECT max(number) FROM runs WHERE account = ?4)
      """, run.began, run.ended, run.reason, account)
  }

  /// The last ones of an account, or of all for `nil`, the latest first.
  func runs(of account: String?, limit: Int) throws -> [SyncRun] {
    try session.connection.rows(
      """
      SELECT began, ended, reason, counts, problem FROM runs
      WHERE ?1 IS NULL OR account = ?1 ORDER BY number DESC LIMIT ?2
      """, account, limit
    ) { row in
      SyncRun(
        began: try row.integer("began"), ended: try row.integer("ended"),
        reason: try row.text("reason"), counts: SyncRun.Counts(try DocumentValue(row, "counts")),
        problem: try row.optionalText("problem"))
    }
  }
}

extension SyncDoor {
  /// A sync of an account has ended: it's remembered, and what is too old is forgotten.
  package func note(_ run: SyncRun, of account: String = "") throws {
    try RunTable(session: session).note(run, of: account)
    try StoreUpkeep(session: session).collect()
  }

  /// A sync of an account has ended that found nothing to do. Of several in a row the last one is
  /// remembered.
  package func noteQuiet(_ run: SyncRun, of account: String = "") throws {
    try RunTable(session: session).noteQuiet(run, of: account)
  }
}

extension StoreReader {
  /// The last syncs, the latest first; at most 50 are kept.
  package func runs(limit: Int = Int(RunTable.limit)) throws -> [SyncRun] {
    try RunTable(session: session).runs(of: session.owner?.account, limit: limit)
  }
}
