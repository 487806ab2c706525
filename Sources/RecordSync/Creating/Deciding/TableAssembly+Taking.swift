/// Takes the rows that relations led to which a payload contradicts.
extension TableAssembly {
  /// What a name takes from the relation that it was before: into a table of its own, or into
  /// columns of the row.
  func taken(
    _ relation: Relation, by name: DraftName, of number: Int, into table: Int,
    link: String? = nil, _ position: String? = nil
  ) -> TakenRows? {
    let path = link == nil ? name.path : []
    let copies = walk.columns(of: relation, at: path).compactMap { old in
      tables[table].columns.first { $0.path == old.path }.map {
        TakenRows.Copy(from: old.place, to: $0.name, type: $0.type)
      }
    }
    return taken(relation, of: number, copies, into: tables[table].name, link: link, position)
  }

  /// The links that take the place of a column by which rows hung on one other each.
  func linked(_ relation: Relation, of number: Int, by through: MadeTable) -> TakenRows? {
    let table = present.schema.tables[relation.kind.table]
    guard let key = table.keyColumn, let hung = relation.kind.childLink?.column else { return nil }
    let copy = TakenRows.Copy(from: key, to: through.key[1], type: through.columns[1].type)
    var taken = taken(
      relation, of: number, [copy], into: through.name, link: through.key[0],
      through.columns.last?.name)
    taken?.isFreed = table.columns[hung].jsonPath == nil
    return taken
  }

  private func taken(
    _ relation: Relation, of number: Int, _ copies: [TakenRows.Copy], into table: String,
    link: String?, _ position: String?
  ) -> TakenRows? {
    guard let own = tables[number].present,
      var hidden = present.declared[own].madeRelations.first(where: {
        $0.jsonPath == relation.jsonPath
      })
    else { return nil }
    hidden.jsonPath = nil
    // Where objects have the name of what keeps its order, too, it is theirs.
    if let keeper = relation.kind.keeper, let column = relation.position?.column,
      walk.names(of: .init(table: keeper, column: column)).first != nil
    {
      hidden.position = nil
    }
    let linkPath = relation.kind.ownColumn.flatMap { column in
      walk.names(of: .init(table: own, column: column)).first?.path
    }
    return TakenRows(
      schema: present.schema, owner: own, relation: relation, hidden: hidden, table: table,
      link: link, position: position, copies: copies, linkPath: linkPath)
  }
}

extension DecisionWalk {
  /// The names that mean a column.
  fileprivate func names(of column: MemberMap.ColumnPlace) -> [DraftName] {
    tables.flatMap(\.names).filter { $0.known?.column == column }
  }
}
