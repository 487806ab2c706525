import SyncDatabase
private import SyncText

/// Gives a column of a table another type: a new one takes its values and its name, and is then the
/// last one. The table stays, with all else that belongs to it (sqlite.org, "ALTER TABLE").
struct ColumnRetyping {
  private let connection: Connection
  private let table: TableSchema
  private let column: String
  /// What a column is called for a while.
  private static let other: Identifier = "recordsync_retyped"

  init(_ connection: Connection, _ table: TableSchema, _ column: String) {
    (self.connection, self.table, self.column) = (connection, table, column)
  }

  /// Whether nothing but a column's own definition names it: no index, constraint, foreign key,
  /// generated column, view or trigger; and no other constraint goes with it. SQLite itself says
  /// so: it gives the column another name, wherever that stands, and drops it, which is taken back.
  /// No trigger is to see the rows change either.
  func isPossible() throws -> Bool {
    guard try !connection.hasTriggers(on: table) else { return false }
    let (name, column) = (try Identifier.checked(table.name), try Identifier.checked(column))
    let other = Self.other
    do {
      return try connection.savepoint(keeping: { _ in false }) {
        try connection.run("ALTER TABLE \(name) RENAME COLUMN \(column) TO \(other)")
        guard try count(other.name) == 1 else { return false }
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
    guard let place = table.place(ofColumn: column) else { return }
    let (old, other) = (try TableAccess(table), Self.other)
    let after = ColumnType(declared: type.rawValue, isStrict: table.isStrict)
    try connection.run("ALTER TABLE \(old.name) ADD COLUMN \(other) \(type.sql)")
    let values: SQL = """
      SELECT \(old.address), \(old.column(place)) FROM \(old.name)
      WHERE \(old.column(place)) IS NOT NULL ORDER BY \(old.address)
      """
    let isReached: [SQL] = old.address.map { "\($0) = ?" }
    let update: SQL = """
      UPDATE \(old.name) SET \(other) = ? WHERE \(isReached, separator: " AND ")
      """
    try connection.forEachRow(of: values) { row in
      let address = try old.address.indices.map { try row.value(Column(at: $0)) }
      let value = try row.value(Column(at: address.count))
      let converted = value.map { table.columns[place].type.converted($0, to: after) }
      try connection.run(update, values: [converted] + address)
    }
    try connection.run("ALTER TABLE \(old.name) DROP COLUMN \(old.column(place))")
    try connection.run("ALTER TABLE \(old.name) RENAME COLUMN \(other) TO \(old.column(place))")
  }
}

extension ColumnType {
  /// A value as its JSON is read by another type. One that SQLite wouldn't keep as values of the
  /// old type are kept stays as it is.
  func converted(_ value: StoredValue, to after: ColumnType) -> StoredValue {
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
