private import SyncEssentials
private import SyncText

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
