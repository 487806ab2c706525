import SyncText

/// Which column is the key of a table that has two to choose from: the INTEGER PRIMARY KEY where
/// the objects carry its name, and never that of the column `id` or `remote_id` beside it.
struct KeyChoice {
  private let schema: RecordSchema
  /// Tables whose objects carry the name of the column that is the key.
  private var keyed: Set<Int> = []
  /// Tables whose objects carry the name of the other.
  private var numbered: Set<Int> = []

  /// The schema with the keys that these objects carry; `nil` if they are those that it has.
  ///
  /// - Parameter table: The table of the objects.
  static func schema(
    _ schema: RecordSchema, for elements: [JSONTape.Node], in tape: borrowing JSONTape,
    of table: Int
  ) -> RecordSchema? {
    guard schema.tables.contains(where: { $0.key.alternative != nil }) else { return nil }
    var choice = KeyChoice(schema)
    for element in elements { choice.read(element, in: tape, as: table) }
    let chosen = choice.numbered.subtracting(choice.keyed)
    return chosen.isEmpty ? nil : choice.schema(choosing: chosen)
  }

  private init(_ schema: RecordSchema) { self.schema = schema }

  private mutating func read(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, as table: Int
  ) {
    switch tape.kind(of: node) {
    case .array:
      let end = tape.end(of: node)
      var element = tape.inside(node)
      while element != end {
        read(element, in: tape, as: table)
        element = tape.after(element)
      }
    case .object:
      let end = tape.end(of: node)
      var name = tape.inside(node)
      while name != end {
        let value = tape.after(name)
        note(name, value, in: tape, of: table)
        name = tape.after(value)
      }
    case .null, .false, .true, .number, .string: break
    }
  }

  private mutating func note(
    _ name: JSONTape.Node, _ value: JSONTape.Node, in tape: borrowing JSONTape, of table: Int
  ) {
    let bytes = tape.stringBytes(name) ?? []
    guard let meaning = schema.meaning(of: bytes, in: schema.members[table]) else { return }
    let key = schema.tables[table].key
    if let alternative = key.alternative, let column = meaning.column, column.table == table {
      if column.column == alternative.column { numbered.insert(table) }
      if key.columns.contains(column.column) { keyed.insert(table) }
    }
    if let relation = meaning.relation {
      let kind = schema.tables[relation.table].relations[relation.relation].kind
      read(value, in: tape, as: kind.table)
    }
  }

  private func schema(choosing tables: Set<Int>) -> RecordSchema {
    var schema = schema
    for table in tables {
      guard let other = schema.tables[table].key.alternative else { continue }
      schema.tables[table].key = KeySchema(
        columns: [other.column], jsonNames: [other.jsonName], isRowNumber: true, problem: nil,
        alternative: nil)
    }
    return schema
  }
}
