/// A set of bytes, as a pattern writes it between brackets.
struct ByteSet: Hashable, Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  static let all = ByteSet().inverted

  init() {}

  /// Reads a class whose `[` has been taken: single bytes, ranges, named classes, and `!` or `^`
  /// in front for everything else. A `]` right at the beginning is itself one of the bytes.
  init(readingFrom rest: inout ArraySlice<UInt8>) throws(PatternProblem) {
    let isInverted = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isInverted { rest.removeFirst() }
    var isFirst = true
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "]"), !isFirst {
        if isInverted { self = inverted }
        return
      }
      isFirst = false
      if byte == UInt8(ascii: "["), rest.first == UInt8(ascii: ":") {
        formUnion(try Self.named(&rest))
        continue
      }
      let low = try Self.meant(by: byte, &rest)
      insert(low)
      // A minus before the closing bracket is a byte like others.
      guard rest.first == UInt8(ascii: "-"), rest.count > 1,
        rest.dropFirst().first != UInt8(ascii: "]")
      else { continue }
      rest.removeFirst()
      guard let last = rest.popFirst() else { throw .unclosedClass }
      let high = try Self.meant(by: last, &rest)
      if low <= high { for byte in low...high { insert(byte) } }
    }
    throw .unclosedClass
  }

  func contains(_ byte: UInt8) -> Bool {
    let bit = UInt64(1) << UInt64(byte & 63)
    return switch byte >> 6 {
    case 0: words.0 & bit != 0
    case 1: words.1 & bit != 0
    case 2: words.2 & bit != 0
    default: words.3 & bit != 0
    }
  }

  private mutating func insert(_ byte: UInt8) {
    let bit = UInt64(1) << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    default: words.3 |= bit
    }
  }

  private mutating func formUnion(_ other: ByteSet) {
    words.0 |= other.words.0
    words.1 |= other.words.1
    words.2 |= other.words.2
    words.3 |= other.words.3
  }

  private var inverted: ByteSet {
    var set = ByteSet()
    set.words = (~words.0, ~words.1, ~words.2, ~words.3)
    return set
  }

  private static func meant(
    by byte: UInt8, _ rest: inout ArraySlice<UInt8>
  ) throws(PatternProblem) -> UInt8 {
    guard byte == UInt8(ascii: "\\") else { return byte }
    guard let meant = rest.popFirst() else { throw .unclosedClass }
    return meant
  }

  static func == (left: ByteSet, right: ByteSet) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }

  /// Reads the name of a class, such as `:digit:]`, whose `[` has been taken.
  private static func named(_ rest: inout ArraySlice<UInt8>) throws(PatternProblem) -> ByteSet {
    guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: ":")),
      rest[end...].dropFirst().first == UInt8(ascii: "]")
    else { throw .unknownClass }
    let name = String(decoding: rest[rest.startIndex + 1..<end], as: UTF8.self)
    guard let isMember = classes[name] else { throw .unknownClass }
    rest = rest[(end + 2)...]
    var set = ByteSet()
    for byte in UInt8(0)..<128 where isMember(byte) { set.insert(byte) }
    return set
  }

  /// The classes of POSIX, in its own locale: ASCII.
  private static let classes: [String: @Sendable (UInt8) -> Bool] = [
    "alnum": { isLetter($0) || isDigit($0) }, "alpha": isLetter,
    "blank": { $0 == 0x20 || $0 == 0x09 }, "cntrl": { $0 < 0x20 || $0 == 0x7F },
    "digit": isDigit, "graph": { $0 > 0x20 && $0 < 0x7F },
    "lower": { (0x61...0x7A).contains($0) }, "print": { $0 >= 0x20 && $0 < 0x7F },
    "punct": { $0 > 0x20 && $0 < 0x7F && !isLetter($0) && !isDigit($0) },
    "space": { $0 == 0x20 || (0x09...0x0D).contains($0) },
    "upper": { (0x41...0x5A).contains($0) },
    "xdigit": { isDigit($0) || (0x61...0x66).contains($0 | 0x20) },
  ]

  @Sendable private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  @Sendable private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20)
  }
}
