import SyncDatabase

/// A table whose objects can be compared with its rows one by one, as they stand in the text: a key
/// finds one row at most, and its own columns lead to no other rows.
struct FlatTable {
  let place: Int
  let key: Int
  /// What its key's values are.
  let keyKind: KeyKind
  /// Whether its key is SQLite's row number.
  let isKeyRowNumber: Bool
  let columnCount: Int
  /// The columns that SQLite computes.
  let generated: [Bool]

  /// What a key's values are.
  enum KeyKind { case number, text }

  /// `nil` for a table of another kind.
  ///
  /// - Parameter link: The column that may lead to another row, whose value the nesting gives.
  init?(_ schema: RecordSchema, _ place: Int, besides link: Int? = nil) {
    let table = schema.tables[place]
    guard table.base == nil, table.extensions.isEmpty,
      table.foreignKeys.map(\.column) == (link.map { [$0] } ?? []),
      table.compositeForeignKeys.isEmpty, table.rowNumber != nil, let key = table.keyColumn,
      table.isUnique(key), table.columns[key].collation == .binary,
      let keyKind = KeyKind(table.columns[key])
    else { return nil }
    self.place = place
    self.key = key
    self.keyKind = keyKind
    isKeyRowNumber = table.rowNumberColumn == key
    columnCount = table.columns.count
    generated = table.columns.map(\.isGenerated)
  }
}

extension FlatTable.KeyKind {
  /// `nil` for a column whose values aren't found as they stand in the text.
  init?(_ column: ColumnSchema) {
    guard column.transformer == nil else { return nil }
    switch (column.type.kind, column.type.affinity) {
    case (.integer, .integer): self = .number
    case (.text, .text): self = .text
    default: return nil
    }
  }
}

extension Connection {
  /// Whether something else happens when rows of a table are inserted or changed.
  func hasTriggers(on table: TableSchema) throws -> Bool {
    let found = try row(
      """
      SELECT EXISTS (SELECT 1 FROM main.sqlite_schema
        WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE)
      OR EXISTS (SELECT 1 FROM temp.sqlite_schema
        WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE)
      """, table.name
    ) { try $0.flag(0) }
    return found ?? false
  }

  /// Whether rows of a table may be in each other's way by more than their key: so that it counts
  /// which of them comes first.
  func hasUniqueIndexes(on table: TableSchema, besides key: Int) throws -> Bool {
    let count = try row(
      "SELECT count(*) FROM pragma_index_list(?1) WHERE \"unique\"", table.name
    ) { try $0.integer(0) }
    return (count ?? 0) > (table.rowNumberColumn == key ? 0 : 1)
  }
}
