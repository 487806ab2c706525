package import SyncDatabase
private import SyncText

/// Reads from a database what its tables are to JSON.
package enum SchemaReader {
  /// The schema of the main database.
  ///
  /// A table that can't be synced is none of its errors, but a warning: it is refused when it is
  /// needed.
  ///
  /// - Parameter withHistories: Whether the histories of tables are tables of it. Default `false`.
  /// - Throws: ``SchemaProblem`` for overrides that don't fit the database; `DatabaseError`.
  package static func read(
    _ connection: Connection, overrides: SchemaOverrides = SchemaOverrides(),
    withHistories: Bool = false
  ) throws -> RecordSchema {
    try schema(
      of: try DeclaredTable.all(in: connection, withHistories: withHistories),
      overrides: overrides)
  }

  static func schema(
    of declared: [DeclaredTable], overrides: SchemaOverrides
  ) throws(SchemaProblem) -> RecordSchema {
    var draft = SchemaDraft(declared, spelling: Spelling(acronyms: overrides.acronyms))
    try draft.readOverrides(overrides)
    try draft.readColumns()
    draft.findForeignKeys()
    draft.findExtensions()
    try draft.findKeys()
    try draft.findMarks()
    try draft.findRelations()
    return draft.schema
  }
}

extension TableSchema {
  /// Whether another column has the name of one.
  fileprivate func hasOther(named column: Int) -> Bool {
    columns.contains { $0.jsonPath == [columns[column].name] }
  }
}

/// A schema that is being put together. Each step needs those before it.
struct SchemaDraft {
  var schema: RecordSchema
  let declared: [DeclaredTable]
  private(set) var overrides: [SchemaOverrides.Table]
  /// What becomes of members that nothing takes, unless the overrides of a table say it.
  private(set) var unknown = SchemaOverrides.UnknownMembers.freeze
  private(set) var keepsHistory = false

  init(_ declared: [DeclaredTable], spelling: Spelling) {
    let places = Dictionary(
      declared.indices.map { (declared[$0].name.asciiLowercased, $0) },
      uniquingKeysWith: { first, _ in first })
    schema = RecordSchema(
      tables: [], warnings: [], members: [], places: places, spelling: spelling)
    self.declared = declared
    overrides = declared.map { _ in SchemaOverrides.Table() }
  }

  mutating func readOverrides(_ given: SchemaOverrides) throws(SchemaProblem) {
    unknown = given.unknownElsewhere
    keepsHistory = given.keepsHistory
    schema.remembersUnresolved = given.remembersUnresolved
    schema.deletedAt = given.deletedAt
    var seen: [Int: String] = [:]
    for (name, table) in given.tables.sorted(by: { $0.key < $1.key }) {
      guard let place = schema.place(of: name) else { throw .noTable(name) }
      if let other = seen.updateValue(name, forKey: place) { throw .declaredTwice(other, name) }
      overrides[place] = table
    }
  }

  mutating func findRelations() throws(SchemaProblem) {
    hidePositions()
    let tables = schema.tables
    let finder = RelationFinder(tables, schema.spelling)
    var problems: [[String: SchemaProblem]] = []
    for table in tables.indices {
      var adjuster = RelationAdjuster(
        tables, places: schema.places, finder: finder, table: table)
      adjuster.adjust(by: declared[table].madeRelations)
      try adjuster.adjust(by: overrides[table].relations)
      hideColumns(of: adjuster.hidden, in: table)
      let naming = try RelationNaming(
        adjuster.shown, besides: adjuster.hidden, of: table, in: schema.tables, finder)
      schema.tables[table].relations = naming.named
      schema.warnings += naming.warnings
      problems.append(naming.problems)
    }
    pairKeys()
    findPlaces()
    findTold()
    for table in schema.tables.indices {
      var builder = MemberMapBuilder(table, in: schema.tables, schema.spelling)
      schema.members.append(builder.build(problems: problems))
      schema.warnings += builder.warnings
    }
  }

  /// Where keys count only beside the parent's, the key is the pair.
  private mutating func pairKeys() {
    for relation in schema.tables.flatMap(\.relations) where relation.isPerParent {
      guard let (column, _) = relation.kind.childLink else { continue }
      let child = relation.kind.table
      schema.tables[child].key = key(schema.tables[child].key, of: child, with: column)
    }
  }

  /// The column of a relation that stands nowhere in JSON stands nowhere either, unless it has a
  /// name of its own.
  private mutating func hideColumns(of relations: [Relation.Kind], in table: Int) {
    for column in relations.compactMap(\.ownColumn)
    where schema.tables[table].columns[column].jsonPath == nil {
      schema.tables[table].columns[column].isHidden =
        !isSpokenOf(column, of: table) { _ in true }
    }
  }

  /// Nor does the order of a relation that was made and stands nowhere any more, or where objects
  /// have its name for something else.
  private mutating func hidePositions() {
    for made in declared.flatMap(\.madeRelations) where made.through == nil {
      guard let child = made.other.flatMap(schema.place(of:)),
        let column = made.position.flatMap(schema.tables[child].place(ofColumn:)),
        made.jsonPath == nil || schema.tables[child].hasOther(named: column)
      else { continue }
      schema.tables[child].columns[column].isHidden =
        !isSpokenOf(column, of: child) { _ in true }
    }
  }

  /// Where a child's key is its parent's and a position, the place in the array is a part of it.
  private mutating func findPlaces() {
    for table in schema.tables.indices {
      for relation in schema.tables[table].relations.indices {
        guard let (_, place) = place(in: schema.tables[table].relations[relation]) else {
          continue
        }
        schema.tables[table].relations[relation].position = place
        schema.tables[table].relations[relation].isPerParent = true
      }
    }
  }

  /// What the array tells isn't exported besides unless that was said: the positions that were
  /// made for the order alone, and those that are keys for it.
  private mutating func findTold() {
    for table in schema.tables.indices {
      for relation in schema.tables[table].relations {
        guard case .toMany(let child, _, _) = relation.kind, let position = relation.position,
          position.isDeclaredKey || isMade(position, of: child, in: table)
        else { continue }
        schema.tables[child].columns[position.column].isToldByOrder =
          !isSpokenOf(position.column, of: child) { $0.export != nil }
      }
    }
  }

  private func isMade(_ position: Relation.Position, of child: Int, in table: Int) -> Bool {
    declared[table].madeRelations.contains { made in
      made.position.flatMap(schema.tables[child].place(ofColumn:)) == position.column
        && made.other.flatMap(schema.place(of:)) == child
    }
  }

  private func place(in relation: Relation) -> (child: Int, Relation.Position)? {
    guard case .toMany(let child, let link, _) = relation.kind,
      let rest = schema.tables[child].restOfKey(beside: link)
    else { return nil }
    switch relation.position {
    case .declared(rest): return (child, .key(column: rest, isDeclared: true))
    case .declared: return nil
    case nil, .derived, .key:
      guard schema.tables[child].isCount(rest) else { return nil }
      return (child, .key(column: rest, isDeclared: false))
    }
  }

  /// Whether the program says something of a column.
  private func isSpokenOf(
    _ column: Int, of table: Int, _ isMeant: (SchemaOverrides.Column) -> Bool
  ) -> Bool {
    overrides[table].columns.contains { name, override in
      isMeant(override) && schema.tables[table].place(ofColumn: name) == column
    }
  }
}
