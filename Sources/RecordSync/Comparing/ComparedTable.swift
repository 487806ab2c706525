import SyncDatabase

/// A table whose objects can be compared with its rows one by one, as they stand in the text: a key
/// finds one row at most, and its own columns lead to no other rows.
struct FlatTable {
  let place: Int
  let key: Int
  let keyKind: KeyKind
  let isKeyRowNumber: Bool
  let columnCount: Int
  let generated: [Bool]

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

  /// Whether rows may be in each other's way by more than their key, so that their order counts.
  func hasUniqueIndexes(on table: TableSchema, besides key: Int) throws -> Bool {
    let count = try row(
      "SELECT count(*) FROM pragma_index_list(?1) WHERE \"unique\"", table.name
    ) { try $0.integer(0) }
    return (count ?? 0) > (table.rowNumberColumn == key ? 0 : 1)
  }
}

/// A relation of a flat table whose children can be compared as they stand in the text with those
/// that are there: but for the column that leads to their parent, their table is flat as well.
struct ComparedRelation {
  /// Its place among the relations of the parents' table.
  let place: Int
  let name: String
  let table: FlatTable
  /// The children's column that refers to the parent; `nil` where a table of links leads to them.
  let column: Int?
  let access: TableAccess
  /// What gives the children of a parent, as ``TableAccess/findByKey`` gives rows.
  let present: SQL
  let inserts: Bool

  /// `nil` for a relation of another kind.
  ///
  /// - Parameters:
  ///   - parent: The parents' table.
  ///   - mayInsert: Whether new children may be inserted, as far as their table has no say.
  init?(
    _ place: Int, of parent: FlatTable, _ schema: RecordSchema, _ tables: [TableAccess],
    mayInsert: Bool, _ connection: Connection
  ) throws {
    let relations = schema.tables[parent.place].relations
    let relation = relations[place]
    switch relation.kind {
    case .toMany(let child, let column, let own):
      guard own == parent.key, let table = FlatTable(schema, child, besides: column),
        column != table.key, Self.isLink(column, of: schema.tables[child], to: parent)
      else { return nil }
      self.table = table
      self.column = column
    case .manyToMany(let through, let here, let own, let there, let child, let target):
      guard own == parent.key, child != parent.place, let table = FlatTable(schema, child),
        target == table.key, Self.isLink(here, of: schema.tables[through], to: parent),
        Self.isLink(there, of: schema.tables[through], to: table)
      else { return nil }
      self.table = table
      column = nil
    case .toOne, .inverseToOne: return nil
    }
    access = tables[table.place]
    let (holder, link): (TableAccess, Int)
    if case .manyToMany(let through, let here, _, let there, _, _) = relation.kind {
      (holder, link) = (tables[through], here)
      present = access.linked(through: tables[through], here, there, to: table.key)
    } else {
      (holder, link) = (access, column ?? 0)
      present = "\(access.select) WHERE \(access.column(link)) = ?"
    }
    guard relation.position == nil, !relation.isPerParent,
      relations.count(where: { $0.kind.table == relation.kind.table }) == 1,
      try holder.isIndexed(link, by: connection),
      try !access.isScanned(for: [table.key], by: connection),
      try !connection.hasTriggers(on: access.schema)
    else { return nil }
    self.place = place
    name = relation.name
    inserts = mayInsert && column != nil
  }

  /// Whether a column holds keys of a table as these are, and nothing else fills it.
  private static func isLink(_ column: Int, of table: TableSchema, to other: FlatTable) -> Bool {
    guard let key = table.foreignKeys.first(where: { $0.column == column }) else { return false }
    let link = table.columns[column]
    return key.table == other.place && key.target == other.key && !link.hasDefault
      && !link.isGenerated && link.collation == .binary
      && FlatTable.KeyKind(link) == other.keyKind
  }
}

extension TableAccess {
  /// What gives the rows to which links lead from one row; a link that leads nowhere gives NULLs.
  fileprivate func linked(
    through links: TableAccess, _ here: Int, _ there: Int, to key: Int
  ) -> SQL {
    let columns = address + schema.columns.indices.map { column($0) }
    let qualified: [SQL] = columns.map { "\(name).\($0)" }
    return """
      SELECT \(qualified) FROM \(links.name)
      LEFT JOIN \(name) ON \(name).\(column(key)) = \(links.name).\(links.column(there))
      WHERE \(links.name).\(links.column(here)) = ?
      """
  }
}
