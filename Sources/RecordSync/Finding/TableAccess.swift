import SyncDatabase

/// The statements over one table, composed once.
///
/// A row is reached by its *address*: SQLite's row number, or the primary key of a table WITHOUT
/// ROWID.
final class TableAccess {
  let schema: TableSchema
  let types: [ColumnType]
  /// Whether a foreign key, or what makes the table the rest of another, refers to other rows.
  let refersToOthers: Bool
  let name: Identifier
  let address: [SQL]
  /// An address and all columns, of which rows is yet to be said.
  let select: SQL
  /// The same of the rows with a key, whose columns' values are the parameters.
  let findByKey: SQL
  /// The same of the row of an address.
  let findByAddress: SQL
  let delete: SQL
  /// What holds for rows that count as there, which are all but those that are marked as gone.
  let isLive: SQL
  private let columns: [SQL]
  /// Whether an index leads to a column's values, as far as it was asked.
  var indexed: [Int: Bool] = [:]
  /// What stands behind INSERT and UPDATE: `OR ABORT` makes an error of what the table's own
  /// declaration would delete, or leave out, without a word (sqlite.org, "The ON CONFLICT Clause").
  private var onConflict: SQL = ""
  private var updates: [[Int]: SQL] = [:]
  private var inserts: [[Int]: SQL] = [:]

  init(_ table: TableSchema) throws {
    schema = table
    types = table.columns.map(\.type)
    refersToOthers = !table.foreignKeys.isEmpty
    let name = try Identifier.checked(table.name)
    let columns: [SQL] = try table.columns.map {
      let column = try Identifier.checked($0.name)
      return "\(column)"
    }
    let address: [SQL] =
      switch table.rowNumber {
      case .rowid: ["rowid"]
      case .underscored: ["_rowid_"]
      case .oid: ["oid"]
      case nil: table.primaryKey.map { columns[$0] }
      }
    let isReached: SQL = Self.equal(address)
    self.name = name
    self.columns = columns
    self.address = address
    let keys: SQL = Self.equal(table.key.columns.map { columns[$0] })
    select = "SELECT \(address), \(columns) FROM \(name)"
    // Of rows that share a key, those that are there come first.
    let gone: [SQL] = table.mark.map { ["\(columns[$0]) IS NOT NULL"] } ?? []
    findByKey = "\(select) WHERE \(keys) ORDER BY \(gone + address)"
    isLive = table.mark.map { "\(columns[$0]) IS NULL" } ?? "1"
    findByAddress = "\(select) WHERE \(isReached)"
    delete = "DELETE FROM \(name) WHERE \(isReached)"
  }

  func column(_ place: Int) -> SQL { columns[place] }

  var all: SQL { "SELECT \(address), \(columns) FROM \(name) ORDER BY \(address)" }

  func keys(where condition: SQL) -> SQL {
    let keys = schema.key.columns.map { columns[$0] }
    return "SELECT \(address), \(keys) FROM \(name) WHERE \(condition) ORDER BY \(address)"
  }

  /// What changes these columns of a row: their values, then the address.
  func update(_ places: [Int]) -> SQL {
    if let sql = updates[places] { return sql }
    let parts: [SQL] = places.map { "\(columns[$0]) = ?" }
    let sql: SQL = "UPDATE \(onConflict) \(name) SET \(parts) WHERE \(Self.equal(address))"
    updates[places] = sql
    return sql
  }

  /// What inserts a row with values for these columns, and the default for all others.
  func insert(_ places: [Int]) -> SQL {
    if let sql = inserts[places] { return sql }
    let holes: [SQL] = places.map { _ in "?" }
    let sql: SQL =
      places.isEmpty
      ? "INSERT \(onConflict) INTO \(name) DEFAULT VALUES"
      : "INSERT \(onConflict) INTO \(name) (\(places.map { columns[$0] })) VALUES (\(holes))"
    inserts[places] = sql
    return sql
  }

  /// Has a conflict be an error whatever the table's declaration says.
  func refuseConflicts() { onConflict = "OR ABORT" }

