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
  /// As they will be declared.
  private(set) var declared: [DeclaredTable]
  /// By the tables' names and the names of members.
  private(set) var expected: [(name: PayloadTables.Relationship, Expected)] = []
  private var made: [Int: MadeTable] = [:]
  private var added: [Int: [MadeColumn]] = [:]
  private var others: [MadeTable] = []
  private(set) var widened: [SchemaChange] = []
  private var names: Set<String>

  /// What has to be done, in an order in which it can be done.
  var changes: [SchemaChange] {
    let numbers = tables.tables.indices
    let loosened = links.loosened.sorted { ($0.table, $0.column) < ($1.table, $1.column) }.map {
      SchemaChange.loosened(column: $0.column, table: tables.tables[$0.table].name)
    }
    return widened + loosened + numbers.compactMap { made[$0].map { .table($0) } }
      + others.map { .table($0) }
      + numbers.flatMap { number in
        (added[number] ?? []).map { .column($0, table: tables.tables[number].name) }
      }
  }

  init(
    _ tables: PayloadTables, _ keys: GrowthKeys, _ links: GrowthLinks, _ demands: Demands,
    isWide: (_ column: String, _ table: String) throws -> Bool
  ) rethrows {
    self.tables = tables
    self.keys = keys
    self.links = links
    self.demands = demands
    declared = tables.present.declared
    names = tables.present.names
    for number in tables.tables.indices where tables.tables[number].place == nil { make(number) }
    for number in tables.tables.indices { try takeMembers(of: number, isWide) }
    for number in tables.tables.indices { addLinks(of: number) }
    for through in links.throughs { make(through) }
    for table in demands.plainKeys { makeKeyPlain(table) }
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
    declareKey()
  }

  /// A key that is no other name of the row number has an index of its own.
  private mutating func declareKey() {
    let last = declared.count - 1
    let isRowNumber = declared[last].rowNumberColumn != nil
    guard !isRowNumber else { return }
    declared[last].uniques.append(
      .init(columns: Array(declared[last].columns.indices), isPrimaryKey: true))
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
          name: name, type: widened(key, of: table.name).type,
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
    table.uniques.append(.init(columns: [0, 1], isPrimaryKey: true))
    declared.append(table)
  }

  // MARK: - Columns

  private mutating func takeMembers(
    of number: Int, _ isWide: (_ column: String, _ table: String) throws -> Bool
  ) rethrows {
    let table = tables.tables[number]
    var isExtraWanted = tables.present.unknown(in: table.name) == .extra && table.place == nil
    for member in table.members
    where !keys.members[number].contains(where: { $0.name == member.name }) {
      switch tables.meaning(of: member, in: number) {
      case .known(let meaning):
        if let column = meaning.column, meaning.inside == nil {
          try widen(column, for: member, isWide)
        }
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
        case .extra: isExtraWanted = isExtraWanted || member.type != nil
        case .evolve: addColumn(for: member, to: number)
        }
      }
    }
    if isExtraWanted { addExtra(to: number) }
  }

  private mutating func addColumn(for member: MergedMember, to number: Int) {
    let table = tables.tables[number].name
    guard var type = member.type, let place = declaredPlace(of: number) else { return }
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
        evidence: .values(member.facts.values)), to: number)
    expected.append((.init(table, member.name), .column(name)))
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
    let key2 = widened(key, of: target)
    let type = declared[place].isStrict ? key2.type.strict ?? .text : key2.type
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

// MARK: - Types

extension GrowthDraft {
  /// A key's type as it will be. What refers to an INTEGER that is the row number may be that, too.
  private func widened(_ key: GrowthKeys.Key, of table: String) -> GrowthKeys.Key {
    for case .widened(key.column, table, _, let type) in widened where type != .plainInteger {
      return GrowthKeys.Key(column: key.column, type: type)
    }
    return key
  }

