import SyncDatabase

/// Which rows references lead to. What was found once is remembered, since many rows refer to few.
struct References {
  private struct Place: Hashable {
    var table: Int
    var column: Int
  }

  private let schema: RecordSchema
  private var known: [Place: Set<StoredValue>] = [:]
  private var statements: [Place: SQL] = [:]
  /// Keeps what is remembered within a few megabytes.
  private static let most = 50_000

  init(_ schema: RecordSchema) {
    self.schema = schema
  }

  /// Forgets what was found: rows may be gone since.
  mutating func forget() { known.removeAll() }

  /// Whether a row holds this value in a column that others refer to.
  mutating func exists(
    _ value: StoredValue, _ table: Int, _ column: Int, in connection: Connection
  ) throws -> Bool {
    let place = Place(table: table, column: column)
    if known[place]?.contains(value) ?? false { return true }
    var isThere = false
    try connection.query(try statement(place), values: [value]) { _ in isThere = true }
    if isThere {
      if known[place, default: []].count >= Self.most { known[place] = [] }
      known[place, default: []].insert(value)
    }
    return isThere
  }

  private mutating func statement(_ place: Place) throws -> SQL {
    if let sql = statements[place] { return sql }
    let table = schema.tables[place.table]
    let (name, column) = (
      try Identifier.checked(table.name),
      try Identifier.checked(table.columns[place.column].name)
    )
    let sql: SQL = "SELECT 1 FROM \(name) WHERE \(column) = ? LIMIT 1"
    statements[place] = sql
    return sql
  }
}
