private import SyncText

struct RelationAdjuster {
  let tables: [TableSchema]
  let places: [String: Int]
  let finder: RelationFinder
  let table: Int
  /// Those that foreign keys tell of, at first; then the adjusted ones.
  private(set) var relations: [Relation]
  /// Those that stand nowhere in JSON.
  private(set) var hidden: [Relation.Kind] = []
  private var speakers: [Int: String] = [:]

  init(_ tables: [TableSchema], places: [String: Int], finder: RelationFinder, table: Int) {
    self.tables = tables
    self.places = places
    self.finder = finder
    self.table = table
    relations = finder.relations(of: table)
  }

  mutating func adjust(by overrides: [String: SchemaOverrides.Relation]) throws(SchemaProblem) {
    let derived = finder.relations(of: table)
    let made = relations.filter(\.isDeclared)
    for (name, override) in overrides.sorted(by: { $0.key < $1.key }) {
      var namesakes = derived.filter { goesBy(name, $0) }
      if namesakes.isEmpty { namesakes = made.filter { $0.name == name } }
      let place = try place(of: name, override, among: namesakes)
      hidden.removeAll { $0 == relations[place].kind }
      if let other = speakers.updateValue(name, forKey: place) {
        throw .declaredTwice("\(tables[table].name).\(other)", "\(tables[table].name).\(name)")
      }
      let isOnly = namesakes.count == 1 && namesakes[0].kind == relations[place].kind
      if let declared = override.name ?? (isOnly ? nil : name) {
        try rename(place, to: declared, namesake: name)
      }
      try adjust(&relations[place], by: override, name: name)
    }
  }

  /// Names the relations that were made of payloads as these have them. What tables that are gone
  /// had says nothing.
  mutating func adjust(by made: [MadeRelation]) {
    for made in made {
      var override = SchemaOverrides.Relation()
      (override.table, override.column) = (made.other, made.column)
      override.through = made.through
      let name = made.jsonPath.map(JSONPath.text) ?? made.column
      let shape = RelationShape(adjuster: self, name: name, override: override)
      guard let kind = try? shape.kind() else { continue }
      guard made.jsonPath != nil else {
        hidden.append(kind)
        continue
      }
      if !relations.contains(where: { $0.kind == kind }) {
        relations.append(Relation(name: name, kind: kind))
      }
      for place in relations.indices where relations[place].kind == kind {
        relations[place].name = name
        relations[place].otherNames = []
        relations[place].isDeclared = true
        relations[place].isMade = true
        guard let keeper = kind.keeper, let position = made.position,
          let column = try? tables[keeper].requirePlace(ofPositions: position)
        else { continue }
        relations[place].position = .declared(column: column)
      }
    }
  }

  /// The relations that stand in JSON.
  var shown: [Relation] { relations.filter { !hidden.contains($0.kind) } }

  private func goesBy(_ name: String, _ relation: Relation) -> Bool {
    ([relation.name] + relation.otherNames).contains { finder.isSame($0, name) }
  }

  /// The relation that an override is about, added if nothing told of it.
  private mutating func place(
    of name: String, _ override: SchemaOverrides.Relation, among namesakes: [Relation]
  ) throws(SchemaProblem) -> Int {
    let shape = RelationShape(adjuster: self, name: name, override: override)
    let kind: Relation.Kind
    if shape.isDescribed {
      kind = try shape.kind()
    } else if namesakes.count > 1 {
      throw .ambiguousRelation(
        table: tables[table].name, other: tables[namesakes[0].kind.table].name,
        columns: namesakes.map { finder.label(of: $0.kind, in: table) })
    } else if let namesake = namesakes.first {
      kind = namesake.kind
    } else {
      throw .noRelation(name, table: tables[table].name, .unknown)
    }
    if let place = relations.firstIndex(where: { $0.kind == kind }) { return place }
    relations.append(Relation(name: name, kind: kind))
    return relations.count - 1
  }

