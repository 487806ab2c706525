import SyncDatabase
private import SyncText

/// What SQLite is told of documents. Its own functions for JSON read other numbers than were
/// written, end a string at U+0000, and don't find a member whose name is written with escapes.
enum QueryFunctions {
  private static let times = PathCode.bytes(of: [.member(MemberTimes.name)])

  static func install(in connection: Connection) throws {
    try connection.define(key)
    try connection.define(like)
  }

  /// `document_key(body, path)`: the ``ComparisonKey`` of the value at a path; NULL without one.
  private static let key = SQLFunction("document_key", arguments: 2) { arguments in
    guard let body = arguments.bytes(0), let path = arguments.bytes(1) else { return nil }
    return try withValue(at: path, of: body) { .blob(try ComparisonKey.key(written: $0)) }
  }

  /// `document_like(body, path, pattern)`: whether there is a string of that pattern.
  private static let like = SQLFunction("document_like", arguments: 3) { arguments in
    guard let body = arguments.bytes(0), let path = arguments.bytes(1),
      let pattern = arguments.bytes(2)
    else { return nil }
    return try withValue(at: path, of: body) { written in
      let text = ComparisonKey.stringBytes(written: written)
      return text?.withUnsafeBufferPointer {
        .integer(LikePattern.matches($0, pattern) ? 1 : 0)
      }
    }
  }

  /// Hands the text of a value to `body`, as people may see it; `nil` where there is none.
  private static func withValue(
    at path: UnsafeBufferPointer<UInt8>, of document: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> StoredValue?
  ) throws -> StoredValue? {
    if path.isEmpty {
      let seen = try DocumentValue(bytes: Array(document)).withoutTimes
      return try seen.json.written.withUnsafeBufferPointer(body)
    }
    if path.starts(with: times) { return nil }
    guard let range = try MemberScanner.range(of: PathCode(path), in: document) else { return nil }
    return try body(UnsafeBufferPointer(rebasing: document[range]))
  }
}

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
