/// A pattern of strings: `%` stands for any characters or none, `_` for any one, and behind a `\`
/// each stands for itself.
enum LikePattern {
  private static let any = UInt8(ascii: "%")
  private static let one = UInt8(ascii: "_")
  private static let escape = UInt8(ascii: "\\")

  /// What all strings of a pattern begin with.
  static func prefix(of pattern: some Sequence<UInt8>) -> [UInt8] {
    let pattern = Array(pattern)
    var (prefix, place) = ([UInt8](), 0)
    while place < pattern.count, pattern[place] != any, pattern[place] != one {
      if pattern[place] == escape, place + 1 < pattern.count { place += 1 }
      prefix.append(pattern[place])
      place += 1
    }
    return prefix
  }

  /// Whether a text in UTF-8 is of a pattern.
  static func matches(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var (place, next) = (0, 0)
    /// Behind the last `%`, and what it stands for so far ends here. That an earlier one stands for
    /// more can't help then.
    var last: (next: Int, place: Int)?
    while place < text.count {
      switch step(text, place, pattern, next) {
      case (let more, let length)? where more > 0: (place, next) = (place + length, next + more)
      case _? where next < pattern.count:
        next += 1
        last = (next, place)
      default:
        guard let (start, end) = last else { return false }
        place = end + length(of: text, end)
        next = start
        last = (start, place)
      }
    }
    return pattern[next...].allSatisfy { $0 == any }
  }

  /// How many bytes of the pattern stand here for how many of the text: none, where a `%` stands;
  /// `nil`, where they differ.
  private static func step(
    _ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ pattern: UnsafeBufferPointer<UInt8>,
    _ next: Int
  ) -> (pattern: Int, text: Int)? {
    guard next < pattern.count else { return nil }
    switch pattern[next] {
    case any: return (0, 0)
    case one: return (1, length(of: text, place))
    case escape where next + 1 < pattern.count:
      return pattern[next + 1] == text[place] ? (2, 1) : nil
    default: return pattern[next] == text[place] ? (1, 1) : nil
    }
  }

  /// How many bytes the character has that begins here.
  private static func length(of text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
    var end = place + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end - place
  }
}
