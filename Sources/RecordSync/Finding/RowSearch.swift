import SyncDatabase

/// Finds rows by what stands in their columns, without looking at all of a table for one of them.
///
/// A key is found in the form in which it is stored, whoever stored it. Columns without an index
/// get a ``LookupTable``, which is gone with the pass, once their table has more than a few rows.
final class RowSearch {
  fileprivate struct Place: Hashable {
    var table: Int
    var columns: [Int]
  }

  /// What is known so far; taken back with what was written.
  struct Known {
    fileprivate var ways: [Place: Way] = [:]
    fileprivate var conditions: [Place: [Int: SQL]] = [:]
    fileprivate var finders: [Place: SQL] = [:]
    fileprivate var keyFinders: [SQL?]
    fileprivate var existences: [Place: SQL] = [:]
    fileprivate var members: [Place: SQL] = [:]
    fileprivate var odd: [Int: [RecordKey: [[StoredValue]]]] = [:]
    fileprivate var made = 0

    fileprivate init(tables: Int) { keyFinders = Array(repeating: nil, count: tables) }
  }

  /// How the rows are found that hold values in some columns.
  fileprivate enum Way {
    /// By an index of the table's own.
    case index
    /// By looking at all of its few rows; how often until they are counted again.
    case scan(Int)
    case lookup(LookupTable)
  }

  private let connection: Connection
  private let schema: RecordSchema
  private let tables: [TableAccess]
  private let identities: [KeyIdentity]
  /// Whether a table is looked through, once, for a key that isn't stored in any known form: where
  /// the row that isn't found would be deleted.
  let findsOddForms: Bool
  /// So many rows are sooner looked at than a table is made for them.
  private let fewRows: Int
  var known: Known

  init(
    _ connection: Connection, _ schema: RecordSchema, _ tables: [TableAccess],
    findsOddForms: Bool, fewRows: Int = 500
  ) {
    self.connection = connection
    self.schema = schema
    self.tables = tables
    self.findsOddForms = findsOddForms
    self.fewRows = fewRows
    identities = schema.tables.map(KeyIdentity.init)
    known = Known(tables: tables.count)
  }

  /// The rows of a key, the oldest first.
  func rows(of key: RecordKey, in table: Int) throws -> [FoundRow] {
    let finder = try keyFinder(table)
    var rows = try self.rows(finder, key.values, in: table)
    guard rows.isEmpty, identities[table].hasForms else { return rows }
    for form in identities[table].forms(of: key) {
      // Forms that a collation or an affinity makes one find the same row.
      for row in try self.rows(finder, form.values, in: table)
      where !rows.contains(where: { $0.address == row.address }) { rows.append(row) }
    }
    rows.sort { StoredOrder.precedes($0.address, $1.address) }
    guard rows.isEmpty, findsOddForms else { return rows }
    for address in try oddForms(in: table)[identities[table].identity(of: key)] ?? [] {
      rows += try self.rows(tables[table].findByAddress, address, in: table)
    }
    return rows
  }

  /// The rows that hold a value in a column, the oldest first.
  func rows(where column: Int, is value: StoredValue, in table: Int) throws -> [FoundRow] {
    try rows(try finder([column], in: table), [value], in: table)
  }

  /// The rows that hold these values in these columns, the oldest first.
  func rows(
    where columns: [Int], are values: [StoredValue], in table: Int
  ) throws -> [FoundRow] {
    try rows(try finder(columns, in: table), values, in: table)
  }

  private func rows(
    _ sql: SQL, _ values: [StoredValue], in table: Int
  ) throws -> [FoundRow] {
    try tables[table].rows(sql, values, connection)
  }

  /// A condition that columns are what is bound from the parameter of this number on.
  func condition(_ columns: [Int], in table: Int, from first: Int = 1) throws -> SQL {
    let place = Place(table: table, columns: columns)
    let way = try way(place)
    if let sql = known.conditions[place]?[first] { return sql }
    let access = tables[table]
    var parts: [SQL] = []
    if case .lookup(let lookup) = way { parts.append(lookup.condition(from: first)) }
    for (number, column) in columns.enumerated() {
      parts.append("\(access.column(column)) = \(parameter: first + number)")
    }
    let sql: SQL = "\(parts, separator: " AND ")"
    known.conditions[place, default: [:]][first] = sql
    return sql
  }

