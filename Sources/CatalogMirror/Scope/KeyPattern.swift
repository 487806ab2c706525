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
/// - Braces stand for themselves; with a comma between them, only behind a backslash.
/// - A backslash takes the meaning from the byte after it. Spaces at the end don't count.
///
/// Keys are bytes, and so is what a pattern fits: `?` is one byte, and case is told apart.
public struct KeyPattern: Hashable, Sendable, CustomStringConvertible {
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
  package init(bytes written: [UInt8]) throws(PatternProblem) {
    text = ByteString(bytes: written)
    var bytes = Self.withoutSpacesAtTheEnd(written)[...]
    if bytes.first == UInt8(ascii: "!") { throw .negated }
    fitsDirectoriesOnly = bytes.last == UInt8(ascii: "/")
    if fitsDirectoriesOnly { bytes.removeLast() }
    let isWhole = bytes.contains(UInt8(ascii: "/"))
    if bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
    guard !bytes.isEmpty else { throw .empty }
    if Self.hasChoice(bytes) { throw .braces }
    let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var parts: [PatternPart] = isWhole ? [] : [.anyDepth]
    for name in names { try parts.append(PatternPart(name)) }
    // At the end, it is whatever lies below: some directories, and a name.
    if parts.last == .anyDepth { parts.append(.anyName) }
    guard parts.count <= Self.mostParts else { throw .tooManyParts }
    self.parts = parts
  }

  /// The text of a pattern that fits this key alone; with a slash at its end, what lies below it.
  static func text(of key: [UInt8]) -> [UInt8] {
    [UInt8(ascii: "/")]
      + key.flatMap { byte in
        "*?[]{}\\! #".utf8.contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
      }
  }

  /// States of the search are the bits of a word.
  static let mostParts = 60

  /// Whether braces have a comma between them, none of it behind a backslash or in a class.
  private static func hasChoice(_ bytes: ArraySlice<UInt8>) -> Bool {
    var (isOpen, hasComma) = (false, false)
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"): _ = rest.popFirst()
      case UInt8(ascii: "["): _ = try? ByteSet(readingFrom: &rest)
      case UInt8(ascii: "{"): (isOpen, hasComma) = (true, false)
      case UInt8(ascii: ","): hasComma = isOpen
      case UInt8(ascii: "}"):
        if hasComma { return true }
        isOpen = false
      default: break
      }
    }
    return false
  }

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

  /// The text, escaped for printing.
  public var description: String { text.description }
}

/// Why a text is no pattern, or a file none of filters.
public enum PatternProblem: Error, Hashable, Sendable, CustomStringConvertible {
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
  /// It has braces with a comma between them, which stand for a choice elsewhere.
  case braces
  /// It has more than 60 parts between slashes.
  case tooManyParts
  /// This line, counted from 1, of a file of filters begins with neither `+` nor `-`.
  case noFilter(line: Int)
  /// The pattern in this line of a file of filters is none.
  indirect case inLine(Int, PatternProblem)

  /// What is wrong, as the end of a sentence that began with the pattern or the file.
  public var description: String {
    switch self {
    case .empty: "names nothing; write a name, such as *.iso"
    case .negated:
      "begins with '!'; say what is to be included in a pattern of its own, or write '\\!'"
    case .unclosedClass: "has a '[' without its ']'; close it, or write '\\['"
    case .unknownClass: "has a class that isn't known; write one such as [[:digit:]]"
    case .backslashAtTheEnd: "has a backslash with nothing after it; write two for a backslash"
    case .braces:
      "has braces, which stand for no choice here; write a pattern for each, or write '\\{'"
    case .tooManyParts: "has more than \(KeyPattern.mostParts) parts between slashes"
    case .noFilter(let line):
      "has a line \(line) that is no filter; write '+ PATTERN' or '- PATTERN'"
    case .inLine(let line, let problem): "has a pattern in line \(line) that \(problem)"
    }
  }
}

extension KeyPattern {
  package enum Fit: Hashable, Sendable {
    /// It doesn't, nor can it anything below.
    case none
    /// It doesn't, but it may fit something below.
    case below
    /// It does, itself or through a directory above it.
    case whole
  }

