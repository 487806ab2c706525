import SyncDatabase

/// Takes away what is too old to be of use.
struct StoreUpkeep {
  let session: StoreSession

  /// How long the life of a document is told that is gone: 30 days, in milliseconds.
  static let spanOfGone: Int64 = 30 * 86_400_000
  /// How often it's looked for such: once a day.
  private static let pause: Int64 = 86_400_000

  private static let isDue: SQL = """
    SELECT EXISTS (SELECT 1 FROM lost WHERE at < ?1)
      OR EXISTS (SELECT 1 FROM store WHERE tidied NOT BETWEEN ?2 AND ?3) AS due
    """

  /// Takes it away, within a transaction that writes something anyhow.
  func collect() throws {
    try LostTable(session: session).forgetOld()
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
        Self.isDue, now - LostTable.span, now - pause, now
      ) { try $0.flag("due") }
      guard isDue ?? false else { return }
      try connection.transaction {
        let session = try StoreSession(writing: connection, now: now)
        try StoreUpkeep(session: session).collect()
        try session.finish()
      }
    } catch {
      // What is wrong with the file, the next one who wants something of it is told.
    }
  }
}
