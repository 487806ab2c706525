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
  /// What is made of columns, of tables that are made and of those that are there.
  var columns: [[MadeColumn]]
  /// The columns of the keys of tables that are made.
  var keyColumns: [[String]]
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
    return types.changes + numbers.filter(isMade).map { .table(table($0)) }
      + throughs.map { .table($0) }
      + numbers.filter { !isMade($0) }.flatMap { number in
        columns[number].map { .column($0, table: tableNames[number]) }
      } + relations.sorted { ($0.table, $0.name) < ($1.table, $1.name) }.map { .relation($0.2) }
  }

  private func table(_ number: Int) -> MadeTable {
    MadeTable(
      name: tableNames[number], columns: columns[number], key: keyColumns[number],
      evidence: evidence(of: number))
  }

  func isMade(_ number: Int) -> Bool { walk.tables[number].present == nil }

  /// - Throws: ``PayloadProblem`` where the payload's own elements have no key.
  init(_ walk: DecisionWalk, _ types: WiderTypes) throws(PayloadProblem) {
    self.walk = walk
    self.types = types
    names = AssemblyNames(walk)
    columns = walk.tables.map { _ in [] }
    keyColumns = walk.tables.map { _ in [] }
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
    if let place = table.present { return keys.append(key(ofPresent: place)) }
    guard table.owner == nil else {
      keys.append(nil)
      return beginOwned(number)
    }
    let members = keyMembers(of: number)
    guard !members.isEmpty else {
      throw PayloadProblem.withoutKeys(
        table: table.name, names: present.saying(of: table.name)?.key ?? PresentTables.usualKeys,
        elements: walk.outline.elements, first: nil)
    }
    for member in members { addKey(member, to: number, isAlone: members.count == 1) }
    let first = columns[number][0]
    keys.append(members.count == 1 ? Key(column: first.name, type: first.type) : nil)
  }

  /// Adds a column of a key.
  mutating func addKey(_ member: Int, to number: Int, isAlone: Bool) {
    let name = walk.tables[number].names[member]
    let (column, path) = takeColumn(member, of: number)
    let type = Self.keyType(name.member)
    let isNumber = isAlone && type == .integer && hasKeyBeside(member, in: walk.tables[number])
    columns[number].append(
      MadeColumn(
        name: column, type: type, jsonPath: isNumber ? name.path : path,
        evidence: .values(name.member.scalars)))
    keyColumns[number].append(column)
  }

  /// The column of a name, with the way to it where that isn't its name.
  mutating func takeColumn(_ member: Int, of number: Int) -> (name: String, path: [String]?) {
    let table = walk.tables[number]
    let name = table.names[member]
    names.take(member, of: number)
    let wanted = saying(of: name, in: table.name)?.column
    let column = names.column(for: name.path, as: wanted, of: number)
    return (column, [column] == name.path ? nil : name.path)
  }

  private func key(ofPresent place: Int) -> Key? {
    let table = present.schema.tables[place]
    guard let column = table.keyColumn.map({ table.columns[$0] }) else { return nil }
    return Key(column: column.name, type: MadeType(referringTo: column.type))
  }

  /// The names that are the key of a new table.
  func keyMembers(of number: Int) -> [Int] {
    let table = walk.tables[number]
    let total = table.places.reduce(0) { $0 + walk.outline.places[$1].count }
    let rule = walk.outline.places[table.places[0]].rule
    func members(_ canonical: [UInt8]) -> [Int] {
      table.names.indices.filter { walk.isKey(table.names[$0], canonical) }
    }
    if rule.isAll {
      let all = rule.names.compactMap { members($0).first }
      return all.count == rule.names.count ? all : []
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
  private static func keyType(_ member: SeenMember) -> MadeType {
    // Two keys are never brought to one double.
    let kinds = member.facts.kinds.subtracting([.nested, .oddText])
    let type = MadeType(kinds, isExact: true) ?? .text
    return type == .boolean ? .text : type
  }

  private func evidence(of number: Int) -> MadeTable.Evidence {
    for (other, table) in walk.tables.enumerated() where number > 0 {
      for (place, name) in table.names.enumerated()
      where walk.tables[number].owner == .init(table: other, name: place)
        || name.isRows(of: number)
      { return .objects(walk.objects(under: name), of: tableNames[other]) }
    }
    return .elements(number > 0 ? 0 : walk.outline.elements)
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
  func objects(under name: DraftName) -> SeenObjects {
    SeenObjects(
      count: name.inner.reduce(0) { $0 + outline.places[$1].count },
      name: JSONPath.text(of: name.path), isMany: name.member.facts.arrays > 0)
  }
}