  private mutating func rename(
    _ place: Int, to name: String, namesake: String
  ) throws(SchemaProblem) {
    guard JSONPath.parts(of: name) != nil else {
      throw .emptyName(of: namesake, table: tables[table].name)
    }
    relations[place].name = name
    relations[place].otherNames = []
    relations[place].isDeclared = true
  }

  private func adjust(
    _ relation: inout Relation, by override: SchemaOverrides.Relation, name: String
  ) throws(SchemaProblem) {
    if let column = override.position {
      let keeper: Int
      switch relation.kind {
      case .toMany(let child, _, _): keeper = child
      case .manyToMany(let through, _, _, _, _, _): keeper = through
      case .toOne, .inverseToOne:
        throw .noRelation(name, table: tables[table].name, .notForThis("position"))
      }
      relation.position = .declared(column: try tables[keeper].requirePlace(ofPositions: column))
    }
    guard let isPerParent = override.perParent else { return }
    switch relation.kind {
    case .toMany, .inverseToOne: relation.isPerParent = isPerParent
    case .toOne, .manyToMany:
      guard isPerParent else { return }
      throw .noRelation(name, table: tables[table].name, .notForThis("perParent"))
    }
  }
}

/// Which columns of which tables an override of a relation means.
private struct RelationShape {
  let adjuster: RelationAdjuster
  let name: String
  let override: SchemaOverrides.Relation

  /// Whether it says more than what an existing relation is to be like.
  var isDescribed: Bool {
    override.table != nil || override.column != nil || override.through != nil
  }

  func kind() throws(SchemaProblem) -> Relation.Kind {
    if let through = override.through { return try linked(through: try place(of: through)) }
    guard let other = try override.table.map({ name throws(SchemaProblem) in try place(of: name) })
    else { return try ownToOne(override.column ?? name) }
    guard let column = override.column else { return try between(other) }
    return try by(column, with: other)
  }

  private var tables: [TableSchema] { adjuster.tables }
  private var finder: RelationFinder { adjuster.finder }
  private var table: Int { adjuster.table }
  private var own: TableSchema { tables[table] }

  private func place(of name: String) throws(SchemaProblem) -> Int {
    guard let place = adjuster.places[name.asciiLowercased] else { throw .noTable(name) }
    return place
  }

  private func fault(_ fault: SchemaProblem.RelationFault) -> SchemaProblem {
    .noRelation(name, table: own.name, fault)
  }

  private func ownToOne(_ column: String) throws(SchemaProblem) -> Relation.Kind {
    let column = try own.requirePlace(ofColumn: column)
    guard let key = own.foreignKeys.first(where: { $0.column == column }) else {
      throw fault(.leadsNowhere(column: own.columns[column].name))
    }
    return .toOne(column: column, table: key.table, target: key.target)
  }

  /// The other table's foreign key, or else this table's; or else a column that no foreign key
  /// tells of, the other table's or else this one's.
  private func by(_ column: String, with other: Int) throws(SchemaProblem) -> Relation.Kind {
    let there = tables[other].place(ofColumn: column)
    let here = own.place(ofColumn: column)
    if let there, let key = tables[other].foreignKey(there, to: table) {
      return finder.inverse(of: there, in: other, own: key.target)
    }
    if let here, let key = own.foreignKey(here, to: other) {
      return .toOne(column: here, table: other, target: key.target)
    }
    if let there { return finder.inverse(of: there, in: other, own: try onlyKey(of: table)) }
    guard let here, other != table else { throw .noColumn(column, table: tables[other].name) }
    return .toOne(column: here, table: other, target: try onlyKey(of: other))
  }

