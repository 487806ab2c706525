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
    /// By table: the statement that finds a key, where an index leads to it.
    fileprivate var keyFinders: [SQL?]
    fileprivate var odd: [Int: [RecordKey: [[StoredValue]]]] = [:]
    fileprivate var made = 0

    fileprivate init(tables: Int) { keyFinders = Array(repeating: nil, count: tables) }
  }

  /// How the rows are found that hold values in some columns, with the statements composed for it.
  fileprivate struct Way {
    enum Kind {
      case index
      /// By looking at all of its few rows; how often until they are counted again.
      case scan(Int)
      case lookup(LookupTable)
    }

    enum Form: Hashable { case rows, existence, keys }

    var kind: Kind
    /// By the number of the first parameter.
    var conditions: [Int: SQL] = [:]
    var statements: [Form: SQL] = [:]
  }

  private let connection: Connection
  private let schema: RecordSchema
  private let tables: [TableAccess]
  private let identities: [KeyIdentity]
  /// Whether a table is looked through once for a key in no known form, whose row would be deleted.
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

  func rows(where column: Int, is value: StoredValue, in table: Int) throws -> [FoundRow] {
    try rows(where: [column], are: [value], in: table)
  }

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
    if let sql = way.conditions[first] { return sql }
    let access = tables[table]
    var parts: [SQL] = []
    if case .lookup(let lookup) = way.kind { parts.append(lookup.condition(from: first)) }
    for (number, column) in columns.enumerated() {
      parts.append("\(access.column(column)) = \(parameter: first + number)")
    }
    let sql: SQL = "\(parts, separator: " AND ")"
    known.ways[place]?.conditions[first] = sql
    return sql
  }

  /// What gives a row if there is one that holds a value in a column.
  func existence(of column: Int, in table: Int) throws -> SQL {
    try statement(.existence, [column], in: table) { access, condition in
      "SELECT 1 FROM \(access.name) WHERE \(condition) LIMIT 1"
    }
  }

  /// What gives the rows with a value in a column, but for those that are marked as gone.
  func keys(holding column: Int, in table: Int) throws -> SQL {
    try statement(.keys, [column], in: table) { $0.keys(where: "\($1) AND \($0.isLive)") }
  }

  /// Lets go of what was made for the pass.
  func end() throws {
    for way in known.ways.values {
      if case .lookup(let lookup) = way.kind { try lookup.drop(from: connection) }
    }
    known = Known(tables: tables.count)
  }

  private func keyFinder(_ table: Int) throws -> SQL {
    if let sql = known.keyFinders[table] { return sql }
    let columns = schema.tables[table].key.columns
    let sql = try finder(columns, in: table)
    // Most keys have an index, and then nothing more is asked.
    if case .index? = known.ways[Place(table: table, columns: columns)]?.kind {
      known.keyFinders[table] = sql
    }
    return sql
  }

  private func finder(_ columns: [Int], in table: Int) throws -> SQL {
    try statement(.rows, columns, in: table) { access, condition in
      "\(access.select) WHERE \(condition) ORDER BY \(access.address)"
    }
  }

  private func statement(
    _ form: Way.Form, _ columns: [Int], in table: Int,
    _ compose: (_ access: TableAccess, _ condition: SQL) -> SQL
  ) throws -> SQL {
    let place = Place(table: table, columns: columns)
    if let sql = try way(place).statements[form] { return sql }
    let sql = compose(tables[table], try condition(columns, in: table))
    known.ways[place]?.statements[form] = sql
    return sql
  }

  /// How rows are found from now on. What was composed for looking at all rows isn't right any more
  /// once there is an index.
  private func way(_ place: Place) throws -> Way {
    var way = known.ways[place] ?? Way(kind: .scan(0))
    switch way.kind {
    case .index, .lookup: return way
    case .scan(let times) where times > 0: way.kind = .scan(times - 1)
    case .scan:
      way.kind = try found(place)
      if case .scan = way.kind { break }
      way = Way(kind: way.kind)
    }
    known.ways[place] = way
    return way
  }

  private func found(_ place: Place) throws -> Way.Kind {
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
