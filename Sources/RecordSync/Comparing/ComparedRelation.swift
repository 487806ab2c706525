import SyncDatabase

/// A relation of a flat table whose children can be compared as they stand in the text with those
/// that are there: but for the column that leads to their parent, their table is flat as well.
struct ComparedRelation {
  /// Its place among the relations of the parents' table.
  let place: Int
  let name: String
  /// The children's table.
  let table: FlatTable
  /// The children's column that refers to the parent; `nil` where links lead to them, so that one
  /// child may have many parents.
  let column: Int?
  let access: TableAccess
  /// What gives the children of a parent, as ``TableAccess/findByKey`` gives rows.
  let present: SQL
  /// Whether new children may be inserted.
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
  /// What gives the rows to which links lead from one row, as ``findByKey`` gives rows; a link that
  /// leads nowhere gives a row of NULL.
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
