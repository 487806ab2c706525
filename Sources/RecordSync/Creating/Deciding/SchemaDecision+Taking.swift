/// Takes the rows that relations led to which a payload contradicts.
extension SchemaDecision {
  /// What a name takes from the relation that it was before, if any: into a table of its own, or,
  /// without a link, into columns of the row.
  func taken(
    by name: DraftName, into table: Int, link: String? = nil, _ position: String? = nil
  ) -> TakenRows? {
    guard let relation = name.replaced else { return nil }
    let copies = walk.columns(of: relation, at: link == nil ? name.path : []).compactMap { old in
      tables[table].columns.first { $0.path == old.path }.map {
        TakenRows.Copy(from: old.place, to: $0.name, type: $0.type)
      }
    }
    return taken(relation, name, copies, into: tables[table].name, link, position)
  }

  /// The links that take the place of a column by which rows hung on one other each.
  func linked(_ relation: Relation, of name: DraftName, by through: MadeTable) -> TakenRows? {
    let table = present.schema.tables[relation.kind.table]
    guard let key = table.keyColumn, let hung = relation.kind.childLink?.column else { return nil }
    let copy = TakenRows.Copy(from: key, to: through.key[1], type: through.columns[1].type)
    var taken = taken(
      relation, name, [copy], into: through.name, through.key[0], through.columns[2].name)
    taken?.isFreed = table.columns[hung].jsonPath == nil
    return taken
  }

  private func taken(
    _ relation: Relation, _ name: DraftName, _ copies: [TakenRows.Copy], into table: String,
    _ link: String?, _ position: String?
  ) -> TakenRows? {
    guard let own = tables[name.place.table].present,
      var hidden = present.declared[own].madeRelations.first(where: {
        $0.jsonPath == relation.jsonPath
      })
    else { return nil }
    hidden.jsonPath = nil
    func path(of column: Int, _ table: Int) -> [String]? {
      let place = MemberMap.ColumnPlace(table: table, column: column)
      return tables.flatMap(\.names).first { $0.known?.column == place }?.path
    }
    // Where objects have the name of what keeps its order, too, it is theirs.
    if let keeper = relation.kind.keeper, let column = relation.position?.column,
      path(of: column, keeper) != nil
    {
      hidden.position = nil
    }
    return TakenRows(
      schema: present.schema, owner: own, relation: relation, hidden: hidden, table: table,
      link: link, position: position, copies: copies,
      linkPath: relation.kind.ownColumn.flatMap { path(of: $0, own) })
  }
}
