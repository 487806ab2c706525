private import SyncText

/// What the tables of a database have to become so that all of a payload fits into them, and why:
/// the tables and columns that a walk decided on, under names that a database takes. Nothing is
/// done.
struct SchemaDecision {
  let walk: DecisionWalk
  let types: WiderTypes
  var tables: [DraftTable]
  var throughs: [MadeTable] = []
  private var relations: [(name: NamePlace, decided: DecidedRelation)] = []
  /// Everything in the database, and the histories that there may be, in lower case.
  private var names: Set<String>

  var present: PresentTables { walk.present }

  /// The changes, in an order in which they can be made; none where everything fits already.
  var changes: [SchemaChange] {
    let made = tables.indices.filter { tables[$0].present == nil }.map(madeTable)
    let columns = tables.filter { $0.present != nil }.flatMap { table in
      table.columns.map { SchemaChange.column($0, table: table.name) }
    }
    let decided = relations.sorted {
      ($0.name.table, $0.name.name) < ($1.name.table, $1.name.name)
    }
    return types.changes + (made + throughs).map { .table($0) } + columns
      + decided.map { .relation($0.decided) }
  }

  private func madeTable(_ number: Int) -> MadeTable {
    let source = tables[number].origin.map { origin in
      MadeSource.objects(walk.objects(under: walk[origin]), of: tables[origin.table].name)
    }
    return MadeTable(
      name: tables[number].name, columns: tables[number].columns, key: tables[number].keyColumns,
      source: source ?? .elements(walk.outline.elements))
  }

  /// - Parameters:
  ///   - table: The table of the payload's elements.
  ///   - flatten: In how many objects the names of a flat one may stand.
  ///   - crowded: What was found to hang on several rows as the payload was written. Default none.
  ///   - look: What is asked of columns that are there.
  /// - Throws: ``PayloadProblem`` where no element has a key; ``SchemaProblem`` for a table that
  ///   can't be synced.
  init(
    for outline: PayloadOutline, _ findings: KeyFindings, of table: String,
    in present: PresentTables, flatten: Int = 2, crowded: Set<CrowdedLink> = [],
    _ look: ColumnLook = ColumnLook()
  ) throws {
    let top = present.schema.place(of: table).map { present.schema.tables[$0] }
    if let problem = top?.key.problem { throw problem }
    walk = DecisionWalk(
      outline, findings, of: table, in: present, flatten: flatten, crowded: crowded)
    types = try WiderTypes(for: walk, look)
    tables = walk.tables
    names = present.names.union(tables.filter { !$0.isOwned }.map(\.name.asciiLowercased))
    names.formUnion(names.compactMap { present.history(of: $0) })
    for number in tables.indices { enter(number) }
    for number in tables.indices where tables[number].present == nil { try begin(number) }
    for number in tables.indices { addColumns(to: number) }
    for number in tables.indices { addRelations(of: number) }
    for number in tables.indices { addMark(to: number) }
  }

  // MARK: - Names

  /// Takes what a table has, or a name for it.
  private mutating func enter(_ number: Int) {
    if tables[number].isOwned, let origin = tables[number].origin {
      let own = walk[origin].joined
      tables[number].name = take(tableNamed: own, or: "\(tables[origin.table].name)_\(own)")
    }
    guard let there = there(number) else { return }
    tables[number].used = Set(there.columns.map(\.name.asciiLowercased))
    guard let key = there.keyColumn.map({ there.columns[$0] }) else { return }
    tables[number].key = .init(column: key.name, type: MadeType(referringTo: key.type))
  }

  /// A table as it is, if it is there.
  func there(_ number: Int) -> TableSchema? {
    tables[number].present.map { present.schema.tables[$0] }
  }

  mutating func take(tableNamed name: String, or other: String) -> String {
    let isFree = SafeNames.isTable(name) && !names.contains(name.asciiLowercased)
    let name = SafeNames.table(for: isFree ? name : other, besides: names)
    names.insert(name.asciiLowercased)
    if let history = present.history(of: name) { names.insert(history) }
    return name
  }

  mutating func takeIndex(_ table: String, _ column: String) -> String {
    let name = SafeNames.index(table, column, besides: names)
    names.insert(name.asciiLowercased)
    return name
  }

  /// A column for what stands under a way: its name as it is, or that of the ways within objects,
  /// which leaves other names theirs.
  mutating func column(for path: [String], as wanted: String? = nil, of number: Int) -> String {
    let others = path.count > 1 ? tables[number].plainNames : []
    return keep(
      SafeNames.column(
        for: wanted ?? path.joined(separator: "_"), besides: tables[number].used.union(others)),
      of: number)
  }

  /// A column that no object has the name of, the first of these that is free.
  mutating func own(_ names: [String], of number: Int) -> String {
    if let free = names.first(where: { isFree($0, of: number) }) { return keep(free, of: number) }
    let others = tables[number].plainNames + spoken(in: number).map(\.asciiLowercased)
    return keep(
      SafeNames.column(
        for: names.last ?? "link", besides: tables[number].used.union(others)), of: number)
  }

