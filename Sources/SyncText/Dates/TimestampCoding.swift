package import SyncEssentials

extension JSONEncoder.DateEncodingStrategy {
  /// Dates as RFC 3339 has them, in UTC, with milliseconds; those beyond the years 1 to 9999 are
  /// errors.
  package static var timestamps: JSONEncoder.DateEncodingStrategy {
    .custom { date, encoder in
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
  }
}

extension JSONDecoder.DateDecodingStrategy {
  /// Dates in any form that a ``Timestamp`` is read from.
  package static var timestamps: JSONDecoder.DateDecodingStrategy {
    .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let moment = Timestamp(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "\(text) is no point in time")
      }
      return Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
    }
  }
}
