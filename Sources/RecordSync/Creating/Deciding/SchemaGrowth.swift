private import SyncText

/// What the tables of a database have to become so that all of a payload fits into them. A
/// decision: nothing is done.
///
/// What is proposed is read as the database itself would be read afterwards. A name that would then
/// mean something else is kept in another way, until each means what it is to mean.
package enum SchemaGrowth {
  /// The changes, in an order in which they can be made; none where everything fits already.
  ///
  /// - Parameters:
  ///   - table: The table of the payload's elements.
  ///   - isWide: Whether a column holds integers that no double holds.
  /// - Throws: ``PayloadProblem`` where no element has a key; ``SchemaProblem`` for tables that
  ///   can't grow, and for what the program says of tables that won't be there.
  package static func changes(
    for shape: PayloadShape, of table: String, in present: PresentTables,
    isWide: (_ column: String, _ table: String) throws -> Bool = { _, _ in false }
  ) throws -> [SchemaChange] {
    var demands = Demands()
    while true {
      let tables = try PayloadTables(shape, of: table, present, refusing: demands.refused)
      let keys = GrowthKeys(tables)
      guard !keys.isTopKeyless else {
        throw PayloadProblem.withoutKeys(
          table: table, names: present.saying(of: table)?.key ?? PresentTables.usualKeys,
          elements: shape.elements, first: nil)
      }
      var learnt = Demands()
      learnt.refused = keys.refused.union(mixed(tables))
      learnt.contradicted = tables.contradicted
      if demands.add(learnt) { continue }
      let links = GrowthLinks(tables, keys)
      learnt.refused = links.refused
      if demands.add(learnt) { continue }
      let draft = try GrowthDraft(tables, keys, links, demands, isWide: isWide)
      if draft.changes.isEmpty { return [] }
      let schema = try SchemaReader.schema(of: draft.declared, overrides: present.overrides)
      if demands.add(GrowthCheck(draft, schema).demands) { continue }
      return draft.changes
    }
  }

  /// Tables of which two objects of one key are one row though they differ: as the schema was made
  /// before, or since they stand at the top of the payload both.
  package static func merged(
    _ shape: PayloadShape, into table: String, in present: PresentTables
  ) throws(SchemaProblem) -> [(table: String, Contradiction)] {
    let tables = try PayloadTables(shape, of: table, present, refusing: []).tables
    return tables.compactMap { table in
      let atTop = table.places.contains(0) ? shape.objects[0].values.contradiction : nil
      return (table.contradiction ?? atTop).map { (table.name, $0) }
    }
  }

  /// Names under which relations were begun, though other values of theirs can't be rows.
  private static func mixed(_ tables: PayloadTables) -> Set<PayloadTables.Relationship> {
    var mixed: Set<PayloadTables.Relationship> = []
    for (number, table) in tables.tables.enumerated() {
      for member in table.members where tables.isBegun(member.name, from: table) {
        if case .unknown = tables.meaning(of: member, in: number) {
          mixed.insert(.init(table.name, member.name))
        }
      }
    }
    return mixed
  }
}

/// Holds what names mean in tables as they will be against what they are to mean.
struct GrowthCheck {
  private(set) var demands = Demands()
  private let schema: RecordSchema

  init(_ draft: GrowthDraft, _ schema: RecordSchema) {
    self.schema = schema
    for (name, expected) in draft.expected { check(name, expected) }
    for (number, table) in draft.tables.tables.enumerated() {
      guard let place = schema.place(of: table.name) else { continue }
      let key = schema.tables[place].key
      let isOther = draft.keys.single[number].map { single in
        key.columns.map { schema.tables[place].columns[$0].name } != [single.column]
      }
      let wasOther = table.place.map {
        draft.tables.present.schema.tables[$0].key.alternative != nil
      }
      if isOther ?? false || key.alternative != nil, !(wasOther ?? false) {
        demands.plainKeys.insert(table.name.asciiLowercased)
      }
    }
  }

  private mutating func check(
    _ name: PayloadTables.Relationship, _ expected: GrowthDraft.Expected
  ) {
    guard let place = schema.place(of: name.table) else { return }
    let meaning = schema.meaning(of: Array(name.name.utf8), in: schema.members[place])
    switch expected {
    case .column(let column):
      let found = meaning?.column.map { schema.tables[$0.table].columns[$0.column].name }
      if found != column || meaning?.relation != nil { demands.renamed.insert(name) }
    case .relation(let table, let isMany):
      let found = meaning?.relation.map { schema.tables[$0.table].relations[$0.relation].kind }
      let isMeant = found.map { schema.tables[$0.table].name == table && $0.isOwn != isMany }
      if isMeant != true { demands.refused.insert(name) }
    }
  }
}
