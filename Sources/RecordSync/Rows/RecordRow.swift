import SyncDatabase
private import SyncEssentials
import SyncText

/// A row as JSON would have it.
public struct RecordRow: Sendable, Equatable {
  /// What identifies it.
  public let key: RecordKey
  /// Its columns by their names, and those of the rows that it extends: dates as RFC 3339, truth
  /// values as such, JSON as what it says.
  public let values: [String: RecordValue]
  /// Under which names, besides its own, each column is looked for.
  let otherNames: [String: [String]]

  /// What a column holds; `nil` if there is no such column.
  public subscript(column: String) -> RecordValue? { values[column] }
}

struct RowReader {
  private let rows: ExportReader
  private let schema: RecordSchema
  private let table: Int

  init(_ connection: Connection, _ schema: RecordSchema, table: String) throws {
    rows = try ExportReader(connection, schema)
    self.schema = schema
    self.table = try schema.placeWithKey(of: table)
  }

  func each(
    _ selection: RecordSelection, in order: [RecordOrder] = [], atMost limit: Int? = nil,
    _ body: (RecordRow) throws -> Void
  ) throws {
    try rows.each(selection, of: table, in: order, atMost: limit) { try body(row($0)) }
  }

  private func row(_ found: ExportedRow) -> RecordRow {
    var values: [String: RecordValue] = [:]
    var names: [String: [String]] = [:]
    for layer in found.layers {
      let schema = self.schema.tables[layer.table]
      for (column, value) in zip(schema.columns, layer.row.values)
      where values[column.name] == nil {
        values[column.name] = Self.value(value, of: column)
        names[column.name] = otherNames(of: column, schema)
      }
    }
    let key = schema.tables[table].key.columns.compactMap { found[table, $0] }
    return RecordRow(key: RecordKey(key), values: values, otherNames: names)
  }

  private func otherNames(of column: ColumnSchema, _ table: TableSchema) -> [String] {
    var names = [schema.spelling.camel(column.name)]
    if let path = column.jsonPath, path.count == 1 { names.insert(path[0], at: 0) }
    if let key = table.key.columns.firstIndex(where: { table.columns[$0].name == column.name }) {
      names.append(table.key.jsonNames[key])
    }
    return names
  }

  private static func value(_ stored: StoredValue?, of column: ColumnSchema) -> RecordValue {
    if case .blob(let bytes)? = stored, column.type.kind == .blob, column.transformer == nil {
      return .bytes(bytes)
    }
    var text: [UInt8] = []
    column.type.json(of: stored, through: column.transformer, to: &text)
    let json = try? JSONValue(text, in: 0..<text.count, nesting: 512)
    return json.flatMap { RecordValue($0) } ?? RecordValue(stored)
  }
}

extension RecordRow {
  /// The row as a value of a program's own type, whose members are named as the columns, in
  /// `snake_case` or `camelCase`, or as they were declared. Members that the row lacks must be
  /// optional. A truth value wants a column that is declared as one.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    var members = values
    for (column, names) in otherNames.sorted(by: { $0.key < $1.key }) {
      for name in names where members[name] == nil { members[name] = values[column] }
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .timestamps
    return try decoder.decode(type, from: Data(JSONWriter.value(RecordValue.object(members))))
  }
}

extension RecordPayload {
  /// One object, or an array of them.
  public static func value(_ value: RecordValue) -> RecordPayload {
    .bytes(JSONWriter.value(value))
  }

  /// What a program's own value is encoded as: an object, or an array of objects. Members are named
  /// as columns and relations, in `snake_case` or `camelCase`; one that is left out stays as it is.
  public static func encoding(_ value: some Encodable) throws -> RecordPayload {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .timestamps
    return .bytes(Array(try encoder.encode(value)))
  }
}
