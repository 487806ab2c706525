/// Builds what a table makes of the members of an object: what was declared goes before literal
/// names, these before other spellings, columns before relations, and a table before those that it
/// extends.
struct MemberMapBuilder {
  private let tables: [TableSchema]
  private let spelling: Spelling
  /// The table, and those that it extends, one after the other.
  private let layers: [Int]
  private var map = MemberMap()
  /// What can't be reached since something nearer has its name.
  private(set) var warnings: [SchemaWarning] = []

  /// - Parameters:
  ///   - table: The place of the table.
  ///   - tables: All of them, with their relations.
  init(_ table: Int, in tables: [TableSchema], _ spelling: Spelling) {
    self.tables = tables
    self.spelling = spelling
    layers = Array(sequence(first: table) { tables[$0].base })
  }

  /// - Parameter problems: Names that mean nothing yet, by table.
  mutating func build(problems: [[String: SchemaProblem]]) -> MemberMap {
    for layer in layers { addDeclared(layer) }
    for layer in layers { addColumns(layer) { $0.map.addExact($1, $2) } }
    for layer in layers { addColumns(layer) { $0.addSpelled($1, $2) } }
    addKeyNames()
    for layer in layers { addRelations(layer) }
    for layer in layers { addKeysOfRelations(layer) }
    for layer in layers {
      for (name, problem) in problems[layer].sorted(by: { $0.key < $1.key }) {
        add(name, MemberMap.Meaning(problem: problem))
      }
    }
    for layer in layers { addReservedWords(layer) }
    for layer in layers { addDeclaredSpelled(layer) }
    for layer in layers { addPaths(layer) }
    map.addSpellings(spelling)
    for layer in layers.dropFirst() { noteHidden(layer) }
    return map
  }

  private mutating func noteHidden(_ base: Int) {
    for (place, column) in columns(base) where column.jsonPath == nil {
      let found = map.meaning(of: Array(column.name.utf8), spelling)?.column
      guard let found, found != meaning(base, place).column else { continue }
      warnings.append(
        .columnHidesColumn(
          table: tables[layers[0]].name, base: tables[base].name, name: column.name))
    }
  }

  // MARK: - Columns

  private func columns(_ layer: Int) -> [(place: Int, column: ColumnSchema)] {
    tables[layer].columns.enumerated().map { ($0.offset, $0.element) }
      .filter { $0.column.isNamed }
  }

  /// The key of an extended table's row is that of the extending row, too, and stands there.
  private func meaning(_ layer: Int, _ column: Int) -> MemberMap.Meaning {
    let own = layers[0]
    let isKey = layer != own && tables[layer].key.columns == [column]
    let place = isKey ? (own, tables[own].key.columns[0]) : (layer, column)
    return MemberMap.Meaning(column: .init(table: place.0, column: place.1))
  }

  private func relationMeaning(_ layer: Int, _ relation: Int, isKeys: Bool = false)
    -> MemberMap.Meaning
  {
    MemberMap.Meaning(relation: .init(table: layer, relation: relation, isKeys: isKeys))
  }

  private mutating func addDeclared(_ layer: Int) {
    for (place, column) in columns(layer) {
      guard let path = column.jsonPath, path.count == 1 else { continue }
      map.addExact(path[0], meaning(layer, place))
    }
    for (place, relation) in tables[layer].relations.enumerated()
    where relation.isDeclared && relation.jsonPath.count == 1 {
      map.addExact(
        relation.jsonPath[0], withColumn(relation, layer, relationMeaning(layer, place)))
    }
  }

  private mutating func addColumns(
    _ layer: Int, _ add: (inout Self, String, MemberMap.Meaning) -> Void
  ) {
    for (place, column) in columns(layer) where column.jsonPath == nil {
      add(&self, column.name, meaning(layer, place))
    }
  }

