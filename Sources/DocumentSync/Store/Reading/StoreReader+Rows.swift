package import SyncDatabase

extension StoreReader {
  /// Runs a statement that the person wrote whose store this is, and hands its rows to `body`.
  package func withRows(
    _ sql: String, _ values: [(any DatabaseValue)?] = [],
    _ body: (borrowing Row) throws -> Void
  ) throws {
    guard !sql.utf8.contains(0) else { throw DocumentProblem.statement("a NUL in the text") }
    let statement = SQL(written: sql, values: values.map { $0?.storedValue })
    let connection = session.connection
    let views = session.owner == nil ? nil : StoreSchema.ownViews
    if views?.isPast(sql) ?? false {
      throw DocumentProblem.statement("a name that is the store's own")
    }
    // The view uses functions for JSON, which SQLite lets no schema use that isn't trusted. Ours
    // was looked at letter by letter when the store was opened.
    try connection.execute("PRAGMA trusted_schema = ON")
    do {
      defer { try? connection.execute("PRAGMA trusted_schema = OFF") }
      try session.showingOwnViews {
        try connection.onlyReading(views) { try connection.query(statement, each: body) }
      }
    } catch let error as DatabaseError {
      switch error.code {
      case .statement, .misuse, .wrongType: throw DocumentProblem.statement(error.message)
      case .damaged, .newerVersion, .busy, .withoutLocks, .full, .readOnly, .cannotOpen,
        .constraint, .inputOutput, .other:
        throw error
      }
    }
  }
}

extension StoreSession {
  /// Runs `body`, in which the views are those of who sees and edits.
  fileprivate func showingOwnViews(_ body: () throws -> Void) throws {
    guard let owner else { return try body() }
    try StoreSchema.showViews(of: owner, in: connection)
    defer { try? StoreSchema.hideViews(in: connection) }
    try body()
  }
}

extension StoreReader {
  package func values(
    ofRows sql: String, _ values: [DocumentValue]
  ) throws -> [[String: DocumentValue]] {
    var rows: [[String: DocumentValue]] = []
    try withRows(sql, values.map(\.storedValue)) { row in
      var found: [String: DocumentValue] = [:]
      for (place, name) in row.columnNames.enumerated() {
        switch try row.value(Column(at: place)) {
        case .integer(let integer): found[name] = DocumentValue(integer)
        case .real(let double): found[name] = DocumentValue(double) ?? .null
        case .text(let text): found[name] = DocumentValue(text)
        case .blob: break
        case nil: found[name] = .null
        }
      }
      rows.append(found)
    }
    return rows
  }
}

extension DocumentValue {
  /// The value as SQLite has it; arrays and objects as their text.
  fileprivate var storedValue: StoredValue? {
    if isNull { return nil }
    if let string { return .text(string) }
    if let bool { return .integer(bool ? 1 : 0) }
    if let integer { return .integer(integer) }
    if let double { return .real(double) }
    return .text(text)
  }
}
