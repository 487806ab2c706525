public import SyncText

/// A pattern for keys, as gitignore writes them (gitignore(5), PATTERN FORMAT), without `!`.
///
/// - `*` stands for any bytes but a slash, `?` for one of them, and `[a-z]` for one of these or, as
///   `[!a-z]`, for one that is none of these; also `[[:digit:]]` and its kin.
/// - `**` stands for any number of directories, as the whole of a part between slashes; at the end
///   for everything below.
/// - With a slash at its beginning or in its middle the pattern is held against the whole key, else
///   against each name in it.
/// - A slash at its end fits directories only. What fits a directory fits everything in it.
/// - A backslash takes the meaning from the byte after it. Spaces at the end don't count.
///
/// Keys are bytes, and so is what a pattern fits: `?` is one byte, and case is told apart.
public struct KeyPattern: Hashable, Sendable {
  /// As it was written.
  public let text: ByteString
  let parts: [PatternPart]
  let fitsDirectoriesOnly: Bool

  /// A pattern from its text.
  /// - Throws: what is wrong with it.
  public init(_ text: String) throws(PatternProblem) {
    try self.init(bytes: Array(text.utf8))
  }

  /// A pattern from its bytes.
  /// - Throws: what is wrong with it.
  public init(bytes written: [UInt8]) throws(PatternProblem) {
    text = ByteString(bytes: written)
    var bytes = Self.withoutSpacesAtTheEnd(written)[...]
    if bytes.first == UInt8(ascii: "!") { throw .negated }
    fitsDirectoriesOnly = bytes.last == UInt8(ascii: "/")
    if fitsDirectoriesOnly { bytes.removeLast() }
    let isWhole = bytes.contains(UInt8(ascii: "/"))
    if bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
    guard !bytes.isEmpty else { throw .empty }
    let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var parts: [PatternPart] = isWhole ? [] : [.anyDepth]
    for name in names { try parts.append(PatternPart(name)) }
    // At the end, it is whatever lies below: some directories, and a name.
    if parts.last == .anyDepth { parts.append(.anyName) }
    guard parts.count <= Self.mostParts else { throw .tooManyParts }
    self.parts = parts
  }

  /// States of the search are the bits of a word.
  static let mostParts = 60

  /// Unless a backslash stands before them.
  private static func withoutSpacesAtTheEnd(_ bytes: [UInt8]) -> [UInt8] {
    var end = bytes.count
    while end > 0, bytes[end - 1] == UInt8(ascii: " ") {
      let backslashes = bytes[..<(end - 1)].reversed().prefix { $0 == UInt8(ascii: "\\") }
      guard backslashes.count.isMultiple(of: 2) else { break }
      end -= 1
    }
    return Array(bytes[..<end])
  }
}

extension KeyPattern: CustomStringConvertible {
  /// The text, escaped for printing.
  public var description: String { text.description }
}

/// Why a text is no pattern.
public enum PatternProblem: Error, Hashable, Sendable {
  /// There is nothing in it.
  case empty
  /// It begins with `!`.
  case negated
  /// A `[` has no `]`.
  case unclosedClass
  /// It names a class of bytes that isn't known, such as `[:digits:]`.
  case unknownClass
  /// It ends with a backslash, or a part of it does.
  case backslashAtTheEnd
  /// It has more than 60 parts between slashes.
  case tooManyParts
}

extension PatternProblem: CustomStringConvertible {
  /// What is wrong, as the end of a sentence that began with the pattern.
  public var description: String {
    switch self {
    case .empty: "names nothing; write a name, such as *.iso"
    case .negated:
      "begins with '!'; say what is to be included in a pattern of its own, or write '\\!'"
    case .unclosedClass: "has a '[' without its ']'; close it, or write '\\['"
    case .unknownClass: "has a class that isn't known; write one such as [[:digit:]]"
    case .backslashAtTheEnd: "has a backslash with nothing after it; write two for a backslash"
    case .tooManyParts: "has more than \(KeyPattern.mostParts) parts between slashes"
    }
  }
}
