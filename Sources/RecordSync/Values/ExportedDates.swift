import SyncText

/// How points in time are written, which are always UTC.
public enum ExportedDates: Sendable, Hashable {
  /// `2026-11-22T09:30:00.000Z`
  case rfc3339
  /// Whole seconds since 1970, a number.
  case seconds
  /// Milliseconds since 1970, a number.
  case milliseconds
  /// A text in which `%Y`, `%m`, `%d`, `%H`, `%M`, `%S` and `%L` (milliseconds) are replaced by
  /// digits, and `%%` by `%`. Anything else stays as it is.
  case pattern(String)

  func write(_ moment: Timestamp, to output: inout [UInt8]) {
    switch self {
    case .rfc3339: moment.text.write(to: &output)
    case .seconds: moment.seconds.write(to: &output)
    case .milliseconds: moment.milliseconds.write(to: &output)
    case .pattern(let pattern): Self.filled(pattern, with: moment).write(to: &output)
    }
  }

  /// The same for a parameter of an address: a moment without milliseconds has none.
  func text(of moment: Timestamp) -> String {
    switch self {
    case .rfc3339: Self.filled("%Y-%m-%dT%H:%M:%S.%LZ", with: moment).replacing(".000Z", with: "Z")
    case .seconds: "\(moment.seconds)"
    case .milliseconds: "\(moment.milliseconds)"
    case .pattern(let pattern): Self.filled(pattern, with: moment)
    }
  }

  private static func filled(_ pattern: String, with moment: Timestamp) -> String {
    let digits = Array(moment.text)
    var output = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      guard character == "%", let letter = rest.first else {
        output.append(character)
        continue
      }
      guard let range = places[letter] else {
        output.append(character)
        if letter == "%" { rest.removeFirst() }
        continue
      }
      output += digits[range]
      rest.removeFirst()
    }
    return output
  }

  /// Where the digits stand in `2026-11-22T09:30:00.000Z`.
  private static let places: [Character: Range<Int>] = [
    "Y": 0..<4, "m": 5..<7, "d": 8..<10, "H": 11..<13, "M": 14..<16, "S": 17..<19, "L": 20..<23,
  ]
}
