/// By which columns and tables the new relations of a payload are kept.
struct GrowthLinks {
  /// A table of links.
  struct Through {
    var table: Int
    var other: Int
    var member: MergedMember
    /// The column of the other table that refers to this one so far.
    var column: String?
  }

  /// A column that refers to another table's key.
  struct Link {
    var table: Int
    /// The column's name; of a member that holds the same keys, if there is one.
    var column: String
    /// The table referred to.
    var target: Int
    var isChild: Bool
    /// Whether it goes when that row does, and doesn't only lose the link.
    var goesWithParent = false
    var evidence: MadeColumn.Evidence
    /// The member whose objects are referred to, where it is the table's own.
    var member: String?
  }

  /// A column by which a row goes with another, and is to stay.
  struct Loosened: Hashable {
    var table: Int
    var column: String
  }

  private(set) var links: [Link] = []
  private(set) var loosened: Set<Loosened> = []
  private(set) var throughs: [Through] = []
  /// Relations that can't be kept.
  private(set) var refused: Set<PayloadTables.Relationship> = []
  private let tables: PayloadTables
  private let keys: GrowthKeys

  init(_ tables: PayloadTables, _ keys: GrowthKeys) {
    self.tables = tables
    self.keys = keys
    for (number, table) in tables.tables.enumerated() {
      for member in table.members where !isKey(member, of: number) {
        switch tables.meaning(of: member, in: number) {
        case .new(let way, let other): add(member, way, of: number, to: other)
        case .known(let meaning): relink(member, meaning, of: number)
        case .unknown: break
        }
      }
    }
    keepSharedChildren()
  }

  /// Children that hung on one parent each, and hang on several now.
  private mutating func relink(
    _ member: MergedMember, _ meaning: MemberMap.Meaning, of table: Int
  ) {
    let present = tables.present
    guard member.parents.isShared, let relation = meaning.relation,
      relation.table == tables.tables[table].place,
      case .toMany(let child, let column, let own) =
        present.schema.tables[relation.table].relations[relation.relation].kind,
      child != relation.table, present.schema.tables[relation.table].keyColumn == own
    else { return }
    let schema = present.schema.tables[child]
    guard let other = tables.tables.firstIndex(where: { $0.place == child }),
      keys.single[table] != nil, keys.single[other] != nil, schema.isUnique(schema.keyColumn ?? -1),
      present.unknown(in: tables.tables[table].name) == .evolve,
      present.unknown(in: schema.name) == .evolve, !schema.columns[column].isRequired,
      !present.isDeclared(relation), !isNamed(column, in: other)
    else { return }
    var through = Through(table: table, other: other, member: member)
    through.column = schema.columns[column].name
    throughs.append(through)
  }

  /// Whether objects of a table speak of a column, or of what it refers to.
  private func isNamed(_ column: Int, in table: Int) -> Bool {
    tables.tables[table].members.contains { member in
      guard case .known(let meaning) = tables.meaning(of: member, in: table) else { return false }
      if meaning.column?.column == column, meaning.column?.table == tables.tables[table].place {
        return true
      }
      guard let relation = meaning.relation else { return false }
      let kind = tables.present.schema.tables[relation.table].relations[relation.relation].kind
      return kind.ownColumn == column && relation.table == tables.tables[table].place
    }
  }

  /// A row goes with the one on which it hangs. Where others may name it as well, it may be named
  /// there when the first goes, and then stays.
  private mutating func keepSharedChildren() {
    for (number, table) in tables.tables.enumerated() {
      let children = links.indices.filter { links[$0].table == number && links[$0].isChild }
      let isNamed =
        throughs.contains { $0.other == number && $0.column == nil }
        || links.contains { $0.target == number && !$0.isChild }
      let hanging = table.place.map(hangingColumns) ?? []
      let isOnly = children.count == 1 && hanging.isEmpty && !isNamed
      for place in children {
        links[place].goesWithParent = isOnly && !(table.place.map(isNamedByOthers) ?? false)
      }
      guard isNamed || !children.isEmpty else { continue }
      for column in hanging
      where !throughs.contains(where: { $0.other == number && $0.column == column }) {
        loosened.insert(Loosened(table: number, column: column))
      }
    }
  }

  /// Whether rows of a table that is there may be named otherwise than by a parent that takes them
  /// along.
  private func isNamedByOthers(_ place: Int) -> Bool {
    tables.present.schema.tables.contains { table in
      table.foreignKeys.contains { $0.table == place && $0.onDelete != .cascade }
        || table.relations.contains { relation in
          guard case .manyToMany(_, _, _, _, place, _) = relation.kind else { return false }
          return true
        }
    }
  }

  /// The columns by which the rows of a table go with others.
  private func hangingColumns(_ place: Int) -> [String] {
    let table = tables.present.schema.tables[place]
    return table.foreignKeys.filter { key in
      key.onDelete == .cascade && !table.columns[key.column].isRequired
        && !table.primaryKey.contains(key.column)
    }.map { table.columns[$0.column].name }
  }

  /// The link whose column has the name of this member.
  func link(_ table: Int, named name: String) -> Link? {
    links.first { $0.table == table && $0.column == name }
  }

