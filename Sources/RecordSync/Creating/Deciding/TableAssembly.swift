private import SyncText

/// Puts together the tables and columns that were decided for a payload, under names that a
/// database takes.
struct TableAssembly {
  let walk: DecisionWalk
  let types: WiderTypes
  /// By the numbers of the walk's.
  var tables: [AssembledTable] = []
  var throughs: [MadeTable] = []
  private var relations: [(table: Int, name: Int, DecidedRelation)] = []
  /// Everything in the database, and the histories that there may be, in lower case.
  private var names: Set<String>

  var present: PresentTables { walk.present }

  /// What has to be done, in an order in which it can be done.
  var changes: [SchemaChange] {
    let made = tables.indices.filter { tables[$0].present == nil }.map(madeTable)
    return types.changes + (made + throughs).map { .table($0) }
      + tables.filter { $0.present != nil }.flatMap { table in
        table.columns.map { .column($0, table: table.name) }
      } + relations.sorted { ($0.table, $0.name) < ($1.table, $1.name) }.map { .relation($0.2) }
  }

  private func madeTable(_ number: Int) -> MadeTable {
    let table = tables[number]
    let evidence = walk.tables[number].origin.map { origin in
      MadeTable.Evidence.objects(
        walk.objects(under: walk.tables[origin.table].names[origin.name]),
        of: tables[origin.table].name)
    }
    return MadeTable(
      name: table.name, columns: table.columns, key: table.keyColumns,
      evidence: evidence ?? .elements(walk.outline.elements))
  }

  /// - Throws: ``PayloadProblem`` where the payload's own elements have no key.
  init(_ walk: DecisionWalk, _ types: WiderTypes) throws(PayloadProblem) {
    (self.walk, self.types) = (walk, types)
    let shared = walk.tables.filter { !$0.isOwned }.map(\.name.asciiLowercased)
    names = walk.present.names.union(shared)
    names.formUnion(names.compactMap { walk.present.history(of: $0) })
    for table in walk.tables {
      tables.append(AssembledTable(table, named: name(of: table), in: present.schema))
    }
    for number in tables.indices where tables[number].present == nil { try begin(number) }
    for number in tables.indices { addColumns(to: number) }
    for number in tables.indices { addRelations(of: number) }
    for number in tables.indices { addMark(to: number) }
  }

  // MARK: - Names

  private mutating func name(of table: DraftTable) -> String {
    guard table.isOwned, let origin = table.origin else { return table.name }
    let own = walk.tables[origin.table].names[origin.name].joined
    return take(tableNamed: own, or: "\(tables[origin.table].name)_\(own)")
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

  // MARK: - Keys

  private mutating func begin(_ number: Int) throws(PayloadProblem) {
    let table = walk.tables[number]
    guard !table.isOwned else { return beginOwned(number) }
    let members = keyMembers(of: table)
    guard !members.isEmpty else {
      throw PayloadProblem.withoutKeys(
        table: table.name, names: present.saying(of: table.name)?.key ?? PresentTables.usualKeys,
        elements: walk.outline.elements, first: nil)
    }
    for member in members { addKey(member, to: number, isAlone: members.count == 1) }
    guard members.count == 1, let key = tables[number].columns.first else { return }
    tables[number].key = .init(column: key.name, type: key.type)
  }

  /// Adds a column of a key: a truth value is a word there, since numbers may follow.
  mutating func addKey(_ name: DraftName, to number: Int, isAlone: Bool) {
    let (column, path) = takeColumn(name, of: number)
    // Two keys are never brought to one double.
    let narrowest = MadeType(name.kinds.subtracting([.nested, .oddText]), isExact: true) ?? .text
    let type = narrowest == .boolean ? .text : narrowest
    let isNumber = isAlone && type == .integer && hasKey(beside: name, in: walk.tables[number])
    tables[number].columns.append(
      MadeColumn(
        name: column, type: type, jsonPath: isNumber ? name.path : path,
        evidence: .values(name.member.scalars)))
    tables[number].keyColumns.append(column)
  }

  /// Whether a row number would be taken for one beside another key.
  private func hasKey(beside key: DraftName, in table: DraftTable) -> Bool {
    table.names.contains { other in
      other.number != key.number && other.path.count == 1
        && ["id", "remote_id"].contains { other.member.canonical.elementsEqual($0.utf8) }
    }
  }

  /// The column of a name, with the way to it where that isn't its name.
  mutating func takeColumn(_ name: DraftName, of number: Int) -> (name: String, path: [String]?) {
    tables[number].taken.insert(name.number)
    let wanted = saying(of: name, in: tables[number].name)?.column
    let column = tables[number].column(for: name.path, as: wanted)
    return (column, [column] == name.path ? nil : name.path)
  }

  /// The names that are the key of a new table.
  func keyMembers(of table: DraftTable) -> [DraftName] {
    let total = table.places.reduce(0) { $0 + walk.outline.places[$1].count }
    let rule = walk.outline.places[table.places[0]].rule
    let members = rule.names.map { key in
      table.names.filter { KeyNames.joined($0.path, present.schema.spelling) == key }
    }
    guard !rule.isAll else {
      let all = members.compactMap(\.first)
      return all.count == members.count ? all : []
    }
    let candidates = members.joined().filter { $0.member.scalars > 0 }
    let best =
      candidates.first { $0.member.scalars == total }
      ?? candidates.max { $0.member.scalars < $1.member.scalars }
    return [best].compactMap { $0 }
  }

  // MARK: - Outcomes

  /// Says what became of the objects under a name.
  mutating func decide(
    _ name: DraftName, of number: Int, _ outcome: RelationOutcome, _ evidence: Evidence,
    _ named: [MadeRelation] = [], _ taken: TakenRows? = nil
  ) {
    let relation = DecidedRelation(
      table: tables[number].name, path: name.path, outcome: outcome, evidence: evidence,
      named: named, taken: taken)
    relations.append((number, name.number, relation))
  }

  /// Adds the column by which rows are marked in place of being deleted, where that is asked for:
  /// to each table that is made but for those of links, and to the one that is synced.
  private mutating func addMark(to number: Int) {
    let table = tables[number]
    guard present.creates, number == 0 || table.present == nil,
      let name = present.saying(of: table.name)?.deletedAt ?? present.overrides.deletedAt,
      !table.has(name)
    else { return }
    tables[number].columns.append(
      MadeColumn(name: name, type: table.type(.timestamp) ?? .text, evidence: .marks))
  }
}

extension MadeColumn {
  /// A column for the order of arrays.
  static func position(named name: String) -> MadeColumn {
    MadeColumn(name: name, type: .integer, evidence: .order)
  }
}

extension DraftName {
  func isRows(of table: Int) -> Bool {
    if case .rows(table, _)? = form { true } else { false }
  }
}

extension DecisionWalk {
  func objects(under name: DraftName) -> SeenObjects {
    SeenObjects(
      count: name.inner.reduce(0) { $0 + outline.places[$1].count },
      name: JSONPath.text(of: name.path), isMany: name.member.facts.arrays > 0)
  }
}
