private import SyncText

/// Takes the rows that relations led to which a payload contradicts.
extension TableAssembly {
  /// The relation that a name was before, which stands nowhere any more.
  func hidden(_ name: DraftName, of number: Int) -> [DecidedRelation.NamedRelation] {
    name.replaced.map { [hidden($0, of: number)] } ?? []
  }

  func hidden(_ relation: Relation, of number: Int) -> DecidedRelation.NamedRelation {
    let tables = present.schema.tables
    let own = walk.tables[number].present ?? 0
    let other = relation.kind.table
    // Where objects have its name, too, it is theirs.
    let position = relation.position.flatMap { isNamed($0.column, of: other) ? nil : $0.column }
    let made: MadeRelation =
      switch relation.kind {
      case .toOne(let column, _, _): MadeRelation(column: tables[own].columns[column].name)
      case .inverseToOne(_, let column, _), .toMany(_, let column, _):
        MadeRelation(
          column: tables[other].columns[column].name, other: tables[other].name,
          position: position.map { tables[other].columns[$0].name })
      case .manyToMany(let through, let here, _, _, _, _):
        MadeRelation(
          column: tables[through].columns[here].name, other: tables[other].name,
          through: tables[through].name, position: position.map { tables[through].columns[$0].name }
        )
      }
    return .init(table: tables[own].name, relation: made)
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
      let old = declared ?? MadeType(referringTo: column.type)
      let (to, type) = self.column(for: path, of: child ?? number, holding: old)
      copies.append(.init(from: column.name, to: to, change: .init(from: declared, to: type)))
    }
    guard let child, let made = made[child] else {
      return taken(relation, of: number, copies, into: tableNames[number])
    }
    return taken(relation, of: number, copies, into: made.name, link: made.key[0], position)
  }

  func taken(
    _ relation: Relation, of number: Int, _ copies: [TakenRows.Copy], into table: String,
    link: String? = nil, _ position: String? = nil
  ) -> TakenRows {
    let tables = present.schema.tables
    let own = walk.tables[number].present ?? 0
    let rows = tables[relation.kind.table]
    let order = relation.position?.column
    let way: TakenRows.Way =
      switch relation.kind {
      case .toOne(let column, _, let target):
        .reference(column: tables[own].columns[column].name, target: rows.columns[target].name)
      case .inverseToOne(_, let column, _), .toMany(_, let column, _):
        .children(
          link: rows.columns[column].name, position: order.map { rows.columns[$0].name })
      case .manyToMany(let through, let here, _, let there, _, let target):
        .links(
          through: tables[through].name, here: tables[through].columns[here].name,
          there: tables[through].columns[there].name, target: rows.columns[target].name,
          position: order.map { tables[through].columns[$0].name })
      }
    let key = rows.keyColumn.map { rows.columns[$0].name } ?? ""
    let mark = rows.mark.map { rows.columns[$0].name }
    let through = relation.kind.through.map { tables[$0] }
    return TakenRows(
      owner: tables[own].name, rows: rows.name, key: key, way: way, table: table, link: link,
      position: position, copies: copies,
      mark: copies.contains { $0.from == mark } ? nil : mark,
      linkMark: through.flatMap { table in table.mark.map { table.columns[$0].name } },
      linkPath: linkPath(relation, of: number))
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
    var columns = made[number]?.columns ?? added[number] ?? []
    if let place = columns.firstIndex(where: { ($0.jsonPath ?? [$0.name]) == path }) {
      columns[place].type = columns[place].type.holding(old, isExact: present.isExact)
      if made[number] == nil { added[number] = columns } else { made[number]?.columns = columns }
      return (columns[place].name, columns[place].type)
    }
    let joined = path.joined(separator: "_")
    let name = path.count == 1 ? names.plain(joined, of: number) : names.flat(joined, of: number)
    add(
      MadeColumn(
        name: name, type: old, jsonPath: path == [name] ? nil : path, evidence: .values(0)),
      to: number)
    return (name, old)
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