  private mutating func add(
    _ member: MergedMember, _ way: MergedMember.Way, of table: Int, to other: Int
  ) {
    let name = PayloadTables.Relationship(tables.tables[table].name, member.name)
    guard keys.single[way == .one ? other : table] != nil, keys.single[other] != nil else {
      refused.insert(name)
      return
    }
    if way == .one {
      guard let link = toOne(member, of: table, to: other) else {
        refused.insert(name)
        return
      }
      add(link)
    } else if isShared(member, of: table, in: other) {
      // A table of links between rows of one table gives no name to either side.
      guard table != other else {
        refused.insert(name)
        return
      }
      let isKept = throughs.contains { $0.table == other && $0.other == table }
      if !isKept { throughs.append(Through(table: table, other: other, member: member)) }
    } else {
      guard let link = toParent(member, from: other, to: table) else {
        refused.insert(name)
        return
      }
      add(link)
    }
  }

  /// Whether an object hangs on several of these, or these hang on several of it, as its own arrays
  /// of them tell.
  private func isShared(_ member: MergedMember, of table: Int, in other: Int) -> Bool {
    if member.parents.isShared { return true }
    guard table != other else { return false }
    return tables.tables[other].members.contains { back in
      guard back.parents.isShared, !isKey(back, of: other),
        case .new(.many, table) = tables.meaning(of: back, in: other)
      else { return false }
      return true
    }
  }

  /// Where an object names the one in whose array it stands, both are kept by one column.
  private mutating func add(_ link: Link) {
    if let known = links.firstIndex(where: {
      $0.table == link.table && $0.column == link.column && $0.target == link.target
    }) {
      links[known].isChild = links[known].isChild || link.isChild
      links[known].member = links[known].member ?? link.member
    } else {
      links.append(link)
    }
  }

  private func toOne(_ member: MergedMember, of table: Int, to other: Int) -> Link? {
    let key = member.canonical + Array("_id".utf8)
    var link = Link(
      table: table, column: member.name + "_id", target: other, isChild: false,
      evidence: .objects(member.facts.objects, name: member.name), member: member.name)
    let beside = tables.tables[table].members.filter { $0.canonical == key }
    if beside.count == 1, isNew(beside[0], in: table), !isKey(beside[0], of: table),
      beside[0].facts.values == member.keysBeside
    {
      link.column = beside[0].name
      if member.keysBeside > 0 {
        link.evidence = .equalKeys(member.keysBeside, name: member.name)
      }
      return link
    }
    if beside.isEmpty, isFree(link.column, in: table, for: other) { return link }
    link.column = member.name
    return isFree(link.column, in: table, for: other, but: member.name) ? link : nil
  }

  private func toParent(_ member: MergedMember, from child: Int, to parent: Int) -> Link? {
    let columns = parentColumns(parent, of: child)
    let inside = tables.places(under: .init(tables.tables[parent].name, member.name))
    var link = Link(
      table: child, column: "", target: parent, isChild: true,
      evidence: .arrays(member.objects, name: member.name), member: nil)
    for column in columns {
      // Each value has to name a row of that very table: the objects may stand under others, too.
      guard let naming = self.member(spelled: column, of: child), naming.facts.values > 0,
        naming.facts.values == tables.keysOfParent(under: naming, at: inside),
        isNew(naming, in: child), !isKey(naming, of: child)
      else { continue }
      link.column = naming.name
      link.evidence = .equalParents(naming.facts.values, name: member.name)
      return link
    }
    guard let free = columns.first(where: { isFree($0, in: child, for: parent) }) else {
      return nil
    }
    link.column = free
    return link
  }

  /// What a column may be called that refers to a parent: `post_id` for `posts`. The name that the
  /// other row then has must not be that of the children.
  private func parentColumns(_ parent: Int, of child: Int) -> [String] {
    let names = tables.present.schema.spelling.singulars(of: tables.tables[parent].name)
    var others = [spelled(tables.tables[child].name)]
    // Of children that hang on each other it would say the opposite.
    if parent == child { others.append(spelled("child")) }
    return names.filter { !others.contains(spelled($0)) }.map { $0 + "_id" }
      + (parent == child ? ["parent_id"] : ["parent_\(tables.tables[parent].name)_id"])
  }

  private func member(spelled name: String, of table: Int) -> MergedMember? {
    let naming = tables.tables[table].members.filter { $0.canonical == spelled(name) }
    return naming.count == 1 ? naming[0] : nil
  }

  private func spelled(_ name: String) -> [UInt8] {
    tables.present.schema.spelling.canonical(Array(name.utf8))
  }

  private func isNew(_ member: MergedMember, in table: Int) -> Bool {
    if case .unknown = tables.meaning(of: member, in: table) {
      return member.scalars == member.facts.values
    }
    return false
  }

  private func isKey(_ member: MergedMember, of table: Int) -> Bool {
    keys.members[table].contains { $0.name == member.name }
  }

  /// Whether a new column of the name would be in nobody's way, or is one that is added anyway.
  private func isFree(
    _ column: String, in table: Int, for target: Int, but own: String? = nil
  ) -> Bool {
    let canonical = spelled(column)
    if let link = links.first(where: { $0.table == table && $0.column == column }) {
      return link.target == target
    }
    let isNamed = tables.tables[table].members.contains {
      $0.canonical == canonical && $0.name != own
    }
    guard !isNamed, let place = tables.tables[table].place else { return !isNamed }
    return !tables.present.schema.tables[place].columns.contains { spelled($0.name) == canonical }
  }
}