  private mutating func addKeyNames() {
    let own = layers[0]
    for (column, name) in zip(tables[own].key.columns, tables[own].key.jsonNames)
    where !name.contains(".") && !tables[own].hidesPlace(column) {
      add(name, meaning(own, column))
    }
  }

  private mutating func addReservedWords(_ layer: Int) {
    for (place, column) in columns(layer) where column.jsonPath == nil {
      guard let word = spelling.reservedWord(of: column.name, in: tables[layer].name) else {
        continue
      }
      var meaning = meaning(layer, place)
      meaning.isReservedWord = true
      add(word, meaning)
    }
  }

  // MARK: - Relations

  /// A foreign key's column that has the name of its relation means plain values.
  private func withColumn(
    _ relation: Relation, _ layer: Int, _ meaning: MemberMap.Meaning
  ) -> MemberMap.Meaning {
    guard let column = relation.kind.ownColumn, tables[layer].columns[column].jsonPath == nil,
      isSame(tables[layer].columns[column].name, relation.jsonPath[0])
    else { return meaning }
    var meaning = meaning
    meaning.column = .init(table: layer, column: column)
    return meaning
  }

  private mutating func addRelations(_ layer: Int) {
    for (place, relation) in tables[layer].relations.enumerated() where !relation.isDeclared {
      let plain = relationMeaning(layer, place)
      let both = withColumn(relation, layer, plain)
      if both.column != nil {
        map.set(relation.name, both, spelling, replacing: MemberMap.Meaning(column: both.column))
      }
      for name in [relation.name] + relation.otherNames { addUnlessSpelled(name, plain) }
    }
  }

  /// `tag_ids`, and `employer_id` for a to-one whose column has another name.
  private mutating func addKeysOfRelations(_ layer: Int) {
    for (place, relation) in tables[layer].relations.enumerated() {
      for name in relation.keyNames {
        addUnlessSpelled(name, relationMeaning(layer, place, isKeys: true))
      }
      guard let column = relation.kind.ownColumn, relation.jsonPath.count == 1,
        tables[layer].columns[column].jsonPath == nil
      else { continue }
      addUnlessSpelled(spelling.snake(relation.jsonPath[0]) + "_id", meaning(layer, column))
    }
  }

  // MARK: - Names

  private mutating func addDeclaredSpelled(_ layer: Int) {
    for (place, column) in columns(layer) {
      guard let path = column.jsonPath, path.count == 1 else { continue }
      addSpelled(path[0], meaning(layer, place))
    }
    for (place, relation) in tables[layer].relations.enumerated()
    where relation.isDeclared && relation.jsonPath.count == 1 {
      addSpelled(relation.jsonPath[0], withColumn(relation, layer, relationMeaning(layer, place)))
    }
  }

  private mutating func addPaths(_ layer: Int) {
    for (place, column) in columns(layer) {
      guard let path = column.jsonPath, path.count > 1 else { continue }
      map.add(path[...], meaning(layer, place), spelling)
    }
    for (place, relation) in tables[layer].relations.enumerated()
    where relation.jsonPath.count > 1 {
      map.add(relation.jsonPath[...], relationMeaning(layer, place), spelling)
    }
  }

  private mutating func addSpelled(_ name: String, _ meaning: MemberMap.Meaning) {
    map.addSpelled(name, meaning, spelling)
  }

  private mutating func add(_ name: String, _ meaning: MemberMap.Meaning) {
    map.addExact(name, meaning)
    map.addSpelled(name, meaning, spelling)
  }

  /// A column of the same name goes before, in whatever spelling.
  private mutating func addUnlessSpelled(_ name: String, _ meaning: MemberMap.Meaning) {
    guard map.meaning(of: Array(name.utf8), spelling) == nil else { return }
    add(name, meaning)
  }

  private func isSame(_ one: String, _ other: String) -> Bool {
    spelling.canonical(Array(one.utf8)) == spelling.canonical(Array(other.utf8))
  }
}
