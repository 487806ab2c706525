/// Reads the values of options. Each throws a sentence that says what would have been right.
public enum Value {
  /// A text that can stand in a header.
  public static func oneLine(_ text: String) throws -> String {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw UsageError("'\(text)' won't do; give some printable ASCII on one line")
    }
    return text
  }

  /// A whole number from 0 up.
  public static func count(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 0 else {
      throw UsageError("'\(text)' is no number; give one from 0 up")
    }
    return number
  }

  /// A whole number from 1 up.
  public static func positive(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 1 else {
      throw UsageError("'\(text)' won't do; give a number from 1 up")
    }
    return number
  }

  /// A number of bytes from 1 up, with B, or with K, M, G or T for powers of 1,024. A number
  /// without a unit is a mistake: nobody knows which one was meant.
  public static func size(_ text: String) throws -> Int64 {
    let shifts: [Character: Int64] = ["B": 0, "K": 10, "M": 20, "G": 30, "T": 40]
    let (number, shift) = try amount(text, shifts, "size; write 800B, 500K, 20M, 4G or 1T") {
      Character($0.uppercased())
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
    guard number > 0, !overflow else {
      throw UsageError("'\(text)' is no size; write 800B, 500K, 20M, 4G or 1T")
    }
    return bytes
  }

  /// A time with s, m, h or d, or 0. Any other number without a unit is a mistake.
  public static func duration(_ text: String) throws -> Duration {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    let (number, unit) = try amount(text, units, "time; write 90s, 30m, 12h or 7d") { $0 }
    guard number >= 0, number < 100_000_000 else {
      throw UsageError("'\(text)' is no time; write 90s, 30m, 12h or 7d")
    }
    return .seconds(number * unit)
  }

  /// A number and what its unit stands for.
  private static func amount(
    _ text: String, _ units: [Character: Int64], _ what: String, _ named: (Character) -> Character
  ) throws -> (number: Int64, unit: Int64) {
    if text == "0" { return (0, 0) }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      throw UsageError("'\(text)' has no unit, and so is no \(what)")
    }
    guard let last = text.last, let unit = units[named(last)], let number = Int64(text.dropLast())
    else { throw UsageError("'\(text)' is no \(what)") }
    return (number, unit)
  }

  /// Whether a flag is meant that is said with a value, as files do: `yes`, `true`, `on` or `1`.
  public static func isYes(_ text: String) throws -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default: throw UsageError("'\(text)' won't do; write yes or no")
    }
  }

  /// One of a few words.
  public static func oneOf(_ words: [String], _ text: String) throws -> String {
    guard words.contains(text) else { throw unknown(text, among: words) }
    return text
  }

  /// What one of these words means.
  public static func oneOf<Meaning>(
    _ meanings: KeyValuePairs<String, Meaning>, _ text: String
  ) throws -> Meaning {
    guard let (_, meaning) = meanings.first(where: { $0.key == text }) else {
      throw unknown(text, among: meanings.map(\.key))
    }
    return meaning
  }

  /// One of the words of a type.
  public static func raw<Word: RawRepresentable<String> & CaseIterable>(_ text: String) throws
    -> Word
  {
    guard let word = Word(rawValue: text) else {
      throw unknown(text, among: Word.allCases.map(\.rawValue))
    }
    return word
  }

  private static func unknown(_ text: String, among words: [String]) -> UsageError {
    let all = words.joined(separator: ", ")
    guard let near = Suggestion.nearest(to: text, among: words) else {
      return UsageError("'\(text)' is unknown; choose one of \(all)")
    }
    return UsageError("'\(text)' is unknown; did you mean '\(near)'? There are \(all)")
  }
}
