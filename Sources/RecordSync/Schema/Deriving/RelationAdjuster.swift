/// The relations of a table, with what the overrides say about them.
struct RelationAdjuster {
  let tables: [TableSchema]
  let places: [String: Int]
  let finder: RelationFinder
  let table: Int
  /// Those that foreign keys tell of, at first; then the adjusted ones.
  private(set) var relations: [Relation]
  private var speakers: [Int: String] = [:]

  init(_ tables: [TableSchema], places: [String: Int], finder: RelationFinder, table: Int) {
    self.tables = tables
    self.places = places
    self.finder = finder
    self.table = table
    relations = finder.relations(of: table)
  }

  /// Takes all overrides of the table.
  mutating func adjust(by overrides: [String: SchemaOverrides.Relation]) throws(SchemaProblem) {
    let derived = relations
    for (name, override) in overrides.sorted(by: { $0.key < $1.key }) {
      let namesakes = derived.filter { goesBy(name, $0) }
      let place = try place(of: name, override, among: namesakes)
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

  private func goesBy(_ name: String, _ relation: Relation) -> Bool {
    ([relation.name] + relation.otherNames).contains { finder.isSame($0, name) }
  }

  /// The relation that an override is about, added if nothing told of it.
  private mutating func place(
    of name: String, _ override: SchemaOverrides.Relation, among namesakes: [Relation]
  ) throws(SchemaProblem) -> Int {
    let shape = RelationShape(
      tables: tables, places: places, finder: finder, table: table, name: name,
      override: override)
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
