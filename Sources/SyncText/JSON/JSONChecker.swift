/// Checks that bytes are one JSON value (RFC 8259) and nothing after it.
///
/// Stricter than Foundation where a catalog needs it: a member name that comes twice is an error,
/// nesting has a limit of ours, and bytes in strings are left as they are.
package struct JSONChecker {
  private let bytes: [UInt8]
  private let end: Int
  private let nesting: Int
  private let endsWhenCancelled: Bool
  private var position: Int
  private var values = 0

  /// Returns the range of the one value in `range`.
  ///
  /// - Parameter endsWhenCancelled: Whether a cancelled task soon gets a problem, whatever follows.
  static func check(
    _ bytes: [UInt8], in range: Range<Int>, nesting: Int, endsWhenCancelled: Bool = false
  ) throws(JSONProblem) -> Range<Int> {
    var checker = JSONChecker(
      bytes: bytes, end: range.upperBound, nesting: nesting,
      endsWhenCancelled: endsWhenCancelled, position: range.lowerBound)
    checker.skipBlanks()
    let start = checker.position
    try checker.value(depth: 0)
    let stop = checker.position
    checker.skipBlanks()
    guard checker.position == checker.end else { throw checker.problem("more after its end") }
    return start..<stop
  }

  private mutating func value(depth: Int) throws(JSONProblem) {
    values += 1
    if values & 0xFFF == 0, endsWhenCancelled, Task.isCancelled {
      throw problem("its reading cancelled")
    }
    switch peek {
    case UInt8(ascii: "{"): try object(depth: depth + 1)
    case UInt8(ascii: "["): try array(depth: depth + 1)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): try number()
    case nil: throw problem("an end where a value should be")
    default: throw problem("something that begins no value")
    }
  }

  private mutating func object(depth: Int) throws(JSONProblem) {
    try enter(depth)
    guard !take("}") else { return }
    var names = MemberNames()
    repeat {
      skipBlanks()
      let start = position
      guard peek == UInt8(ascii: "\"") else { throw problem("no member name in quotes") }
      try string()
      guard names.insert(bytes[start + 1..<position - 1]) else {
        throw problem("a member name that stands twice in one object")
      }
      guard take(":") else { throw problem("no colon after a member name") }
      skipBlanks()
      try value(depth: depth)
    } while take(",")
    guard take("}") else { throw problem("an object that isn't closed") }
  }

  private mutating func array(depth: Int) throws(JSONProblem) {
    try enter(depth)
    guard !take("]") else { return }
    repeat {
      skipBlanks()
      try value(depth: depth)
    } while take(",")
    guard take("]") else { throw problem("an array that isn't closed") }
  }

  private mutating func enter(_ depth: Int) throws(JSONProblem) {
    guard depth <= nesting else { throw problem("more than \(nesting) levels of nesting") }
    position += 1
  }

  private mutating func string() throws(JSONProblem) {
    position += 1
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"):
        position += 1
        try escape()
      case 0..<0x20:
        throw problem("a bare control character in a string")
      default:
        position += 1
      }
    }
    throw problem("a string that isn't closed")
  }

  private mutating func escape() throws(JSONProblem) {
    guard let kind = peek else { throw problem("a string that isn't closed") }
    position += 1
    if kind == UInt8(ascii: "u") {
      for _ in 0..<4 {
        guard peek.flatMap(Hexadecimal.value(ofDigit:)) != nil else {
          throw problem("a \\u without four hexadecimal digits")
        }
        position += 1
      }
    } else if !"\"\\/bfnrt".utf8.contains(kind) {
      throw problem("an unknown escape in a string")
    }
  }

  private mutating func number() throws(JSONProblem) {
    if peek == UInt8(ascii: "-") { position += 1 }
    if peek == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if peek == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(JSONProblem) {
    let start = position
    while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw problem("a number without digits") }
  }

  private mutating func word(_ word: StaticString) throws(JSONProblem) {
    for index in 0..<word.utf8CodeUnitCount {
      guard peek == word.utf8Start[index] else { throw problem("something that begins no value") }
      position += 1
    }
  }

  private var peek: UInt8? { position < end ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = peek, JSONValue.isBlank(byte) { position += 1 }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard peek == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private func problem(_ reason: String) -> JSONProblem {
    JSONProblem(reason: reason, offset: position)
  }
}

/// The names of one object's members, to find one that comes twice.
private struct MemberNames {
  /// Few names without escapes, as most objects have, are compared where they stand.
  private var few: [ArraySlice<UInt8>] = []
  private var many: Set<[UInt8]> = []
  private static let fewest = 16

  /// Takes the next name, without its quotes; `false` when it was there before.
  mutating func insert(_ name: ArraySlice<UInt8>) -> Bool {
    let isPlain = !name.contains(UInt8(ascii: "\\"))
    if many.isEmpty, isPlain, few.count < Self.fewest {
      guard !few.contains(where: { $0.elementsEqual(name) }) else { return false }
      few.append(name)
      return true
    }
    if many.isEmpty { many = Set(few.map(Array.init)) }
    return many.insert(JSONValue.unescape(name)).inserted
  }
}
