import SyncDatabase

extension Connection {
  /// A condition over a table that a person wrote, as a part of a statement of ours.
  ///
  /// It stands in brackets that it can't leave: `1) OR (1` would make a parent's rows all rows, and
  /// all others would be deleted. What SQLite takes for a condition both within our brackets and
  /// without them closes all that it opens, and nothing else.
  ///
  /// - Parameter values: For its parameters, each of which is a `?`.
  /// - Throws: ``RecordError/condition(_:)`` if the text is more than a condition, or less, if it
  ///   doesn't fit the table, or would do more than read.
  package func condition(
    _ text: String, values: [StoredValue?], over table: SQL
  ) throws -> SQL {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw RecordError.condition("there is nothing in it")
    }
    // SQLite would read no further.
    guard !text.utf8.contains(0) else {
      throw RecordError.condition("there is a character NUL in it")
    }
    let written = SQL(written: text, values: values)
    // The line end closes a comment that the condition may end with.
    let condition: SQL = "(\(written)\n)"
    try explainingCondition(isThere: true) {
      try onlyReading {
        for part in [written, condition] {
          // It stands last, so that SQLite's words don't speak of what would follow it.
          let probe: SQL = "SELECT 1 FROM (SELECT 1 LIMIT 0), \(table) WHERE \(part)"
          // By its number a parameter could mean the parent's key.
          guard try hasPlainParameters(probe) else {
            throw RecordError.condition("a value in it is marked by something else than a ? alone")
          }
          try query(probe) { _ in }
        }
      }
    }
    return condition
  }

  /// Runs statements with a condition that a person wrote: what SQLite can't make of it is theirs.
  func explainingCondition(isThere: Bool, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where isThere && error.isOfWrittenText {
      throw RecordError.condition(
        error.isRefusal ? "it would do more than read" : error.message)
    }
  }
}

extension DatabaseError {
  /// Whether a person's SQL is what is wrong.
  var isOfWrittenText: Bool { [.statement, .misuse].contains(code) }

  /// `SQLITE_AUTH`, of which SQLite's words tell nobody what it is about.
  var isRefusal: Bool { sqliteCode & 0xFF == 23 }
}
