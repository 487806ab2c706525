private import SyncText

/// The tables of a database as they become for a payload: what is changed, what the tables are
/// declared as then, and what each name is to mean.
struct GrowthDraft {
  /// What a name is to mean to a table.
  enum Expected: Equatable {
    case column(String)
    case relation(to: String, isMany: Bool)
  }

  let tables: PayloadTables
  let keys: GrowthKeys
  let links: GrowthLinks
  let demands: Demands
  private(set) var declared: [DeclaredTable]
  /// By the tables' names and the names of members.
  private(set) var expected: [(name: PayloadTables.Relationship, Expected)] = []
  private var made: [Int: MadeTable] = [:]
  private var added: [Int: [MadeColumn]] = [:]
  private var others: [MadeTable] = []
  private let types: GrowthTypes
  private var relinked: [SchemaChange] = []
  private var names: Set<String>

  /// What has to be done, in an order in which it can be done.
  var changes: [SchemaChange] {
    let numbers = tables.tables.indices
    let loosened = links.loosened.sorted { ($0.table, $0.column) < ($1.table, $1.column) }.map {
      SchemaChange.loosened(column: $0.column, table: tables.tables[$0.table].name)
    }
    return types.changes + loosened + numbers.compactMap { made[$0].map { .table($0) } }
      + others.map { .table($0) }
      + numbers.flatMap { number in
        (added[number] ?? []).map { .column($0, table: tables.tables[number].name) }
      } + relinked
  }

  init(
    _ tables: PayloadTables, _ keys: GrowthKeys, _ links: GrowthLinks, _ demands: Demands,
    isWide: (_ column: String, _ table: String) throws -> Bool
  ) rethrows {
    self.tables = tables
    self.keys = keys
    self.links = links
    self.demands = demands
    types = try GrowthTypes(tables, plainKeys: demands.plainKeys, isWide: isWide)
    declared = types.declared
    names = tables.present.names
    for number in tables.tables.indices where tables.tables[number].place == nil { make(number) }
    for number in tables.tables.indices { takeMembers(of: number) }
    for number in tables.tables.indices { addLinks(of: number) }
    for through in links.throughs { make(through) }
  }

  // MARK: - Tables

  private mutating func make(_ number: Int) {
    let table = tables.tables[number]
    let evidence: MadeTable.Evidence
    if number == 0 {
      evidence = .elements(tables.shape.elements)
    } else {
      evidence = self.evidence(of: number)
    }
    var new = MadeTable(name: table.name, columns: [], key: [], evidence: evidence)
    declared.append(DeclaredTable(name: table.name, isWithoutRowNumber: false, isStrict: false))
    names.insert(table.name.asciiLowercased)
    for key in keys.members[number] {
      var type = GrowthKeys.type(of: key)
      let isPlain =
        demands.plainKeys.contains(table.name.asciiLowercased) || keys.members[number].count > 1
      if type == .integer, isPlain { type = .plainInteger }
      let name = SafeNames.column(
        for: key.name, besides: Set(new.columns.map(\.name.asciiLowercased)))
      let column = MadeColumn(
        name: name, type: type, jsonName: name == key.name ? nil : key.name,
        evidence: .values(key.scalars))
      new.columns.append(column)
      new.key.append(name)
      expected.append((.init(table.name, key.name), .column(name)))
    }
    made[number] = new
    for column in new.columns {
      let last = declared.count - 1
      declared[last].columns.append(
        DeclaredTable.Column(column, keyPlace: declared[last].columns.count + 1))
    }
    declared[declared.count - 1].indexKey()
  }

  private func evidence(of number: Int) -> MadeTable.Evidence {
    let incoming = tables.tables[number].incoming.sorted {
      ($0.table, $0.name) < ($1.table, $1.name)
    }
    for from in incoming {
      guard let other = tables.tables.firstIndex(where: { $0.name.asciiLowercased == from.table }),
        let member = tables.tables[other].members.first(where: { $0.name == from.name })
      else { continue }
      let table = tables.tables[other].name
      return member.way == .one
        ? .objects(member.objects, name: member.name, of: table)
        : .arrays(member.objects, name: member.name, of: table)
    }
    return .elements(0)
  }

  private mutating func make(_ through: GrowthLinks.Through) {
    let (one, other) = (tables.tables[through.table], tables.tables[through.other])
    guard let here = keys.single[through.table], let there = keys.single[through.other] else {
      return
    }
    let spelling = tables.present.schema.spelling
    var new = MadeTable(
      name: SafeNames.column(for: "\(one.name)_\(through.member.name)", besides: names),
      columns: [], key: [], evidence: .shared(name: through.member.name, of: one.name))
    names.insert(new.name.asciiLowercased)
    for (table, key) in [(one, here), (other, there)] {
      let name = SafeNames.column(
        for: spelling.singulars(of: table.name)[0] + "_id",
        besides: Set(new.columns.map(\.name.asciiLowercased)))
      let index = new.columns.isEmpty ? nil : newIndex(new.name, name)
      new.columns.append(
        MadeColumn(
          name: name, type: types.type(of: key, in: table.name),
          reference: .init(table: table.name, column: key.column, isChild: true, index: index),
          evidence: .arrays(through.member.objects, name: through.member.name)))
      new.key.append(name)
    }
    others.append(new)
    var table = DeclaredTable(name: new.name, isWithoutRowNumber: false, isStrict: false)
    for column in new.columns {
      table.columns.append(DeclaredTable.Column(column, keyPlace: table.columns.count + 1))
      table.foreignKeys += column.foreignKeys
    }
    table.indexKey()
    declared.append(table)
    guard let column = through.column, let child = declaredPlace(of: through.other) else { return }
    declared[child].foreignKeys.removeAll { $0.columns == [column] }
    relinked.append(.relinked(column: column, table: other.name, through: new))
    expected.append(
      (.init(one.name, through.member.name), .relation(to: other.name, isMany: true)))
  }