  private mutating func widen(
    _ place: MemberMap.ColumnPlace, for member: MergedMember,
    _ isWide: (_ column: String, _ table: String) throws -> Bool
  ) rethrows {
    let table = tables.present.schema.tables[place.table]
    let column = table.columns[place.column]
    let saying = tables.present.saying(of: table.name)?.columns.first {
      $0.key.asciiLowercased == column.name.asciiLowercased
    }?.value
    guard tables.present.unknown(in: table.name) == .evolve, !column.isGenerated,
      column.transformer == nil, saying?.kind == nil, saying?.date == nil,
      !table.foreignKeys.contains(where: { $0.column == place.column })
    else { return }
    let isKey = table.key.columns.contains(place.column)
    let kinds = isKey ? member.facts.kinds.subtracting([.nested, .oddText]) : member.facts.kinds
    // Arrays under the name of a column that is a relation, too, are the relation's.
    guard !kinds.isEmpty else { return }
    let mayBeWide = column.type.kind == .integer && kinds.contains(.real)
    let wide = mayBeWide ? try isWide(column.name, table.name) : false
    guard let present = MadeType.kinds(of: column.type, isWide: wide),
      let before = MadeType(MadeType.kinds(of: column.type, isWide: false) ?? []),
      var after = MadeType(present.union(kinds)), after != before
    else { return }
    if table.isStrict {
      guard let strict = after.strict, strict.rawValue != before.strict?.rawValue else { return }
      after = strict
    }
    declare(column: place.column, of: place.table, as: after)
  }

  /// Changes a column's type, and that of all columns that refer to it.
  private mutating func declare(column: Int, of table: Int, as type: MadeType) {
    let own = tables.present.schema.tables[table]
    let name = own.columns[column].name
    let isDone = widened.contains {
      if case .widened(name, own.name, _, type) = $0 { true } else { false }
    }
    guard !isDone else { return }
    let old = declared[table].columns[column].type
    widened.append(.widened(column: name, table: own.name, from: old, to: type))
    declared[table].columns[column].type = type.rawValue
    if declared[table].primaryKey == [column],
      declared[table].rowNumberColumn == nil, !declared[table].isWithoutRowNumber,
      !declared[table].uniques.contains(where: \.isPrimaryKey)
    {
      declared[table].uniques.append(.init(columns: [column], isPrimaryKey: true))
    }
    guard type != .plainInteger else { return }
    for (other, schema) in tables.present.schema.tables.enumerated() {
      for key in schema.foreignKeys where key.table == table && key.target == column {
        declare(column: key.column, of: other, as: type)
      }
    }
  }

  private mutating func makeKeyPlain(_ name: String) {
    guard let table = tables.present.schema.place(of: name),
      let column = tables.present.schema.tables[table].rowNumberColumn
    else { return }
    declare(column: column, of: table, as: .plainInteger)
  }
}

extension DeclaredTable.Column {
  /// A column that is made.
  init(_ column: MadeColumn, keyPlace: Int) {
    self.init(
      name: column.name, type: column.type.rawValue,
      isRequired: keyPlace > 0 && column.type != .integer, hasDefault: false, keyPlace: keyPlace,
      isGenerated: false, collation: "BINARY", jsonName: column.jsonName)
  }
}

extension MadeColumn {
  var foreignKeys: [DeclaredTable.ForeignKey] {
    guard let reference else { return [] }
    return [
      DeclaredTable.ForeignKey(
        columns: [name], table: reference.table, targets: [reference.column],
        onDelete: reference.isChild ? "CASCADE" : "SET NULL")
    ]
  }
}

extension MadeType {
  /// The type of a column whose values were said to be something; `nil` where nothing was said.
  init?(_ saying: SchemaOverrides.Column) {
    switch (saying.date, saying.kind) {
    case (.milliseconds?, _), (.seconds?, _): self = .integer
    case (.text?, _): self = .text
    case (nil, .boolean?): self = .boolean
    case (nil, .integer?): self = .integer
    case (nil, .real?): self = .real
    case (nil, .decimal?): self = .decimal
    case (nil, .json?): self = .json
    case (nil, .blob?): self = .blob
    case (nil, .text?), (nil, .uuid?), (nil, .url?), (nil, .date?), (nil, .any?): self = .text
    case (nil, nil): return nil
    }
  }
}
