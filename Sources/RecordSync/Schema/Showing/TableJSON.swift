private import SyncText

/// A table as it was understood, for programs: one object.
struct TableJSON: JSONWritable {
  let schema: RecordSchema
  /// The table's place.
  let place: Int

  private var table: TableSchema { schema.tables[place] }

  func write(to output: inout [UInt8]) {
    JSONWriter.object(to: &output) { object in
      object.add("event", "table")
      object.add("name", table.name)
      object.add("key", Strings(table.key.columns.map { table.columns[$0].name }))
      object.add("keyNames", Strings(table.key.jsonNames))
      if let base = table.base { object.add("extends", schema.tables[base].name) }
      if let position = table.position { object.add("position", table.columns[position].name) }
      if let edits = table.edits { object.add("edits", table.columns[edits].name) }
      object.add("unknown", table.unknown.rawValue)
      object.array("columns") { columns in
        for column in table.columns { columns.object { write(column, to: &$0) } }
      }
      object.array("relations") { relations in
        for relation in table.relations { relations.object { write(relation, to: &$0) } }
      }
    }
  }

  private func write(_ column: ColumnSchema, to object: inout JSONWriter.Members) {
    object.add("column", column.name)
    object.add("kind", column.type.kind.name)
    if case .date(let storage) = column.type.kind { object.add("date", storage.rawValue) }
    if let path = column.jsonPath { object.add("name", path.joined(separator: ".")) }
    if column.isRequired { object.add("required", true) }
    if column.isGenerated { object.add("generated", true) }
    if !column.isExported { object.add("export", false) }
    if column.ignoresNull { object.add("ignoreNull", true) }
    if let transformer = column.transformer { object.add("transform", transformer.name) }
  }

  private func write(_ relation: Relation, to object: inout JSONWriter.Members) {
    object.add("name", relation.name)
    object.add("kind", relation.kind.name)
    object.add("table", schema.tables[relation.kind.table].name)
    switch relation.kind {
    case .toOne(let column, _, _): object.add("column", table.columns[column].name)
    case .inverseToOne(let other, let column, _), .toMany(let other, let column, _):
      object.add("column", schema.tables[other].columns[column].name)
    case .manyToMany(let through, let here, _, _, _, _):
      object.add("column", schema.tables[through].columns[here].name)
      object.add("through", schema.tables[through].name)
    }
    if let keeper = relation.kind.keeper, let position = relation.position {
      object.add("position", schema.tables[keeper].columns[position.column].name)
    }
    if relation.isPerParent { object.add("perParent", true) }
  }

  private struct Strings: JSONWritable {
    let strings: [String]

    init(_ strings: [String]) { self.strings = strings }

    func write(to output: inout [UInt8]) {
      JSONWriter.array(to: &output) { array in
        for string in strings { array.add(string) }
      }
    }
  }
}

extension RecordSchema {
  /// What was understood, for programs: an object of JSON for each table, one for each warning, and
  /// at the end how many there are.
  public var jsonLines: [[UInt8]] {
    let tables = tables.indices.map { JSONWriter.value(TableJSON(schema: self, place: $0)) }
    let warnings = warnings.map { warning in
      JSONWriter.object { object in
        object.add("event", "warning")
        object.add("sentence", warning.description)
      }
    }
    let end = JSONWriter.object { object in
      object.add("event", "report")
      object.add("tables", tables.count)
      object.add("warnings", warnings.count)
    }
    return tables + warnings + [end]
  }
}

extension Relation.Kind {
  fileprivate var name: String {
    switch self {
    case .toOne: "to-one"
    case .inverseToOne: "inverse-to-one"
    case .toMany: "to-many"
    case .manyToMany: "many-to-many"
    }
  }
}