  // MARK: - Columns

  private mutating func takeMembers(of number: Int) {
    let table = tables.tables[number]
    var isExtraWanted = tables.present.unknown(in: table.name) == .extra && table.place == nil
    for member in table.members
    where !keys.members[number].contains(where: { $0.name == member.name }) {
      switch tables.meaning(of: member, in: number) {
      case .known: break
      case .new(.one, _):
        if let link = links.links.first(where: { $0.table == number && $0.member == member.name }) {
          add(link)
        }
      case .new: break
      case .unknown:
        if let link = links.link(number, named: member.name) {
          add(link)
          expected.append((.init(table.name, member.name), .column(link.column)))
          continue
        }
        switch tables.present.unknown(in: table.name) {
        case .freeze: break
        case .extra: isExtraWanted = isExtraWanted || member.way != nil
        case .evolve: addColumn(for: member, to: number)
        }
      }
    }
    if isExtraWanted { addExtra(to: number) }
  }

  private mutating func addColumn(for member: MergedMember, to number: Int) {
    let table = tables.tables[number].name
    guard var type = member.type(isExact: tables.present.isExact),
      let place = declaredPlace(of: number)
    else { return }
    if let wanted = saying(of: member, in: table)?.type { type = wanted }
    if declared[place].isStrict {
      guard let strict = type.strict else { return }
      type = strict
    }
    let wanted = saying(of: member, in: table)?.column ?? member.name
    let name = SafeNames.column(for: wanted, besides: taken(in: place))
    let isRenamed = demands.renamed.contains(.init(table, member.name))
    let isOwn = name == member.name || saying(of: member, in: table)?.column == name
    add(
      MadeColumn(
        name: name, type: type, jsonName: isOwn && !isRenamed ? nil : member.name,
        evidence: evidence(of: member, in: table)), to: number)
    expected.append((.init(table, member.name), .column(name)))
  }

  private func evidence(of member: MergedMember, in table: String) -> MadeColumn.Evidence {
    guard let contradiction = demands.contradicted[.init(table, member.name)] else {
      return .values(member.facts.values)
    }
    return .differing(
      member.objects, name: member.name, key: contradiction.key, member: contradiction.member)
  }

  /// The column that the program declared for a name, and the type that it is to have.
  private func saying(
    of member: MergedMember, in table: String
  ) -> (column: String, type: MadeType?)? {
    let columns = tables.present.saying(of: table)?.columns ?? [:]
    let named =
      columns.first { $0.value.name == member.name }
      ?? columns.first { $0.value.name == nil && $0.key == member.name }
    return named.map { ($0.key, MadeType($0.value)) }
  }

  private mutating func addExtra(to number: Int) {
    guard let place = declaredPlace(of: number), !declared[place].isStrict,
      !taken(in: place).contains(TableSchema.extraColumn)
    else { return }
    add(
      MadeColumn(name: TableSchema.extraColumn, type: .json, evidence: .unknownNames), to: number)
  }

  private mutating func addLinks(of number: Int) {
    let table = tables.tables[number]
    for link in links.links where link.table == number { add(link) }
    for link in links.links where link.table == number {
      if let name = link.member {
        let target = tables.tables[link.target].name
        expected.append((.init(table.name, name), .relation(to: target, isMany: false)))
      }
    }
    for member in table.members {
      guard case .new(.many, let other) = tables.meaning(of: member, in: number) else { continue }
      expected.append(
        (.init(table.name, member.name), .relation(to: tables.tables[other].name, isMany: true)))
    }
  }

  private mutating func add(_ link: GrowthLinks.Link) {
    guard let key = keys.single[link.target], let place = declaredPlace(of: link.table),
      !taken(in: place).contains(link.column.asciiLowercased)
    else { return }
    let target = tables.tables[link.target].name
    let wide = types.type(of: key, in: target)
    let type = declared[place].isStrict ? wide.strict ?? .text : wide
    add(
      MadeColumn(
        name: link.column, type: type,
        reference: .init(
          table: target, column: key.column, isChild: link.goesWithParent,
          index: newIndex(tables.tables[link.table].name, link.column)),
        evidence: link.evidence), to: link.table)
  }

  private mutating func add(_ column: MadeColumn, to number: Int) {
    guard let place = declaredPlace(of: number) else { return }
    if made[number] == nil {
      added[number, default: []].append(column)
    } else {
      made[number]?.columns.append(column)
    }
    declared[place].columns.append(DeclaredTable.Column(column, keyPlace: 0))
    declared[place].foreignKeys += column.foreignKeys
  }

  private func declaredPlace(of number: Int) -> Int? {
    let name = tables.tables[number].name
    return declared.firstIndex { $0.name == name }
  }

  private func taken(in place: Int) -> Set<String> {
    Set(declared[place].columns.map(\.name.asciiLowercased))
  }

  private mutating func newIndex(_ table: String, _ column: String) -> String {
    let name = SafeNames.index(table, column, besides: names)
    names.insert(name.asciiLowercased)
    return name
  }
}
