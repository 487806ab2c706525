package import SyncDatabase

extension Connection {
  /// Throws where SQLite can't make anything of a condition over a table, or where it would do more
  /// than read, before anything else is done.
  package func check(_ condition: SQL, over table: SQL) throws {
    try explainingCondition(isThere: true) {
      try onlyReading {
        // The condition stands last, so that SQLite's words don't speak of what would follow it.
        try query("SELECT 1 FROM (SELECT 1 LIMIT 0), \(table) WHERE \(condition)") { _ in }
      }
    }
  }

  /// Runs statements in which a condition stands that a person wrote: what SQLite can't make
  /// anything of is theirs.
  func explainingCondition(isThere: Bool, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError
      where isThere && [.statement, .misuse].contains(error.code)
    {
      // SQLITE_AUTH, of which its words tell nobody what it is about.
      let isRefused = error.sqliteCode & 0xFF == 23
      throw RecordError.condition(isRefused ? "it would do more than read" : error.message)
    }
  }
}
