import SyncDatabase

/// Which rows references lead to. What was found once is remembered, since many rows refer to few.
struct References {
  private struct Place: Hashable {
    var table: Int
    var column: Int
  }

  private let schema: RecordSchema
  private let search: RowSearch
  private var known: [Place: [StoredValue: StoredValue]] = [:]
  /// Keeps what is remembered within a few megabytes.
  private static let most = 50_000

  init(_ schema: RecordSchema, _ search: RowSearch) {
    self.schema = schema
    self.search = search
  }

  /// Forgets what was found: rows may be gone since.
  mutating func forget() { known.removeAll() }

  /// What a reference to a row by a value holds: the value, or the form of it in which the row has
  /// it; `nil` if there is no such row.
  mutating func held(
    _ value: StoredValue, _ table: Int, _ column: Int, in connection: Connection
  ) throws -> StoredValue? {
    let place = Place(table: table, column: column)
    if let held = known[place]?[value] { return held }
    guard let held = try find(value, place, in: connection) else { return nil }
    if known[place, default: [:]].count >= Self.most { known[place] = [:] }
    known[place, default: [:]][value] = held
    return held
  }

  private func find(
    _ value: StoredValue, _ place: Place, in connection: Connection
  ) throws -> StoredValue? {
    var isThere = false
    let sql = try search.existence(of: place.column, in: place.table)
    try connection.query(sql, values: [value]) { _ in isThere = true }
    if isThere { return value }
    let table = schema.tables[place.table]
    guard table.keyColumn == place.column, table.columns[place.column].type.hasForms
    else { return nil }
    return try search.rows(of: RecordKey([value]), in: place.table).first?.values[place.column]
  }
}
