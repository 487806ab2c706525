import SyncDatabase
private import SyncText

/// One sync, as it's remembered.
public struct SyncRun: Sendable, Hashable {
  /// How many documents there were of what.
  public struct Counts: Sendable, Hashable {
    /// Changes that the server took.
    public var sent = 0
    /// Changes that came from the server.
    public var received = 0
    /// Documents that both sides had changed.
    public var conflicts = 0
    /// Documents that couldn't be sent or stored.
    public var failures = 0
    /// Changes that gave way.
    public var lost = 0

    /// None of anything.
    package init() {}
  }

  /// When it began, in milliseconds since 1970.
  public var began: Int64
  /// When it ended, likewise.
  public var ended: Int64
  /// What it was made for: at launch, after an edit, by hand.
  public var reason: String
  /// How many there were of what.
  public var counts: Counts
  /// Why it failed; `nil` if it didn't.
  public var problem: String?

  /// A sync.
  package init(
    began: Int64, ended: Int64, reason: String, counts: Counts = Counts(), problem: String? = nil
  ) {
    (self.began, self.ended, self.reason) = (began, ended, reason)
    (self.counts, self.problem) = (counts, problem)
  }
}

extension SyncRun.Counts {
  private static let names: [(String, any WritableKeyPath<SyncRun.Counts, Int> & Sendable)] = [
    ("sent", \.sent), ("received", \.received), ("conflicts", \.conflicts),
    ("failures", \.failures), ("lost", \.lost),
  ]

  /// The counts as an object; what there was none of is left out.
  var value: DocumentValue {
    let members = Self.names.filter { self[keyPath: $0.1] != 0 }
    return DocumentValue(
      joining: members.map {
        ObjectMember(name: .init($0.0), value: DocumentValue(self[keyPath: $0.1]))
      })
  }

  /// What ``value`` gave.
  init(_ value: DocumentValue) {
    for (name, path) in Self.names {
      self[keyPath: path] = Int(clamping: value[name]?.integer ?? 0)
    }
  }
}

extension StoreReader {
  /// So many syncs are remembered.
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
        began: try row.integer("began"), ended: try row.integer("ended"),
        reason: try row.text("reason"), counts: SyncRun.Counts(try DocumentValue(row, "counts")),
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
      """, run.began, run.ended, run.reason, account)
  }

  private func keep(_ run: SyncRun, of account: String) throws {
    let connection = session.connection
    try connection.run(
      """
      INSERT INTO runs (began, ended, reason, counts, problem, account)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, run.began, run.ended, run.reason, run.counts.value.text, run.problem, account)
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
