private import SyncText

/// Puts together the tables and columns that were decided for a payload, under names that a
/// database takes.
struct TableAssembly {
  let walk: DecisionWalk
  let types: WiderTypes
  /// The names of the tables, by their numbers.
  private(set) var tableNames: [String] = []
  /// The keys by which other rows can name those of a table.
  private(set) var keys: [Key?] = []
  var names: AssemblyNames
  var made: [Int: MadeTable] = [:]
  var added: [Int: [MadeColumn]] = [:]
  var throughs: [MadeTable] = []
  private var relations: [(table: Int, name: Int, DecidedRelation)] = []

  struct Key {
    var column: String
    var type: MadeType
  }

  var present: PresentTables { walk.present }

  /// What has to be done, in an order in which it can be done.
  var changes: [SchemaChange] {
    let numbers = walk.tables.indices
    return types.changes + numbers.compactMap { made[$0].map { .table($0) } }
      + throughs.map { .table($0) }
      + numbers.flatMap { number in
        (added[number] ?? []).map { .column($0, table: tableNames[number]) }
      } + relations.sorted { ($0.table, $0.name) < ($1.table, $1.name) }.map { .relation($0.2) }
  }

  /// - Throws: ``PayloadProblem`` where the payload's own elements have no key.
  init(_ walk: DecisionWalk, _ types: WiderTypes) throws(PayloadProblem) {
    self.walk = walk
    self.types = types
    names = AssemblyNames(walk)
    nameTables()
    for number in walk.tables.indices { try begin(number) }
    for number in walk.tables.indices { addColumns(to: number) }
    for number in walk.tables.indices { addRelations(of: number) }
  }

  // MARK: - Tables

  private mutating func nameTables() {
    for table in walk.tables {
      guard let owner = table.owner else {
        tableNames.append(table.name)
        continue
      }
      let own = walk.tables[owner.table].names[owner.name].joined
      let longer = "\(tableNames[owner.table])_\(own)"
      tableNames.append(names.table(own, or: longer))
    }
  }

  private mutating func begin(_ number: Int) throws(PayloadProblem) {
    let table = walk.tables[number]
    if let place = table.present {
      keys.append(key(ofPresent: place))
      return
    }
    made[number] = MadeTable(
      name: tableNames[number], columns: [], key: [], evidence: evidence(of: number))
    guard table.owner == nil else {
      keys.append(nil)
      beginOwned(number)
      return
    }
    let members = keyMembers(of: number)
    guard !members.isEmpty else {
      throw PayloadProblem.withoutKeys(
        table: table.name, names: present.saying(of: table.name)?.key ?? PresentTables.usualKeys,
        elements: walk.outline.elements, first: nil)
    }
    for member in members {
      let name = table.names[member]
      let wanted = saying(of: name, in: table.name)?.column ?? name.joined
      let isPlain = name.path.count == 1
      let column = isPlain ? names.plain(wanted, of: number) : names.flat(wanted, of: number)
      names.take(member, of: number)
      let type = Self.keyType(name.member)
      let isNumber = type == .integer && members.count == 1 && hasKeyBeside(member, in: table)
      let isNamed = [column] != name.path || isNumber
      made[number]?.columns.append(
        MadeColumn(
          name: column, type: type, jsonPath: isNamed ? name.path : nil,
          evidence: .values(name.member.scalars)))
      made[number]?.key.append(column)
    }
    let first = made[number]?.columns.first
    keys.append(members.count == 1 ? first.map { Key(column: $0.name, type: $0.type) } : nil)
  }

  private func key(ofPresent place: Int) -> Key? {
    let table = present.schema.tables[place]
    guard let column = table.keyColumn.map({ table.columns[$0] }) else { return nil }
    return Key(column: column.name, type: MadeType(referringTo: column.type))
  }

  /// The names that are the key of a new table.
  private func keyMembers(of number: Int) -> [Int] {
    let table = walk.tables[number]
    let total = table.places.reduce(0) { $0 + walk.outline.places[$1].count }
    let rule = walk.outline.places[table.places[0]].rule
    func members(_ canonical: [UInt8]) -> [Int] {
      table.names.indices.filter { walk.isKey(table.names[$0], canonical) }
    }
    if case .all(let names) = rule {
      let all = names.compactMap { members($0).first }
      return all.count == names.count ? all : []
    }
    let candidates = rule.names.flatMap(members)
    let scalars = { (member: Int) in table.names[member].member.scalars }
    let best =
      candidates.first { scalars($0) == total }
      ?? candidates.max { scalars($0) < scalars($1) }
    return [best].compactMap { $0 }.filter { scalars($0) > 0 }
  }

  /// Whether a row number would be taken for one beside another key.
  private func hasKeyBeside(_ key: Int, in table: DraftTable) -> Bool {
    table.names.indices.contains { other in
      let canonical = table.names[other].member.canonical
      return other != key && table.names[other].path.count == 1
        && ["id", "remote_id"].contains { canonical.elementsEqual($0.utf8) }
    }
  }

  /// The type of a key's column: a truth value is a word there, since numbers may follow.
  static func keyType(_ member: SeenMember) -> MadeType {
    // Two keys are never brought to one double.
    let kinds = member.facts.kinds.subtracting([.nested, .oddText])
    let type = MadeType(kinds, isExact: true) ?? .text
    return type == .boolean ? .text : type
  }

  private func evidence(of number: Int) -> MadeTable.Evidence {
    guard number > 0 else { return .elements(walk.outline.elements) }
    for (other, table) in walk.tables.enumerated() {
      for (place, name) in table.names.enumerated() {
        let isOwner = walk.tables[number].owner == .init(table: other, name: place)
        guard isOwner || name.isRows(of: number) else { continue }
        let count = walk.objects(under: name)
        let text = JSONPath.text(of: name.path)
        return name.member.facts.arrays > 0
          ? .arrays(count, name: text, of: tableNames[other])
          : .objects(count, name: text, of: tableNames[other])
      }
    }
    return .elements(0)
  }

  /// Says what became of the objects under a name.
  mutating func decide(
    _ name: DraftName, of number: Int, _ outcome: RelationOutcome, _ evidence: Evidence,
    _ named: [DecidedRelation.NamedRelation] = [], _ taken: TakenRows? = nil
  ) {
    let place = walk.tables[number].numbers[name.path] ?? 0
    let relation = DecidedRelation(
      table: tableNames[number], path: name.path, outcome: outcome, evidence: evidence,
      named: named, taken: taken)
    relations.append((number, place, relation))
  }

  /// Adds a column to a table that is made, or to one that is there.
  mutating func add(_ column: MadeColumn, to number: Int) {
    if made[number] == nil {
      added[number, default: []].append(column)
    } else {
      made[number]?.columns.append(column)
    }
  }

  /// A type as a table takes it; `nil` for one that it can't take.
  func type(_ type: MadeType, in number: Int) -> MadeType? {
    guard let place = walk.tables[number].present, present.schema.tables[place].isStrict else {
      return type
    }
    return type.strict
  }
}

extension DraftName {
  func isRows(of table: Int) -> Bool {
    if case .rows(table, _)? = form { true } else { false }
  }
}

extension DecisionWalk {
  func objects(under name: DraftName) -> Int {
    name.inner.reduce(0) { $0 + outline.places[$1].count }
  }
}
