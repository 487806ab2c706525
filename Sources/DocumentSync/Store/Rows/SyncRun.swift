import SyncDatabase
public import SyncEssentials

/// One sync, as it's remembered.
public struct SyncRun: Sendable, Hashable {
  /// When it began.
  public var began: Date
  /// When it ended.
  public var ended: Date
  /// What it was made for: at launch, after an edit, by hand.
  public var reason: String
  /// How many documents there were of what, where there were any: `sent` and `received` changes,
  /// `conflicts`, `failures`, and changes that gave way (`lost`).
  public var counts: [String: Int] = [:]
  /// Why it failed; `nil` if it didn't.
  public var problem: String?
}

extension StoreReader {
  package static let mostRuns = 50

  /// The last syncs, the latest first.
  package func runs(limit: Int = mostRuns) throws -> [SyncRun] {
    try runs(of: session.owner?.account, limit: limit)
  }

  /// The last ones of an account, or of all for `nil`, the latest first.
  fileprivate func runs(of account: String?, limit: Int) throws -> [SyncRun] {
    try session.connection.rows(
      """
      SELECT began, ended, reason, counts, problem FROM runs
      WHERE ?1 IS NULL OR account = ?1 ORDER BY number DESC LIMIT ?2
      """, account, limit
    ) { row in
      SyncRun(
        began: Date(milliseconds: try row.integer("began")),
        ended: Date(milliseconds: try row.integer("ended")),
        reason: try row.text("reason"), counts: try DocumentValue(row, "counts").decode(),
        problem: try row.optionalText("problem"))
    }
  }
}

extension StoreEditor {
  /// A sync of an account has ended: it's remembered, and what is too old is forgotten.
  package func note(_ run: SyncRun, of account: String = "") throws {
    try keep(run, of: account)
    try collect()
  }

  /// A sync of an account has ended that found nothing to do. Of several in a row the last one is
  /// remembered.
  package func noteQuiet(_ run: SyncRun, of account: String = "") throws {
    guard let last = try reader.runs(of: account, limit: 1).first, last.problem == nil,
      last.counts == run.counts
    else { return try keep(run, of: account) }
    try session.connection.run(
      """
      UPDATE runs SET began = ?1, ended = ?2, reason = ?3
      WHERE number = (SELECT max(number) FROM runs WHERE account = ?4)
      """, run.began.milliseconds, run.ended.milliseconds, run.reason, account)
  }

  private func keep(_ run: SyncRun, of account: String) throws {
    let connection = session.connection
    try connection.run(
      """
      INSERT INTO runs (began, ended, reason, counts, problem, account)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, run.began.milliseconds, run.ended.milliseconds, run.reason,
      try DocumentValue.encode(run.counts).text, run.problem,
      account)
    let last = connection.lastInsertedRow
    try connection.run("DELETE FROM runs WHERE number <= ?1", last - Int64(StoreReader.mostRuns))
  }

  // MARK: - What is too old to be of use

  /// How long the life of a document is told that is gone: 30 days, in milliseconds.
  static let spanOfGone: Int64 = 30 * 86_400_000
  /// How often it's looked for such: once a day.
  private static let pause: Int64 = 86_400_000

  private static let isDue: SQL = """
    SELECT EXISTS (SELECT 1 FROM lost WHERE at < ?1)
      OR EXISTS (SELECT 1 FROM store WHERE tidied NOT BETWEEN ?2 AND ?3) AS due
    """

  /// Takes it away, within a transaction that writes something anyhow.
  private func collect() throws {
    try forgetOldLosses()
    let last = try session.connection.row("SELECT tidied FROM store") { try $0.integer("tidied") }
    let (next, now) = ((last ?? 0) + Self.pause, session.now)
    guard now > next || now < (last ?? 0) else { return }
    try TraceTable(session: session).forgetGone(before: now - Self.spanOfGone)
    try session.connection.run("UPDATE store SET tidied = ?1", now)
  }

  /// Takes it away in a transaction of its own, if there may be something.
  ///
  /// Where that can't be done just now (somebody else writes, the disk is full), another time will
  /// do: nobody reads what is too old.
  static func tidy(_ connection: Connection, now: Int64) {
    do {
      let isDue = try connection.row(
        Self.isDue, now - StoreReader.spanOfLost, now - pause, now
      ) { try $0.flag("due") }
      guard isDue ?? false else { return }
      try connection.transaction {
        let session = try StoreSession(writing: connection, now: now)
        try StoreEditor(session).collect()
        try session.finish()
      }
    } catch {
      // What is wrong with the file, the next one who wants something of it is told.
    }
  }
}
