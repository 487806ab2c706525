import SyncDatabase
import SyncText

/// How a table tells its keys apart: by what they mean in their columns' types, and as the columns'
/// collations do.
package struct KeyIdentity: Sendable, Equatable {
  private let columns: [ColumnSchema]
  /// Whether only what is the same is one key.
  package let isPlain: Bool
  /// Whether a key may be stored in more forms than one.
  package let hasForms: Bool

  package init(_ table: TableSchema) {
    columns = table.key.columns.map { table.columns[$0] }
    hasForms = columns.contains { $0.type.hasForms }
    isPlain = !hasForms && columns.allSatisfy { $0.collation == .binary }
  }

  /// What is equal for keys that the table holds for one.
  package func identity(of key: RecordKey) -> RecordKey {
    guard !isPlain else { return key }
    return RecordKey(
      zip(key.values, columns).map { value, column in
        column.collation.folded(column.type.canonical(value))
      })
  }

  /// The same of the values that an object has for its key; `nil` of those that the columns can't
  /// hold.
  func identity(of nodes: [JSONTape.Node], in tape: borrowing JSONTape) -> RecordKey? {
    guard nodes.count == columns.count else { return nil }
    var values: [StoredValue] = []
    for (node, column) in zip(nodes, columns) {
      guard let value = column.type.key(node, in: tape)?.value else { return nil }
      values.append(value)
    }
    return identity(of: RecordKey(values))
  }

  /// The other forms in which programs are known to store the key.
  package func forms(of key: RecordKey) -> [RecordKey] {
    guard hasForms else { return [] }
    var forms: [[StoredValue]] = [[]]
    for (value, column) in zip(key.values, columns) {
      let own = [value] + column.type.forms(of: value)
      forms = forms.flatMap { form in own.map { form + [$0] } }
    }
    return forms.map(RecordKey.init).filter { $0 != key }
  }
}

extension ColumnSchema.Collation {
  /// What is equal for values that it holds for one.
  fileprivate func folded(_ value: StoredValue) -> StoredValue {
    guard case .text(let text) = value else { return value }
    switch self {
    case .noCase: return .text(text.asciiLowercased)
    case .trimmed: return .text(String(text.reversed().drop { $0 == " " }.reversed()))
    case .binary, .other: return value
    }
  }
}

/// Which column is the key of a table that has two to choose from: the INTEGER PRIMARY KEY where
/// the objects carry its name, and never that of the column `id` or `remote_id` beside it.
struct KeyChoice {
  private let schema: RecordSchema
  private var keyed: Set<Int> = []
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

extension TableSchema {
  /// The key that a program names: of a key of several columns an array. Its values are brought to
  /// the types of the columns; `nil` for what can't be.
  func recordKey(_ value: RecordValue) -> RecordKey? {
    var parts = [value]
    if key.columns.count != 1 {
      guard let elements = value.elements, elements.count == key.columns.count else { return nil }
      parts = elements
    }
    var tape = JSONTape(nesting: 512)
    var values: [StoredValue] = []
    for (part, column) in zip(parts, key.columns) {
      tape.begin(JSONWriter.value(part))
      guard let (node, _) = try? tape.append(at: 0),
        let stored = columns[column].type.key(node, in: tape)
      else { return nil }
      values.append(stored.value)
    }
    return RecordKey(values)
  }
}
