package import SyncDatabase
private import SyncText

/// Reads from a database what its tables are to JSON.
package enum SchemaReader {
  /// The schema of the main database.
  ///
  /// A table that can't be synced is none of its errors, but a warning: it is refused when it is
  /// needed.
  /// - Throws: ``SchemaProblem`` for overrides that don't fit the database; `DatabaseError`.
  package static func read(
    _ connection: Connection, overrides: SchemaOverrides = SchemaOverrides()
  ) throws -> RecordSchema {
    try schema(of: try DeclaredTable.all(in: connection), overrides: overrides)
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
    try draft.findRelations()
    return draft.schema
  }
}

/// A schema that is being put together. Each step needs those before it.
struct SchemaDraft {
  var schema: RecordSchema
  let declared: [DeclaredTable]
  private(set) var overrides: [SchemaOverrides.Table]
  /// What becomes of members that nothing takes, unless the overrides of a table say it.
  private(set) var unknown = SchemaOverrides.UnknownMembers.freeze

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
    schema.remembersUnresolved = given.remembersUnresolved
    var seen: [Int: String] = [:]
    for (name, table) in given.tables.sorted(by: { $0.key < $1.key }) {
      guard let place = schema.place(of: name) else { throw .noTable(name) }
      if let other = seen.updateValue(name, forKey: place) { throw .declaredTwice(other, name) }
      overrides[place] = table
    }
  }

  mutating func findRelations() throws(SchemaProblem) {
    let tables = schema.tables
    let finder = RelationFinder(tables, schema.spelling)
    var problems: [[String: SchemaProblem]] = []
    for table in tables.indices {
      var adjuster = RelationAdjuster(
        tables, places: schema.places, finder: finder, table: table)
      try adjuster.adjust(by: overrides[table].relations)
      let naming = try RelationNaming(adjuster.relations, of: table, in: tables, finder)
      schema.tables[table].relations = naming.named
      schema.warnings += naming.warnings
      problems.append(naming.problems)
    }
    pairKeys()
    findPlaces()
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

  /// Where a child's key is its parent's and a position, the place in the array is a part of it. A
  /// declared one isn't exported unless that was said: the array tells it.
  private mutating func findPlaces() {
    for table in schema.tables.indices {
      for relation in schema.tables[table].relations.indices {
        guard let (child, place) = place(in: schema.tables[table].relations[relation]) else {
          continue
        }
        schema.tables[table].relations[relation].position = place
        schema.tables[table].relations[relation].isPerParent = true
        if place.isDeclaredKey, !saysWhetherExported(place.column, of: child) {
          schema.tables[child].columns[place.column].isExported = false
        }
      }
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

  private func saysWhetherExported(_ column: Int, of table: Int) -> Bool {
    overrides[table].columns.contains { name, override in
      override.export != nil && schema.tables[table].place(ofColumn: name) == column
    }
  }
}