  func isFree(_ name: String, but own: String? = nil, of number: Int) -> Bool {
    SafeNames.isColumn(name) && !tables[number].used.contains(name.asciiLowercased)
      && (name == own || !spoken(in: number).contains(present.schema.spelling.snake(name)))
  }

  /// The names that objects have, and those of columns, in one form for all spellings.
  private func spoken(in number: Int) -> [String] {
    let columns = there(number)?.columns.map(\.name) ?? []
    return (tables[number].names.map(\.path[0]) + columns).map(present.schema.spelling.snake)
  }

  private mutating func keep(_ column: String, of number: Int) -> String {
    tables[number].used.insert(column.asciiLowercased)
    return column
  }

  /// A type as a table takes it; `nil` for one that it can't take.
  func type(_ type: MadeType, in number: Int) -> MadeType? {
    there(number)?.isStrict == true ? type.strict : type
  }

  // MARK: - Keys

  private mutating func begin(_ number: Int) throws(PayloadProblem) {
    let table = tables[number]
    guard !table.isOwned else { return beginOwned(number) }
    let members = keyMembers(of: table)
    guard !members.isEmpty else {
      throw PayloadProblem.withoutKeys(
        table: table.name, names: present.saying(of: table.name)?.key ?? PresentTables.usualKeys,
        elements: walk.outline.elements, first: nil)
    }
    for member in members { addKey(member, isAlone: members.count == 1) }
    guard members.count == 1, let key = tables[number].columns.first else { return }
    tables[number].key = .init(column: key.name, type: key.type)
  }

  /// Adds a column of a key: a truth value is a word there, since numbers may follow.
  mutating func addKey(_ name: DraftName, isAlone: Bool) {
    let (number, (column, path)) = (name.place.table, takeColumn(name))
    // Two keys are never brought to one double.
    let narrowest = MadeType(name.kinds.subtracting([.nested, .oddText]), isExact: true) ?? .text
    let type = narrowest == .boolean ? .text : narrowest
    // A row number would be taken for a key beside it.
    let isBesideKey = tables[number].names.contains { other in
      other.place != name.place && other.path.count == 1
        && PresentTables.isKeyName(other.member.canonical)
    }
    tables[number].columns.append(
      MadeColumn(
        name: column, type: type,
        jsonPath: isAlone && type == .integer && isBesideKey ? name.path : path,
        source: .values(name.member.scalars)))
    tables[number].keyColumns.append(column)
  }

  /// The column of a name, with the way to it where that isn't its name.
  mutating func takeColumn(_ name: DraftName) -> (name: String, path: [String]?) {
    let number = name.place.table
    tables[number].taken.insert(name.place)
    let wanted = saying(of: name)?.column
    let column = column(for: name.path, as: wanted, of: number)
    return (column, [column] == name.path ? nil : name.path)
  }

  /// The names that are the key of a new table.
  func keyMembers(of table: DraftTable) -> [DraftName] {
    let total = table.places.reduce(0) { $0 + walk.outline.places[$1].count }
    let rule = walk.outline.places[table.places[0]].rule
    let members = rule.names.map { key in
      table.names.filter { KeyNames.joined($0.path, present.schema.spelling) == key }
    }
    if rule.isAll { return members.contains(where: \.isEmpty) ? [] : members.map { $0[0] } }
    let candidates = members.joined().filter { $0.member.scalars > 0 }
    let best =
      candidates.first { $0.member.scalars == total }
      ?? candidates.max { $0.member.scalars < $1.member.scalars }
    return [best].compactMap { $0 }
  }

  // MARK: - Outcomes

  /// Says what became of the objects under a name.
  mutating func decide(
    _ name: DraftName, _ outcome: RelationOutcome, _ evidence: Evidence,
    _ named: [MadeRelation] = [], _ taken: TakenRows? = nil
  ) {
    let relation = DecidedRelation(
      table: tables[name.place.table].name, path: name.path, outcome: outcome, evidence: evidence,
      named: named, taken: taken)
    relations.append((name.place, relation))
  }

  /// Adds the column by which rows are marked in place of being deleted, where that is asked for:
  /// to each table that is made but for those of links, and to the one that is synced.
  private mutating func addMark(to number: Int) {
    let table = tables[number]
    guard present.creates, number == 0 || table.present == nil,
      let name = present.saying(of: table.name)?.deletedAt ?? present.overrides.deletedAt,
      !table.used.contains(name.asciiLowercased)
    else { return }
    tables[number].columns.append(
      MadeColumn(name: name, type: type(.timestamp, in: number) ?? .text, source: .marks))
  }
}

extension MadeColumn {
  /// A column for the order of arrays.
  static func position(named name: String) -> MadeColumn {
    MadeColumn(name: name, type: .integer, source: .order)
  }
}

extension DecisionWalk {
  func objects(under name: DraftName) -> SeenObjects {
    SeenObjects(
      count: name.inner.reduce(0) { $0 + outline.places[$1].count },
      name: JSONPath.text(of: name.path), isMany: name.member.facts.arrays > 0)
  }
}
