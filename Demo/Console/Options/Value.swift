/// Reads the values of options. Each throws a sentence that says what would have been right.
package enum Value {
  /// A whole number from 0 up.
  package static func count(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 0 else {
      throw UsageError("'\(text)' is no number; give one from 0 up")
    }
    return number
  }

  /// A whole number from 1 up.
  package static func positive(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 1 else {
      throw UsageError("'\(text)' won't do; give a number from 1 up")
    }
    return number
  }

  /// A number of bytes from 1 up, with K, M, G or T for powers of 1,024.
  package static func size(_ text: String) throws -> Int64 {
    let wrong = UsageError("'\(text)' is no size; write 500K, 20M, 4G or 1T")
    guard let last = text.last else { throw wrong }
    let shifts: [Character: Int64] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = shifts[Character(last.uppercased())]
    let digits = shift == nil ? Substring(text) : text.dropLast()
    guard let number = Int64(digits), number > 0 else { throw wrong }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    guard !overflow else { throw wrong }
    return bytes
  }

  /// A time: seconds, or with s, m, h or d.
  package static func duration(_ text: String) throws -> Duration {
    let wrong = UsageError("'\(text)' is no time; write 90s, 30m, 12h or 7d")
    guard let last = text.last else { throw wrong }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    let digits = units[last] == nil ? Substring(text) : text.dropLast()
    guard let number = Int64(digits), number >= 0, number < 100_000_000 else { throw wrong }
    return .seconds(number * (units[last] ?? 1))
  }

  /// Whether a flag is meant that is said with a value, as files do: `yes`, `true`, `on` or `1`.
  package static func isYes(_ text: String) throws -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default: throw UsageError("'\(text)' won't do; write yes or no")
    }
  }

  /// One of a few words.
  package static func oneOf(_ words: [String], _ text: String) throws -> String {
    guard words.contains(text) else {
      throw UsageError(
        "'\(text)' is unknown; choose one of \(words.joined(separator: ", "))")
    }
    return text
  }

  /// One of the words of a type.
  package static func raw<Word: RawRepresentable<String> & CaseIterable>(_ text: String) throws
    -> Word
  {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("'\(text)' is unknown; choose one of \(words)")
    }
    return word
  }
}
