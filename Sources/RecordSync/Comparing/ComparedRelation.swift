import SyncDatabase

/// A to-many of a flat table whose children can be compared as they stand in the text with those
/// that hang on their parent: but for the column that leads to it, their table is flat as well.
struct ComparedRelation {
  /// Its place among the relations of the parents' table.
  let place: Int
  let name: String
  /// The children's table.
  let table: FlatTable
  /// The column that refers to the parent.
  let column: Int
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
    guard case .toMany(let child, let column, let own) = relation.kind, own == parent.key,
      relation.position == nil, !relation.isPerParent,
      relations.count(where: { $0.kind.table == child }) == 1,
      let table = FlatTable(schema, child, besides: column), column != table.key
    else { return nil }
    let declared = schema.tables[child]
    let access = tables[child]
    guard let link = declared.foreignKeys.first, link.table == parent.place, link.target == own,
      !declared.columns[column].hasDefault, !declared.columns[column].isGenerated,
      declared.columns[column].collation == .binary,
      FlatTable.KeyKind(declared.columns[column]) == parent.keyKind,
      try access.isIndexed(column, by: connection),
      try !access.isScanned(for: [table.key], by: connection),
      try !connection.hasTriggers(on: declared)
    else { return nil }
    self.place = place
    name = relation.name
    self.table = table
    self.column = column
    self.access = access
    present = "\(access.select) WHERE \(access.column(column)) = ?"
    inserts = mayInsert
  }
}