  /// How the pattern fits a path: its names, with slashes between.
  ///
  /// One walk through the names. A bit of `live` says that the parts before it have been used up by
  /// the names so far; the last bit says that all have.
  package func fit(_ path: [UInt8], isDirectory: Bool) -> Fit {
    var live = closure(1)
    var start = path.startIndex
    while true {
      let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
      live = step(live, path[start..<end])
      guard live != 0 else { return .none }
      let isFile = end == path.endIndex && !isDirectory
      if live & accepting != 0, !(isFile && fitsDirectoriesOnly) { return .whole }
      if end == path.endIndex { return live & ~accepting == 0 ? .none : .below }
      start = end + 1
    }
  }

  /// Whether the pattern fits everything in a directory, whatever it is called, though it doesn't
  /// fit the directory itself: as `d/*` and `d/**` do in `d`.
  package func fitsAll(in directory: [UInt8]) -> Bool {
    guard parts.last == .anyName, !fitsDirectoriesOnly else { return false }
    let names = directory.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let live = names.reduce(closure(1)) { step($0, $1) }
    return live & (accepting >> 1) != 0
  }

  private var accepting: UInt64 { 1 << UInt64(parts.count) }

  private func step(_ live: UInt64, _ name: ArraySlice<UInt8>) -> UInt64 {
    var next: UInt64 = 0
    for (place, part) in parts.enumerated() where live & (1 << UInt64(place)) != 0 {
      switch part {
      case .anyDepth: next |= 1 << UInt64(place)
      case .name(let elements):
        if PatternPart.fits(elements, name) { next |= 1 << UInt64(place + 1) }
      }
    }
    return closure(next)
  }

  /// Any number of directories may be none.
  private func closure(_ live: UInt64) -> UInt64 {
    var live = live
    for (place, part) in parts.enumerated()
    where part == .anyDepth && live & (1 << UInt64(place)) != 0 {
      live |= 1 << UInt64(place + 1)
    }
    return live
  }
}

enum PatternPart: Hashable, Sendable {
  /// Any number of directories, also none.
  case anyDepth
  case name([Element])

  enum Element: Hashable, Sendable {
    case byte(UInt8)
    case oneOf(ByteSet)
    case run
  }

  static let anyName = PatternPart.name([.run])

  init(_ written: ArraySlice<UInt8>) throws(PatternProblem) {
    if written.count > 1, written.allSatisfy({ $0 == UInt8(ascii: "*") }) {
      self = .anyDepth
      return
    }
    var elements: [Element] = []
    var rest = written
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"):
        if elements.last != .run { elements.append(.run) }
      case UInt8(ascii: "?"): elements.append(.oneOf(.all))
      case UInt8(ascii: "["): elements.append(.oneOf(try ByteSet(readingFrom: &rest)))
      case UInt8(ascii: "\\"):
        guard let meant = rest.popFirst() else { throw .backslashAtTheEnd }
        elements.append(.byte(meant))
      default: elements.append(.byte(byte))
      }
    }
    self = .name(elements)
  }

  /// Whether a name fits. Takes at most as many steps as the lengths of the two multiplied.
  static func fits(_ elements: [Element], _ name: ArraySlice<UInt8>) -> Bool {
    var (element, byte) = (elements.startIndex, name.startIndex)
    // Where the last run began, and how far it has been taken to reach.
    var resume: (element: Int, byte: Int)?
    while byte < name.endIndex {
      if element < elements.endIndex {
        if elements[element] == .run {
          element += 1
          resume = (element, byte)
          continue
        }
        if elements[element].fits(name[byte]) {
          (element, byte) = (element + 1, byte + 1)
          continue
        }
      }
      guard let last = resume else { return false }
      resume = (last.element, last.byte + 1)
      (element, byte) = (last.element, last.byte + 1)
    }
    return elements[element...].allSatisfy { $0 == .run }
  }
}

extension PatternPart.Element {
  fileprivate func fits(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let wanted): byte == wanted
    case .oneOf(let set): set.contains(byte)
    case .run: true
    }
  }
}
