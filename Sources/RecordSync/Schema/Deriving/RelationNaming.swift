/// Which relations of a table keep their names: declared ones first, columns, to-ones, to-manys.
struct RelationNaming {
  private let tables: [TableSchema]
  private let finder: RelationFinder
  private let table: Int
  private let hidden: [Relation.Kind]
  private let columns: ColumnNames
  /// Of the tables that it extends: their columns are columns of its objects, too.
  private let inherited: [ColumnNames]
  /// The relations that have a name, with all that follows from it.
  private(set) var named: [Relation] = []
  /// Names that mean nothing before something is declared.
  private(set) var problems: [String: SchemaProblem] = [:]
  private(set) var warnings: [SchemaWarning] = []

  /// - Parameters:
  ///   - relations: The table's, adjusted by the overrides.
  ///   - hidden: Those that have no name.
  init(
    _ relations: [Relation], besides hidden: [Relation.Kind], of table: Int,
    in tables: [TableSchema], _ finder: RelationFinder
  ) throws(SchemaProblem) {
    self.tables = tables
    self.hidden = hidden
    self.finder = finder
    self.table = table
    columns = try ColumnNames(tables[table], finder.spelling)
    var inherited: [ColumnNames] = []
    for base in sequence(first: table, next: { tables[$0].base }).dropFirst() {
      inherited.append(try ColumnNames(tables[base], finder.spelling))
    }
    self.inherited = inherited
    try nameDeclared(relations.filter(\.isDeclared))
    let derived = relations.filter { !$0.isDeclared }
    for relation in derived where relation.kind.isOwn { nameDerived(relation) }
    nameToManys(derived.filter { !$0.kind.isOwn })
    let places = relations.map(\.kind)
    named.sort { one, other in
      (places.firstIndex(of: one.kind) ?? 0) < (places.firstIndex(of: other.kind) ?? 0)
    }
  }

  private mutating func nameDeclared(_ relations: [Relation]) throws(SchemaProblem) {
    for relation in relations {
      let path = relation.jsonPath
      if let column = columns.column(claiming: path), column != relation.kind.ownColumn {
        throw .sameName(
          relation.name, table: tables[table].name, first: tables[table].columns[column].name,
          second: label(relation))
      }
      if let other = named.first(where: { $0.jsonPath == path }) {
        throw .sameName(
          relation.name, table: tables[table].name, first: label(other), second: label(relation))
      }
      keep(relation)
    }
  }

  /// The first of its names that nothing else has is the relation's; the others stay what they are.
  private mutating func nameDerived(_ relation: Relation) {
    var relation = relation
    var names = [relation.name] + relation.otherNames
    for name in names {
      if isColumn(name, but: relation.kind.ownColumn) {
        warnings.append(.columnHidesRelation(table: tables[table].name, name: name))
      } else if let other = holder(of: name) {
        if other.kind.isOwn, !other.isDeclared {
          warnings.append(.toOneHidesToMany(table: tables[table].name, name: name))
        }
      } else {
        names.removeAll { $0 == name }
        relation.name = name
        relation.otherNames = names
        return keep(relation)
      }
    }
  }

  /// Those that share a name have none until one is declared for each.
  private mutating func nameToManys(_ relations: [Relation]) {
    let all = finder.relations(of: table).filter { !$0.kind.isOwn && !hidden.contains($0.kind) }
    var warned: [String] = []
    for relation in relations {
      let name = commonName(relation)
      guard all.count(where: { finder.isSame(commonName($0), name) }) > 1 else {
        nameDerived(relation)
        continue
      }
      guard !warned.contains(where: { finder.isSame($0, name) }) else { continue }
      warned.append(name)
      refuse(relations.filter { finder.isSame(commonName($0), name) }, sharing: name)
    }
  }

  private mutating func refuse(_ relations: [Relation], sharing name: String) {
    let labels = relations.map(label)
    warnings.append(.unnamedToMany(table: tables[table].name, other: name, columns: labels))
    guard holder(of: name) == nil, !isColumn(name, but: nil) else { return }
    problems[name] = .ambiguousRelation(table: tables[table].name, other: name, columns: labels)
  }

  /// The table's name, also of a relation that has the singular of it.
  private func commonName(_ relation: Relation) -> String { tables[relation.kind.table].name }

  private func isColumn(_ name: String, but own: Int?) -> Bool {
    if let column = columns.column(goingBy: name) { return column != own }
    return inherited.contains { $0.column(goingBy: name) != nil }
  }

  private func holder(of name: String) -> Relation? {
    named.first { finder.isSame($0.name, name) }
  }

  private func label(_ relation: Relation) -> String { finder.label(of: relation.kind, in: table) }

  private mutating func keep(_ relation: Relation) {
    var relation = relation
    if relation.kind.isToMany, relation.jsonPath.count == 1 {
      relation.keyNames = finder.spelling.singulars(of: relation.jsonPath[0]).map {
        finder.spelling.snake($0) + "_ids"
      }
    }
    named.append(relation)
  }
}

/// The names in JSON that the columns of one table claim for themselves.
struct ColumnNames {
  private let table: TableSchema
  private let spelling: Spelling
  private var declared: [[String]: Int] = [:]
  /// By the columns' own names, of those without a declared one, and by the key's name in JSON.
  private var literal: [String: Int] = [:]
  /// The same names in one spelling.
  private var spelled: [[UInt8]: Int] = [:]

  init(_ table: TableSchema, _ spelling: Spelling) throws(SchemaProblem) {
    self.table = table
    self.spelling = spelling
    for (place, column) in table.columns.enumerated() where column.isNamed {
      guard let path = column.jsonPath else {
        addLiteral(column.name, place)
        continue
      }
      if let other = declared.updateValue(place, forKey: path) {
        throw problem(path.joined(separator: "."), other, place)
      }
    }
    for (column, name) in zip(table.key.columns, table.key.jsonNames)
    where table.columns[column].jsonPath == nil && !table.hidesPlace(column) {
      addLiteral(name, column)
    }
    for (path, place) in declared.sorted(by: { $0.value < $1.value }) where path.count == 1 {
      if let other = literal[path[0]], other != place { throw problem(path[0], other, place) }
    }
  }

  private mutating func addLiteral(_ name: String, _ place: Int) {
    if literal[name] == nil { literal[name] = place }
    let canonical = spelling.canonical(Array(name.utf8))
    if spelled[canonical] == nil { spelled[canonical] = place }
  }

  private func problem(_ name: String, _ first: Int, _ second: Int) -> SchemaProblem {
    .sameName(
      name, table: table.name, first: table.columns[first].name,
      second: table.columns[second].name)
  }

  /// The column that has a name of one part, in whatever spelling.
  func column(goingBy name: String) -> Int? {
    declared[[name]] ?? literal[name] ?? spelled[spelling.canonical(Array(name.utf8))]
  }

  /// The column that claims the same name as a declared one does.
  func column(claiming path: [String]) -> Int? {
    declared[path] ?? (path.count == 1 ? literal[path[0]] : nil)
  }
}
