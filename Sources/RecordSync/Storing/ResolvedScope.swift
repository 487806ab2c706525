import SyncDatabase
import SyncText

/// The rows that a payload speaks of, and what its rows get without saying it.
struct ResolvedScope {
  /// The link to the parent, by the column's place.
  let given: [Int: StoredValue]
  private let scope: RecordScope?
  private let table: TableSchema
  private let place: Int

  /// Finds the parent. Throws if it isn't there, or can't be told.
  init(
    _ scope: RecordScope?, of table: Int, _ schema: RecordSchema, _ connection: Connection
  ) throws {
    self.scope = scope
    self.table = schema.tables[table]
    place = table
    guard let parent = scope?.parent else {
      given = [:]
      return
    }
    guard let other = schema.place(of: parent.table) else {
      throw RecordError.table(parent.table, .missing)
    }
    let key = try Self.foreignKey(from: schema.tables[table], to: other, parent)
    let access = try TableAccess(schema.tables[other])
    let identity = RecordKey(parent.key.stored.map { [$0] } ?? [])
    var value: StoredValue?
    for form in [identity] + KeyIdentity(schema.tables[other]).forms(of: identity) {
      guard value == nil else { break }
      try connection.query(access.findByKey, values: form.values) { row in
        value = try FoundRow(row, access).values[key.target]
      }
    }
    guard let value else { throw RecordError.noParent(table: parent.table, key: identity) }
    given = [key.column: value]
  }

  private static func foreignKey(
    from table: TableSchema, to other: Int, _ parent: RecordScope.Parent
  ) throws -> ForeignKey {
    let keys = table.foreignKeys.filter { key in
      guard let column = parent.column else { return key.table == other }
      return key.table == other
        && table.columns[key.column].name.asciiLowercased == column.asciiLowercased
    }
    guard let key = keys.first else {
      throw RecordError.table(table.name, .noForeignKey(to: parent.table))
    }
    guard keys.count == 1 else {
      let columns = keys.map { table.columns[$0.column].name }
      throw RecordError.table(
        table.name, .severalForeignKeys(to: parent.table, columns: columns))
    }
    return key
  }

  /// What a row of the scope fulfils. Of a table that refers to itself only the roots are meant
  /// unless more is said: the others are the business of their parents' relations.
  func condition(_ access: TableAccess) -> SQL {
    var parts: [SQL] = given.map { "\(access.column($0.key)) = \($0.value)" }
    if let text = scope?.condition {
      let written = SQL(written: text, values: (scope?.values ?? []).map(\.stored))
      parts.append("(\(written))")
    }
    if parts.isEmpty {
      let own = table.foreignKeys.filter { $0.table == place }
      parts = own.map { "\(access.column($0.column)) IS NULL" }
    }
    return parts.isEmpty ? "1" : "\(parts, separator: " AND ")"
  }
}