  /// The columns whose values aren't what is given.
  func differences(between found: [StoredValue?], and given: [DraftRow.Given]) -> [Int] {
    var places: [Int] = []
    for place in given.indices {
      guard case .value(let value) = given[place], !types[place].isSame(found[place], value),
        !schema.columns[place].isGenerated,
        !types[place].isSame(found[place], value, through: schema.columns[place].transformer),
        !isKey(place, found[place], inAnotherForm: value)
      else { continue }
      places.append(place)
    }
    return places
  }

  /// Whether only the form differs. Of a key it stays, since other rows may refer to it.
  private func isKey(
    _ place: Int, _ found: StoredValue?, inAnotherForm given: StoredValue?
  ) -> Bool {
    guard types[place].hasForms, schema.key.columns.contains(place), let found, let given
    else { return false }
    return types[place].canonical(found) == types[place].canonical(given)
  }

  private static func equal(_ columns: [SQL]) -> SQL {
    let parts: [SQL] = columns.map { "\($0) = ?" }
    return "\(parts, separator: " AND ")"
  }
}

extension Identifier {
  static func checked(_ name: String) throws -> Identifier {
    guard let identifier = Identifier(name) else {
      throw RecordError.table(name, .unusableName)
    }
    return identifier
  }
}

struct FoundRow: Equatable {
  var address: [StoredValue]
  var values: [StoredValue?]
}

extension TableSchema {
  /// Whether a row isn't marked as gone.
  func isLive(_ row: FoundRow) -> Bool { mark.map { row.values[$0] == nil } ?? true }
}

extension FoundRow {
  /// Reads a row of ``TableAccess/findByKey`` or ``TableAccess/findByAddress``.
  init(_ row: borrowing Row, _ table: TableAccess) throws {
    let count = table.address.count
    address = []
    address.reserveCapacity(count)
    for place in 0..<count {
      guard let value = try row.value(Column(at: place)) else {
        throw row.wrongType(Column(at: place), "an address is NULL")
      }
      address.append(value)
    }
    values = []
    values.reserveCapacity(table.schema.columns.count)
    for place in table.schema.columns.indices {
      values.append(try row.value(Column(at: count + place)))
    }
  }
}

extension TableAccess {
  /// The oldest row of a key, in whatever form it is stored.
  func row(of key: RecordKey, on connection: Connection) throws -> FoundRow? {
    let identity = KeyIdentity(schema)
    for form in [key] + identity.forms(of: key) {
      if let found = try row(findByKey, form.values, connection) { return found }
    }
    guard identity.hasForms else { return nil }
    // Nobody knows in which form another program has stored it.
    let wanted = identity.identity(of: key)
    var address: [StoredValue]?
    try connection.query(keys(where: "1")) { row in
      let keyed = try KeyedRow(row, self)
      if address == nil, identity.identity(of: keyed.key) == wanted { address = keyed.address }
    }
    return try address.flatMap { try row(findByAddress, $0, connection) }
  }

  func row(
    _ sql: SQL, _ values: [StoredValue?], _ connection: Connection
  ) throws -> FoundRow? {
    var found: FoundRow?
    try connection.query(sql, values: values) { row in
      if found == nil { found = try FoundRow(row, self) }
    }
    return found
  }

  func rows(
    _ sql: SQL, _ values: [StoredValue?], _ connection: Connection
  ) throws -> [FoundRow] {
    var rows: [FoundRow] = []
    try connection.query(sql, values: values) { rows.append(try FoundRow($0, self)) }
    return rows
  }
}

struct KeyedRow: Equatable {
  var address: [StoredValue]
  var key: RecordKey

  /// Reads a row of ``TableAccess/keys(where:)``.
  init(_ row: borrowing Row, _ table: TableAccess) throws {
    let count = table.address.count
    address = try (0..<count).map {
      guard let value = try row.value(Column(at: $0)) else {
        throw row.wrongType(Column(at: $0), "an address is NULL")
      }
      return value
    }
    key = RecordKey(
      try table.schema.key.columns.indices.compactMap { try row.value(Column(at: count + $0)) })
  }
}
