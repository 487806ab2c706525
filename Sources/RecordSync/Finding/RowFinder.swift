import SyncDatabase
import SyncText

/// Finds the rows of one pass's tables: by keys, by their columns, and where references lead.
final class RowFinder {
  let connection: Connection
  let schema: RecordSchema
  let tables: [TableAccess]
  let search: RowSearch
  var references: References
  /// What rows are marked with that are gone, once one is.
  private var moment: Timestamp?

  init(_ connection: Connection, _ schema: RecordSchema, operations: Operations) throws {
    self.connection = connection
    self.schema = schema
    let conflicting = try connection.tablesWithConflictClauses()
    tables = try schema.tables.map { table in
      let access = try TableAccess(table)
      if conflicting.contains(table.name) { access.refuseConflicts() }
      return access
    }
    search = RowSearch(connection, schema, tables, findsOddForms: operations.deletes)
    references = References(schema: schema, search: search)
  }

  /// The first row with a value in a column; one that is marked as gone only if all are.
  func row(where column: Int, is value: StoredValue, in table: Int) throws -> FoundRow? {
    let rows = try search.rows(where: column, is: value, in: table)
    return rows.first { schema.tables[table].isLive($0) } ?? rows.first
  }

  func row(at address: [StoredValue], in table: Int) throws -> FoundRow? {
    try tables[table].row(tables[table].findByAddress, address, connection)
  }

  /// What a row of a table is marked with that is gone: one moment in all of the pass.
  func mark(in table: Int) throws -> StoredValue? {
    guard let column = schema.tables[table].mark else { return nil }
    let now = try moment ?? connection.now()
    moment = now
    return schema.tables[table].columns[column].type.stored(now)
  }

  /// A column that the database itself has filled.
  func reread(_ found: FoundRow, _ table: Int, _ column: Int) throws -> StoredValue? {
    try row(at: found.address, in: table)?.values[column]
  }

  /// What a reference to a row by a value holds; `nil` if there is no such row.
  func held(_ value: StoredValue, _ table: Int, _ column: Int) throws -> StoredValue? {
    try references.held(value, table, column, in: connection)
  }

  /// Does something that is taken back when it throws, or when what it gives isn't to be kept.
  func attempt<Result>(
    keeping isKept: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
  ) throws -> Result {
    let known = search.known
    do {
      let result = try connection.savepoint(keeping: isKept, body)
      if !isKept(result) { search.known = known }
      return result
    } catch {
      search.known = known
      throw error
    }
  }
}

/// Which rows references lead to. What was found once is remembered, since many rows refer to few.
struct References {
  struct Place: Hashable {
    var table: Int
    var column: Int
  }

  let schema: RecordSchema
  let search: RowSearch
  private(set) var known: [Place: [StoredValue: StoredValue]] = [:]
  /// Keeps what is remembered within a few megabytes.
  private static let most = 50_000

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

extension Connection {
  /// The time by the system's clock.
  func now() throws -> Timestamp {
    let text = try row("SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AS now") {
      try $0.text("now")
    }
    guard let now = text.flatMap({ Timestamp($0) }) else {
      throw DatabaseError(code: .misuse, message: "the time can't be told", path: path)
    }
    return now
  }

  /// The tables whose declaration says what becomes of a row that conflicts with others, such as
  /// `UNIQUE ON CONFLICT REPLACE`. Those with triggers are left out: what stands in these would be
  /// overridden as well.
  func tablesWithConflictClauses() throws -> Set<String> {
    let names = try rows(
      """
      SELECT name FROM main.sqlite_schema
      WHERE type = 'table' AND sql LIKE '%ON%CONFLICT%'
        AND lower(name) NOT IN (
          SELECT lower(tbl_name) FROM main.sqlite_schema WHERE type = 'trigger')
      """
    ) { try $0.text(0) }
    return Set(names)
  }
}
