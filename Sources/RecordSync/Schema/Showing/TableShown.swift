private import SyncText

struct TableText {
  let schema: RecordSchema
  let place: Int

  private var table: TableSchema { schema.tables[place] }

  /// Its name and key, then a line for each column and each relation.
  var lines: [String] {
    let members =
      table.columns.indices.map { (table.columns[$0].name.shown, column($0)) }
      + table.relations.map { ($0.name.shown, relation($0)) }
    let width = min(members.map(\.0.count).max() ?? 0, 24)
    return [heading]
      + members.map { name, meaning in
        "  " + name + String(repeating: " ", count: max(width - name.count, 0)) + "  " + meaning
      }
  }

  private var heading: String {
    var parts: [String] = []
    if table.key.columns.isEmpty {
      parts.append("no key")
    } else {
      let names = table.key.columns.map { table.columns[$0].name.shown }
      parts.append("key " + names.joined(separator: ", "))
    }
    if let other = table.key.alternative {
      let name = table.columns[other.column].name.shown
      parts[0] += ", or \(name) where only that comes"
    }
    if let base = table.base { parts.append("extends " + schema.tables[base].name.shown) }
    if let position = table.position { parts.append("ordered by " + name(place, position)) }
    if let edits = table.edits { parts.append("local edits in " + name(place, edits)) }
    if let mark = table.mark { parts.append("marked as gone in " + name(place, mark)) }
    if table.keepsHistory { parts.append("versions are kept") }
    switch table.unknown {
    case .freeze: break
    case .evolve: parts.append("grows with unknown names")
    case .extra: parts.append("unknown names in extra")
    }
    return table.name.shown + ": " + parts.joined(separator: "; ")
  }

  // MARK: - Columns

  private func column(_ column: Int) -> String {
    let own = table.columns[column]
    var parts = [own.type.words]
    if own.isGenerated { parts.append("computed") }
    if own.isRequired { parts.append("required") }
    if let name = jsonName(of: column) { parts.append("in JSON \(name.quoted)") }
    if let name = reservedWord(for: column) { parts.append("in JSON also \(name.quoted)") }
    if let key = table.foreignKeys.first(where: { $0.column == column }) {
      parts.append("refers to " + name(key.table, key.target))
    }
    if own.isHidden { parts.append("hidden") }
    if !own.isExported { parts.append("not exported") }
    if own.ignoresNull { parts.append("null ignored") }
    if let transformer = own.transformer { parts.append("by \(transformer.name)") }
    return parts.joined(separator: ", ")
  }

  /// Where it isn't the column's own.
  private func jsonName(of column: Int) -> String? {
    let own = table.columns[column]
    let ofKey = table.key.columns.firstIndex(of: column).map { table.key.jsonNames[$0] }
    let name = own.jsonPath?.joined(separator: ".") ?? ofKey ?? own.name
    return name == own.name ? nil : name
  }

  private func reservedWord(for column: Int) -> String? {
    guard let word = schema.spelling.reservedWord(of: table.columns[column].name, in: table.name),
      let meaning = schema.meaning(of: Array(word.utf8), in: schema.members[place]),
      meaning.column == .init(table: place, column: column)
    else { return nil }
    return word
  }

  // MARK: - Relations

  private func relation(_ relation: Relation) -> String {
    var parts: [String]
    switch relation.kind {
    case .toOne(let column, let other, _):
      parts = ["one \(schema.tables[other].name.shown)", "by " + name(place, column)]
    case .inverseToOne(let other, let column, _):
      parts = ["one \(schema.tables[other].name.shown)", "by " + name(other, column)]
    case .toMany(let other, let column, _):
      parts = ["many \(schema.tables[other].name.shown)", "by " + name(other, column)]
    case .manyToMany(let through, let here, _, _, let other, _):
      parts = ["many \(schema.tables[other].name.shown)", "linked by " + name(through, here)]
    }
    if let position = relation.position, let keeper = relation.kind.keeper {
      parts.append("ordered by " + name(keeper, position.column))
    }
    if case .key? = relation.position {
      parts.append("which tells them apart beside the parent's key")
    } else if relation.isPerParent {
      parts.append("keys count beside the parent's")
    }
    return parts.joined(separator: ", ")
  }

  private func name(_ table: Int, _ column: Int) -> String {
    let other = schema.tables[table]
    let own = other.columns[column].name.shown
    return table == place ? own : other.name.shown + "." + own
  }
}

extension RecordSchema {
  /// What was understood, for people: a paragraph for each table, then the warnings.
  public var text: String {
    let tables = tables.indices.map { place in
      TableText(schema: self, place: place).lines.joined(separator: "\n") + "\n"
    }
    let warnings = warnings.map { "Warning: \($0)\n" }.joined()
    return (tables + (warnings.isEmpty ? [] : [warnings])).joined(separator: "\n")
  }
}

struct TableJSON: JSONWritable {
  let schema: RecordSchema
  let place: Int

  private var table: TableSchema { schema.tables[place] }

  func write(to output: inout [UInt8]) {
    JSONWriter.object(to: &output) { object in
      object.add("event", "table")
      object.add("name", table.name)
      object.add("key", table.key.columns.map { table.columns[$0].name })
      object.add("keyNames", table.key.jsonNames)
      if let base = table.base { object.add("extends", schema.tables[base].name) }
      if let position = table.position { object.add("position", table.columns[position].name) }
      if let edits = table.edits { object.add("edits", table.columns[edits].name) }
      if let mark = table.mark { object.add("deletedAt", table.columns[mark].name) }
      if table.keepsHistory { object.add("history", true) }
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
}

extension JSONWriter.Members {
  fileprivate mutating func add(_ name: JSONText, _ strings: [String]) {
    array(name) { list in
      for string in strings { list.add(string) }
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