  /// What gives a row if there is one that holds a value in a column.
  func existence(of column: Int, in table: Int) throws -> SQL {
    let place = Place(table: table, columns: [column])
    _ = try way(place)
    if let sql = known.existences[place] { return sql }
    let condition = try condition([column], in: table)
    let sql: SQL = "SELECT 1 FROM \(tables[table].name) WHERE \(condition) LIMIT 1"
    known.existences[place] = sql
    return sql
  }

  /// What gives the addresses and keys of the rows that hold a value in a column.
  func keys(holding column: Int, in table: Int) throws -> SQL {
    let place = Place(table: table, columns: [column])
    _ = try way(place)
    if let sql = known.members[place] { return sql }
    let sql = tables[table].keys(where: try condition([column], in: table))
    known.members[place] = sql
    return sql
  }

  /// Lets go of what was made for the pass.
  func end() throws {
    for case .lookup(let lookup) in known.ways.values { try lookup.drop(from: connection) }
    known = Known(tables: tables.count)
  }

  private func keyFinder(_ table: Int) throws -> SQL {
    if let sql = known.keyFinders[table] { return sql }
    let columns = schema.tables[table].key.columns
    let sql = try finder(columns, in: table)
    // Most keys have an index, and then nothing more is asked.
    if case .index? = known.ways[Place(table: table, columns: columns)] {
      known.keyFinders[table] = sql
    }
    return sql
  }

  private func finder(_ columns: [Int], in table: Int) throws -> SQL {
    let place = Place(table: table, columns: columns)
    _ = try way(place)
    if let sql = known.finders[place] { return sql }
    let access = tables[table]
    let condition = try condition(columns, in: table)
    let sql: SQL = "\(access.select) WHERE \(condition) ORDER BY \(access.address)"
    known.finders[place] = sql
    return sql
  }

  /// How rows are found from now on.
  private func way(_ place: Place) throws -> Way {
    switch known.ways[place] {
    case .scan(let times) where times > 0:
      known.ways[place] = .scan(times - 1)
      return .scan(times - 1)
    case .index: return .index
    case .lookup(let lookup): return .lookup(lookup)
    case nil, .scan: break
    }
    let way = try found(place)
    known.ways[place] = way
    if case .scan = way { return way }
    // What was composed for looking at all rows isn't right any more.
    known.conditions[place] = nil
    known.finders[place] = nil
    known.existences[place] = nil
    known.members[place] = nil
    return way
  }

  private func found(_ place: Place) throws -> Way {
    let access = tables[place.table]
    guard try access.isScanned(for: place.columns, by: connection) else { return .index }
    guard try hasMany(access) else { return .scan(64) }
    known.made += 1
    return .lookup(
      try LookupTable(access, place.columns, number: known.made - 1, on: connection))
  }

  private func hasMany(_ access: TableAccess) throws -> Bool {
    var hasMany = false
    try connection.query("SELECT 1 FROM \(access.name) LIMIT 1 OFFSET \(fewRows)") { _ in
      hasMany = true
    }
    return hasMany
  }

  /// The keys that stand in a table in another form than that of their meaning.
  private func oddForms(in table: Int) throws -> [RecordKey: [[StoredValue]]] {
    if let odd = known.odd[table] { return odd }
    var odd: [RecordKey: [[StoredValue]]] = [:]
    try connection.query(tables[table].keys(where: "1")) { row in
      let keyed = try KeyedRow(row, tables[table])
      let identity = identities[table].identity(of: keyed.key)
      if identity != keyed.key { odd[identity, default: []].append(keyed.address) }
    }
    known.odd[table] = odd
    return odd
  }
}

/// The order in which SQLite has values in an index: numbers, texts by their bytes, blobs.
enum StoredOrder {
  static func precedes(_ one: [StoredValue], _ other: [StoredValue]) -> Bool {
    for (left, right) in zip(one, other) where left != right {
      switch (left, right) {
      case (.integer(let a), .integer(let b)): return a < b
      case (.text(let a), .text(let b)): return a.utf8.lexicographicallyPrecedes(b.utf8)
      case (.blob(let a), .blob(let b)): return a.lexicographicallyPrecedes(b)
      default: return rank(left) < rank(right)
      }
    }
    return false
  }

  private static func rank(_ value: StoredValue) -> Int {
    switch value {
    case .integer, .real: 0
    case .text: 1
    case .blob: 2
    }
  }
}
