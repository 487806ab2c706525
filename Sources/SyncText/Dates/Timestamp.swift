package import SyncEssentials

/// A point in time of the years 1 to 9999, UTC, to the millisecond. Independent of the machine's
/// time zone; leap seconds aren't counted.
package struct Timestamp: Hashable, Sendable {
  /// Milliseconds since 1970 began.
  package let milliseconds: Int64

  private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// So many milliseconds since 1970 began; `nil` when that isn't in the years 1 to 9999.
  package init?(milliseconds: Int64) {
    guard Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// The point in time that a number means: below 10^11 it counts seconds, below 10^14
  /// milliseconds, below 10^17 microseconds, else nanoseconds; rounded down to milliseconds.
  package init?(unix number: JSONNumber) {
    var text = number.text
    let milliseconds = text.withUTF8 { UnixTime.milliseconds($0, allowsExponent: true) }
    guard let milliseconds else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// Reads any of the forms that ``TimestampReader`` knows.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let milliseconds = TimestampReader.milliseconds(text) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// As ``init(_:)-(UnsafeBufferPointer<UInt8>)``.
  package init?(_ text: String) {
    var text = text
    let timestamp = text.withUTF8 { Timestamp($0) }
    guard let timestamp else { return nil }
    self = timestamp
  }

  /// RFC 3339 with milliseconds, always of 24 bytes: `2026-11-22T09:30:00.000Z`.
  package var text: String {
    let day = Self.floor(milliseconds, 86_400_000)
    let rest = Int(milliseconds - day * 86_400_000)
    let (year, month, date) = CivilTime.date(ofDay: Int(day))
    return String(unsafeUninitializedCapacity: 24) { text in
      Self.put(year, 4, UInt8(ascii: "-"), at: 0, of: text)
      Self.put(month, 2, UInt8(ascii: "-"), at: 5, of: text)
      Self.put(date, 2, UInt8(ascii: "T"), at: 8, of: text)
      Self.put(rest / 3_600_000, 2, UInt8(ascii: ":"), at: 11, of: text)
      Self.put(rest / 60_000 % 60, 2, UInt8(ascii: ":"), at: 14, of: text)
      Self.put(rest / 1_000 % 60, 2, UInt8(ascii: "."), at: 17, of: text)
      Self.put(rest % 1_000, 3, UInt8(ascii: "Z"), at: 20, of: text)
      return 24
    }
  }

  /// Whole seconds since 1970 began, rounded down.
  package var seconds: Int64 { Self.floor(milliseconds, 1_000) }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    (number - (number % divisor + divisor) % divisor) / divisor
  }

  private static func put(
    _ number: Int, _ digits: Int, _ end: UInt8, at place: Int,
    of text: UnsafeMutableBufferPointer<UInt8>
  ) {
    var rest = number
    for index in (place..<place + digits).reversed() {
      text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    text[place + digits] = end
  }
}

extension Timestamp: Comparable {
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

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
