private import SyncEssentials
private import SyncText

/// Finds the value at a path in the text of a document, passing over all else without reading it.
///
/// The text was a document's when it was written: what is passed over isn't checked again. One that
/// ends too early, or where something else stands than must, is an error.
struct MemberScanner {
  /// The text isn't a document's.
  static func damage(at place: Int) -> DocumentProblem {
    .notJSON(reason: "what no document has", offset: place)
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  /// Where the value is; `nil` if there is none.
  static func range(
    of path: PathCode, in bytes: UnsafeBufferPointer<UInt8>
  ) throws(DocumentProblem) -> Range<Int>? {
    var scanner = MemberScanner(bytes)
    return try scanner.find(path)
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private mutating func find(_ path: PathCode) throws(DocumentProblem) -> Range<Int>? {
    var path = path
    try skipBlanks()
    while let step = path.next() {
      switch step {
      case .member(let name): guard try enterMember(name) else { return nil }
      case .element(let number): guard try enterElement(number) else { return nil }
      }
      try skipBlanks()
    }
    let start = place
    try skipValue()
    return start..<place
  }

  // MARK: - One step down

  /// Goes to the value of a member; answers whether there is one.
  private mutating func enterMember(_ name: UnsafeBufferPointer<UInt8>) throws(DocumentProblem)
    -> Bool
  {
    guard try byte() == UInt8(ascii: "{") else { return false }
    place += 1
    try skipBlanks()
    while try byte() != UInt8(ascii: "}") {
      let start = place
      try skipString()
      let isIt = isString(start..<place, name)
      try skipBlanks()
      guard try byte() == UInt8(ascii: ":") else { throw Self.damage(at: place) }
      place += 1
      if isIt { return true }
      try skipBlanks()
      try skipValue()
      try skipComma()
    }
    return false
  }

  /// Goes to an element; answers whether there is one.
  private mutating func enterElement(_ number: Int) throws(DocumentProblem) -> Bool {
    guard try byte() == UInt8(ascii: "[") else { return false }
    place += 1
    try skipBlanks()
    var left = number
    while try byte() != UInt8(ascii: "]") {
      if left == 0 { return true }
      left -= 1
      try skipValue()
      try skipComma()
    }
    return false
  }

  private func isString(_ range: Range<Int>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let inside = bytes[range.lowerBound + 1..<range.upperBound - 1]
    if inside.count == name.count, inside.elementsEqual(name) {
      return !inside.contains(UInt8(ascii: "\\"))
    }
    guard inside.count > name.count, inside.contains(UInt8(ascii: "\\")) else { return false }
    let written = Array(bytes[range])
    return JSONValue(bytes: written, checked: 0..<written.count).stringBytes == Array(name)
  }

  // MARK: - Passing over

  private func byte() throws(DocumentProblem) -> UInt8 {
    guard place < bytes.count else { throw Self.damage(at: place) }
    return bytes[place]
  }

  private mutating func skipBlanks() throws(DocumentProblem) {
    while place < bytes.count, JSONValue.isBlank(bytes[place]) { place += 1 }
    guard place < bytes.count else { throw Self.damage(at: place) }
  }

  private mutating func skipComma() throws(DocumentProblem) {
    try skipBlanks()
    guard try byte() == UInt8(ascii: ",") else { return }
    place += 1
    try skipBlanks()
  }

  private mutating func skipString() throws(DocumentProblem) {
    guard try byte() == UInt8(ascii: "\"") else { throw Self.damage(at: place) }
    place += 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        return
      case UInt8(ascii: "\\"): place += 2
      default: place += 1
      }
    }
    throw Self.damage(at: place)
  }

  private mutating func skipValue() throws(DocumentProblem) {
    switch try byte() {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipInside()
    default:
      let start = place
      while place < bytes.count, !endsScalar(bytes[place]) { place += 1 }
      guard place > start else { throw Self.damage(at: place) }
    }
  }

  private mutating func skipInside() throws(DocumentProblem) {
    var depth = 0
    repeat {
      switch try byte() {
      case UInt8(ascii: "\""):
        try skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      place += 1
    } while depth > 0
  }

  private func endsScalar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      || JSONValue.isBlank(byte)
  }
}

/// A path as bytes that stand in a statement, and that a function reads without taking it apart
/// first: each step is a letter, a length or place in four bytes, and the bytes of a name.
struct PathCode {
  private static let member = UInt8(ascii: "m")
  private static let element = UInt8(ascii: "e")

  static func bytes(of path: DocumentPath) -> [UInt8] {
    var bytes: [UInt8] = []
    for step in path.steps {
      switch step {
      case .member(let name):
        bytes.append(member)
        append(name.utf8.count, to: &bytes)
        bytes += name.utf8
      case .element(let place):
        bytes.append(element)
        append(place, to: &bytes)
      }
    }
    return bytes
  }

  /// No document has so many that the highest number could be meant.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    let number = number < 0 ? UInt32.max : UInt32(clamping: number)
    for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(number >> shift & 0xFF)) }
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  enum Step {
    case member(UnsafeBufferPointer<UInt8>)
    case element(Int)
  }

  mutating func next() -> Step? {
    guard place + 5 <= bytes.count else { return nil }
    let number = bytes[place + 1..<place + 5].reduce(0) { $0 << 8 | Int($1) }
    let isMember = bytes[place] == Self.member
    place += 5
    guard isMember else { return .element(number) }
    let end = min(place + number, bytes.count)
    defer { place = end }
    return .member(UnsafeBufferPointer(rebasing: bytes[place..<end]))
  }
}
