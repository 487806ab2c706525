import SyncDatabase

/// A table whose objects can be compared with its rows one by one, as they stand in the text: a key
/// finds one row at most.
struct FlatTable {
  let place: Int
  let key: Int
  let keyKind: KeyKind
  let isKeyRowNumber: Bool
  /// The column that leads to the row above, whose value the nesting gives.
  let link: Int?
  /// Whether the key counts only beside that column.
  let isPaired: Bool
  /// By column.
  let uses: [Use]
  /// The foreign keys whose values are looked for where they are new.
  let references: [ForeignKey]
  /// Whether the database refuses, or not, by more than looking for these tells.
  let isWritable: Bool

  enum KeyKind { case number, text }

  /// What objects may give for a column, so that it can be taken as it stands.
  enum Use {
    case value
    /// The key of another row, by which that is found.
    case reference
    /// Null alone: where other values lead is found in another way.
    case null
    case nothing
  }

  /// `nil` for a table of another kind.
  ///
  /// - Parameters:
  ///   - link: The column that leads to the row above. Default none.
  ///   - order: The column that the array's order fills, whatever objects say. Default none.
  init?(_ schema: RecordSchema, _ place: Int, under link: Int? = nil, order: Int? = nil) {
    let table = schema.tables[place]
    // What is kept for columns may have to go.
    guard table.base == nil, table.extensions.isEmpty, table.rowNumber != nil,
      table.extra == nil, let (key, isPaired) = table.flatKey(under: link),
      !table.foreignKeys.contains(where: { $0.column == key }),
      table.columns[key].collation == .binary, let keyKind = KeyKind(table.columns[key])
    else { return nil }
    self.place = place
    self.key = key
    self.keyKind = keyKind
    self.isPaired = isPaired
    self.link = link
    isKeyRowNumber = table.rowNumberColumn == key
    let others = table.foreignKeys.filter { $0.column != link }
    references = others.filter { schema.isLookable($0, of: table) }
    isWritable =
      table.compositeForeignKeys.isEmpty
      && !others.contains { table.columns[$0.column].hasDefault }
    var uses = table.columns.map { $0.isGenerated ? Use.nothing : .value }
    for reference in others where uses[reference.column] == .value {
      uses[reference.column] = .null
    }
    for reference in references { uses[reference.column] = .reference }
    for column in [link, order] { if let column { uses[column] = .nothing } }
    self.uses = uses
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

extension TableSchema {
  /// The column by which one row at most is found, alone or beside the one that leads to the row
  /// above.
  fileprivate func flatKey(under link: Int?) -> (key: Int, isPaired: Bool)? {
    if let key = keyColumn {
      return isUnique(key) && key != link ? (key, false) : nil
    }
    guard let link, key.columns.count == 2, key.columns.contains(link),
      let own = key.columns.first(where: { $0 != link }),
      ([primaryKey] + uniques).contains(where: { Set($0) == [link, own] })
    else { return nil }
    return (own, true)
  }
}

extension RecordSchema {
  /// Whether the values of a foreign key are keys of the other table, and are found there as they
  /// are.
  func isLookable(_ reference: ForeignKey, of table: TableSchema) -> Bool {
    let (column, other) = (table.columns[reference.column], tables[reference.table])
    guard !column.isGenerated, column.collation == .binary, other.keyColumn == reference.target,
      other.isUnique(reference.target), other.columns[reference.target].collation == .binary,
      let kind = FlatTable.KeyKind(column)
    else { return false }
    return kind == FlatTable.KeyKind(other.columns[reference.target])
  }
}

extension Connection {
  /// Whether something else happens when rows of a table are inserted or changed, but that versions
  /// are kept.
  func hasTriggers(on table: TableSchema) throws -> Bool {
    let found = try row(
      """
      SELECT EXISTS (SELECT 1 FROM main.sqlite_schema
        WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE)
      OR EXISTS (SELECT 1 FROM temp.sqlite_schema
        WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE
        AND name NOT GLOB 'recordsync_versions_*')
      """, table.name
    ) { try $0.flag(0) }
    return found ?? false
  }

  /// Whether rows may be in each other's way by more than their key, so that their order counts.
  ///
  /// - Parameter key: The key's column; `nil` for a key of several columns.
  func hasUniqueIndexes(on table: TableSchema, besides key: Int?) throws -> Bool {
    let count = try row(
      "SELECT count(*) FROM pragma_index_list(?1) WHERE \"unique\"", table.name
    ) { try $0.integer(0) }
    let isRowNumber = key != nil && table.rowNumberColumn == key
    return (count ?? 0) > (isRowNumber ? 0 : 1)
  }
}