  /// The one relation between the tables; where there are several, the one of that name.
  private func between(_ other: Int) throws(SchemaProblem) -> Relation.Kind {
    let all = finder.relations(of: table).filter { $0.kind.table == other }
    let named = all.filter { finder.isSame($0.name, name) }
    if named.count == 1 { return named[0].kind }
    let ways = named.isEmpty ? all : named
    guard let first = ways.first else { throw fault(.unrelated(table: tables[other].name)) }
    guard ways.count == 1 else {
      throw .ambiguousRelation(
        table: own.name, other: tables[other].name,
        columns: ways.map { finder.label(of: $0.kind, in: table) })
    }
    return first.kind
  }

  private func linked(through: Int) throws(SchemaProblem) -> Relation.Kind {
    let here = try linkHere(through)
    let there = try linkThere(through, beside: here.column)
    return .manyToMany(
      through: through, here: here.column, own: here.target, there: there.column,
      table: there.table, target: there.target)
  }

  private func linkHere(_ through: Int) throws(SchemaProblem) -> ForeignKey {
    let link = tables[through]
    if let column = override.column {
      let place = try link.requirePlace(ofColumn: column)
      if let key = link.foreignKey(place, to: table) { return key }
      return try untold(place, to: table)
    }
    let keys = link.foreignKeys.filter { $0.table == table }
    if keys.count > 1 { throw fault(.toItself) }
    if let key = keys.first { return key }
    guard let place = named(after: table, in: link) else {
      throw fault(.withoutLink(through: link.name, to: own.name))
    }
    return try untold(place, to: table)
  }

  private func linkThere(_ through: Int, beside here: Int) throws(SchemaProblem) -> ForeignKey {
    let link = tables[through]
    let other = try override.table.map { name throws(SchemaProblem) in try place(of: name) }
    let keys = link.foreignKeys.filter { key in
      key.column != here && (other.map { $0 == key.table } ?? true)
    }
    if keys.count == 1 { return keys[0] }
    guard keys.isEmpty else {
      throw .ambiguousRelation(
        table: own.name, other: link.name,
        columns: keys.map { "\(link.name).\(link.columns[$0.column].name)" })
    }
    guard let other, let place = named(after: other, in: link), place != here else {
      throw fault(.withoutLink(through: link.name, to: override.table ?? ""))
    }
    return try untold(place, to: other)
  }

  /// A column that refers to a table's key without a foreign key that says so.
  private func untold(_ column: Int, to table: Int) throws(SchemaProblem) -> ForeignKey {
    ForeignKey(column: column, table: table, target: try onlyKey(of: table), onDelete: .none)
  }

  /// The column `tag_id` for a table `tags`.
  private func named(after table: Int, in link: TableSchema) -> Int? {
    let names = finder.spelling.singulars(of: tables[table].name).map { $0 + "_id" }
    return link.columns.indices.first { place in
      names.contains { finder.isSame($0, link.columns[place].name) }
    }
  }

  private func onlyKey(of table: Int) throws(SchemaProblem) -> Int {
    if let problem = tables[table].key.problem { throw problem }
    guard tables[table].key.columns.count == 1 else {
      throw fault(.unrelated(table: tables[table].name))
    }
    return tables[table].key.columns[0]
  }
}

extension TableSchema {
  func foreignKey(_ column: Int, to table: Int) -> ForeignKey? {
    foreignKeys.first { $0.column == column && $0.table == table }
  }
}

extension RelationFinder {
  /// Whether two names are spellings of one.
  func isSame(_ one: String, _ other: String) -> Bool {
    spelling.canonical(Array(one.utf8)) == spelling.canonical(Array(other.utf8))
  }

  /// The column behind a relation, with its table: `messages.sender_id`.
  func label(of kind: Relation.Kind, in table: Int) -> String {
    func name(_ table: Int, _ column: Int) -> String {
      tables[table].name + "." + tables[table].columns[column].name
    }
    return switch kind {
    case .toOne(let column, _, _): name(table, column)
    case .inverseToOne(let other, let column, _), .toMany(let other, let column, _):
      name(other, column)
    case .manyToMany(let through, let here, _, _, _, _): name(through, here)
    }
  }
}
