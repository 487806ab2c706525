private import SyncEssentials
private import SyncText

extension DocumentValue {
  /// What a program's own value is encoded as. Integers of 64 bits are exact; dates are written as
  /// in RFC 3339, in UTC, with milliseconds; an optional that is `nil` is no member.
  public static func encode(_ value: some Encodable) throws -> DocumentValue {
    let encoder = JSONEncoder()
    // Else the order would be another one each time.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .timestamps
    return try DocumentValue(bytes: Array(try encoder.encode(value)))
  }

  /// The value as one of a program's own type. Members that the type doesn't know are passed over.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .timestamps
    return try decoder.decode(type, from: Data(json.written))
  }
}
