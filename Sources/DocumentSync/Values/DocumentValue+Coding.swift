private import Foundation
private import SyncText

extension DocumentValue {
  /// What a program's own value is encoded as. Integers of 64 bits are exact; dates are written as
  /// in RFC 3339, in UTC, with milliseconds; an optional that is `nil` is no member.
  public static func encode(_ value: some Encodable) throws -> DocumentValue {
    let encoder = JSONEncoder()
    // Else the order would be another one each time.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded())
      guard let moment = milliseconds.flatMap({ Timestamp(milliseconds: $0) }) else {
        throw EncodingError.invalidValue(
          date,
          EncodingError.Context(
            codingPath: encoder.codingPath, debugDescription: "not in the years 1 to 9999"))
      }
      try container.encode(moment.text)
    }
    return try DocumentValue(bytes: Array(try encoder.encode(value)))
  }

  /// The value as one of a program's own type. Members that the type doesn't know are passed over.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let moment = Timestamp(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "\(text) is no point in time")
      }
      return Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
    }
    return try decoder.decode(type, from: Data(json.written))
  }
}
