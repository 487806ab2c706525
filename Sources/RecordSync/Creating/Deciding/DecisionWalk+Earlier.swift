private import SyncText

/// Relations that were made for earlier payloads, and what a later one may make of them.
extension DecisionWalk {
  /// The column that was made for the order of a relation's arrays.
  func order(of relation: Relation) -> Int? {
    guard case .toMany(let child, _, _) = relation.kind, relation.isMade,
      let column = relation.position?.column,
      present.unknown(in: present.schema.tables[child].name) == .evolve,
      present.schema.tables[child].columns[column].isToldByOrder
    else { return nil }
    return column
  }

  /// The relation that was made for a name, of which nobody has said what it is to be.
  private func made(_ meaning: MemberMap.Meaning?, _ name: NamePlace) -> Relation? {
    let table = tables[name.table]
    guard let place = meaning?.relation, place.table == table.present, table.policy == .evolve,
      present.saying(of: table.name)?.relations.isEmpty != false
    else { return nil }
    let relation = present.schema.tables[place.table].relations[place.relation]
    return relation.isMade && !relation.isPerParent ? relation : nil
  }

  /// The relation that was made for a name, if its rows have nothing but columns, and can be owned
  /// by the ones on which they hang, or be columns of these.
  func replaceable(
    _ meaning: MemberMap.Meaning, by member: SeenMember, _ name: NamePlace
  ) -> Relation? {
    let path = self[name].path
    guard let relation = made(meaning, name), tables[name.table].hasKey, !member.isCut,
      relation.jsonPath == path
    else { return nil }
    let other = present.schema.tables[relation.kind.table]
    guard other.relations.isEmpty, other.base == nil, other.extensions.isEmpty,
      other.keyColumn != nil
    else { return nil }
    let facts = member.facts
    let isPlain = member.plainElements == 0 && member.oddElements == 0
    let key = keyColumn(of: name)
    switch relation.kind {
    case .toMany(_, _, key), .manyToMany(_, _, key, _, _, _):
      return facts.arrays == facts.values && isPlain ? relation : nil
    case .toOne:
      guard let inner = member.object, facts.objects == facts.values else { return nil }
      return flat(inner, path, name.table) == nil ? relation : nil
    case .inverseToOne, .toMany, .manyToMany: return nil
    }
  }

  private func keyColumn(of name: NamePlace) -> Int? {
    tables[name.table].present.flatMap { present.schema.tables[$0].keyColumn }
  }

  /// The relation that was made for a name, where each of its rows hangs on one other and some are
  /// named under several now, so that a table of links has to take its place.
  func outgrown(_ name: DraftName) -> Relation? {
    let key = keyColumn(of: name.place)
    guard let relation = made(name.known, name.place),
      case .toMany(let other, let column, key) = relation.kind
    else { return nil }
    let child = present.schema.tables[other]
    let link = CrowdedLink(table: child.name, column: child.columns[column].name)
    return isSeveral(name) || crowded.contains(link) ? relation : nil
  }

  /// The columns of a relation's rows that are theirs alone, with their ways below another one.
  func columns(of relation: Relation, at path: [String]) -> [(place: Int, path: [String])] {
    let columns = present.schema.tables[relation.kind.table].columns
    return columns.indices.filter { place in
      columns[place].isNamed && !columns[place].isToldByOrder
        && place != relation.kind.childLink?.column
    }.map { ($0, path + (columns[$0].jsonPath ?? [columns[$0].name])) }
  }

  /// Has the columns of a relation that a name was before stand among what takes its place.
  mutating func takeColumns(of relation: Relation, _ name: NamePlace) {
    var (own, path) = (name.table, self[name].path)
    switch self[name].form {
    case .flat?: break
    case .owned(let child)?: (own, path) = (child, [])
    case .plain?, .whole?, .rows?, nil: return
    }
    let other = relation.kind.table
    for (place, path) in columns(of: relation, at: path) {
      let member = SeenMember(Array((path.last ?? "").utf8), present.schema.spelling)
      let taking = add(member, path, to: own)
      if !self[taking].forms.contains(.whole) { self[taking].forms.insert(.plain) }
      self[taking].held =
        MadeType(rawValue: present.declared[other].columns[place].type)
        ?? MadeType(referringTo: present.schema.tables[other].columns[place].type)
    }
  }
}
