private import SyncText

/// Takes the rows that relations led to which a payload contradicts.
extension TableAssembly {
  /// A relation that a name was before, which stands nowhere any more.
  func hidden(_ relation: Relation?, of number: Int) -> [DecidedRelation.NamedRelation] {
    guard let relation, let own = walk.tables[number].present,
      var made = present.declared[own].madeRelations.first(where: {
        $0.jsonPath == relation.jsonPath
      })
    else { return [] }
    made.jsonPath = nil
    // Where objects have the name of what keeps its order, too, it is theirs.
    if let keeper = relation.kind.keeper, let column = relation.position?.column,
      isNamed(column, of: keeper)
    {
      made.position = nil
    }
    return [.init(table: tableNames[number], relation: made)]
  }

  private func isNamed(_ column: Int, of place: Int) -> Bool {
    walk.tables.contains { table in
      table.names.contains { $0.known?.column == .init(table: place, column: column) }
    }
  }

  /// What a name takes from the relation that it was before: into a table of its own, or into
  /// columns. Columns that no object has this time are added.
  mutating func taken(
    _ name: DraftName, of number: Int, by child: Int? = nil, _ position: String? = nil
  ) -> TakenRows? {
    guard let relation = name.replaced else { return nil }
    let table = relation.kind.table
    var copies: [TakenRows.Copy] = []
    for (place, column) in present.schema.tables[table].columns.enumerated()
    where column.isNamed && !column.isToldByOrder && place != relation.kind.childLink?.column {
      let path = (child == nil ? name.path : []) + (column.jsonPath ?? [column.name])
      let declared = MadeType(rawValue: present.declared[table].columns[place].type)
      let (to, type) = self.column(
        for: path, of: child ?? number, holding: declared ?? MadeType(referringTo: column.type))
      copies.append(.init(from: place, to: to, type: type))
    }
    return taken(
      relation, of: number, copies, into: tableNames[child ?? number],
      link: child.flatMap { keyColumns[$0].first }, position)
  }

  func taken(
    _ relation: Relation, of number: Int, _ copies: [TakenRows.Copy], into table: String,
    link: String? = nil, _ position: String? = nil
  ) -> TakenRows? {
    walk.tables[number].present.map { own in
      TakenRows(
        schema: present.schema, owner: own, relation: relation, table: table, link: link,
        position: position, copies: copies, linkPath: linkPath(relation, of: number))
    }
  }

  /// The name under which objects have the key of the row that a relation names.
  private func linkPath(_ relation: Relation, of number: Int) -> [String]? {
    guard let column = relation.kind.ownColumn else { return nil }
    let name = walk.tables[number].names.first {
      $0.known?.column?.column == column && $0.known?.column?.table == walk.tables[number].present
    }
    return name?.path
  }

  /// The column of a way, added where there is none, which is to hold what another one does.
  private mutating func column(
    for path: [String], of number: Int, holding old: MadeType
  ) -> (name: String, MadeType) {
    if let place = columns[number].firstIndex(where: { $0.path == path }) {
      let type = columns[number][place].type.holding(old, isExact: present.isExact)
      columns[number][place].type = type
      return (columns[number][place].name, type)
    }
    let name = names.column(for: path, of: number)
    let type = type(old, in: number) ?? .text
    columns[number].append(
      MadeColumn(
        name: name, type: type, jsonPath: path == [name] ? nil : path, evidence: .values(0)))
    return (name, type)
  }
}

extension MadeType {
  /// The narrowest type that holds what another one holds, too.
  fileprivate func holding(_ old: MadeType, isExact: Bool) -> MadeType {
    let kinds = [self, old].compactMap {
      MadeType.kinds(of: ColumnType(declared: $0.rawValue, isStrict: false), isWide: false)
    }
    guard self != old, kinds.count == 2 else { return self }
    return MadeType(kinds[0].union(kinds[1]), isExact: isExact) ?? self
  }
}
