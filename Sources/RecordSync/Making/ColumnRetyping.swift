import SyncDatabase
private import SyncText

/// Gives a column of a table another type: a new one takes its values and its name, and is then the
/// last one. The table stays, with all else that belongs to it (sqlite.org, "ALTER TABLE").
struct ColumnRetyping {
  private let connection: Connection
  private let table: TableSchema
  private let column: String
  /// What a column is called for a while.
  private static let other = "recordsync_retyped"

  init(_ connection: Connection, _ table: TableSchema, _ column: String) {
    (self.connection, self.table, self.column) = (connection, table, column)
  }

  /// Whether nothing but a column's own definition names it: no index, constraint, foreign key,
  /// generated column, view or trigger; and no other constraint goes with it. SQLite itself says
  /// so: it gives the column another name, wherever that stands, and drops it, which is taken back.
  /// No trigger is to see the rows change either.
  func isPossible() throws -> Bool {
    guard let name = Identifier(table.name), let column = Identifier(column),
      let other = Identifier(Self.other), try !connection.hasTriggers(on: table)
    else { return false }
    do {
      return try connection.savepoint(keeping: { _ in false }) {
        try connection.run("ALTER TABLE \(name) RENAME COLUMN \(column) TO \(other)")
        guard try count(Self.other) == 1 else { return false }
        let checks = try count("check")
        try connection.run("ALTER TABLE \(name) DROP COLUMN \(other)")
        return try count("check") == checks
      }
    } catch let error as DatabaseError where error.code == .statement {
      // A view can't be read, for one.
      return false
    }
  }

  /// How often a word of small letters stands in what the database declares.
  private func count(_ word: String) throws -> Int64? {
    try connection.row(
      """
      SELECT sum((length(sql) - length(replace(lower(sql), ?1, ''))) / length(?1))
      FROM sqlite_schema
      """, word
    ) { try $0.integer(0) }
  }

  func perform(to type: MadeType) throws {
    guard let place = table.place(ofColumn: column), let other = Identifier(Self.other) else {
      return
    }
    let old = try TableAccess(table)
    var wider = table
    wider.columns.append(table.columns[place])
    wider.columns[table.columns.count].name = Self.other
    let new = try TableAccess(wider)
    let after = ColumnType(declared: type.rawValue, isStrict: table.isStrict)
    try connection.run("ALTER TABLE \(old.name) ADD COLUMN \(other) \(type.sql)")
    let values: SQL = """
      SELECT \(old.address), \(old.column(place)) FROM \(old.name)
      WHERE \(old.column(place)) IS NOT NULL ORDER BY \(old.address)
      """
    let update = new.update([table.columns.count])
    var count = 0
    try connection.query(values, values: []) { row in
      let address = try old.address.indices.map { try row.value(Column(at: $0)) }
      let value = try row.value(Column(at: address.count))
      let converted = value.map { table.columns[place].type.converted($0, to: after) }
      try connection.run(update, values: [converted] + address)
      count += 1
      if count.isMultiple(of: 1_000) { try Task.checkCancellation() }
    }
    try connection.run("ALTER TABLE \(old.name) DROP COLUMN \(old.column(place))")
    try connection.run("ALTER TABLE \(old.name) RENAME COLUMN \(other) TO \(old.column(place))")
  }
}

extension ColumnType {
  /// A value as its JSON is read by another type. One that SQLite wouldn't keep as values of the
  /// old type are kept stays as it is.
  fileprivate func converted(_ value: StoredValue, to after: ColumnType) -> StoredValue {
    switch (kind, value) {
    case (.boolean, .integer(0...1)), (.integer, .integer), (.text, .text), (.json, .text): break
    case (.real, .real), (.decimal, .integer), (.decimal, .real), (.decimal, .text): break
    default: return value
    }
    var json: [UInt8] = []
    self.json(of: value, to: &json)
    var tape = JSONTape(nesting: PayloadWindow.nesting)
    tape.begin(json)
    guard let root = try? tape.append(at: 0).root,
      case .stored(let stored?, _) = after.stored(root, in: tape)
    else { return value }
    return stored
  }
}
