import SyncText

/// Looks for the text at the end of a path through the objects of a body, as its bytes come. Where
/// links are looked for, an object there may have the text in its place, under `href`.
///
/// It reads no more of JSON than it needs for that: whether the body is well-formed, who reads its
/// elements finds out.
struct NextScan: Sendable {
  private let names: [[UInt8]]
  /// How many objects of the path are open, from the body's own on.
  private var entered = 0
  private var depth = 0
  private var isInText = false
  private var isEscaped = false
  /// The text that is being read, as written, where it matters.
  private var text: [UInt8]?
  private var expected = Expected.value
  private(set) var found = Found.nothing
  /// Whether a member stands there, whatever it is.
  private(set) var isThere = false
  /// The member whose name is the rest of the path, with its dots, if there is one.
  private(set) var dotted: String?
  private let rests: [[UInt8]]
  private let takesLinks: Bool

  private enum Expected {
    case name
    /// The value of the path's next member, or another.
    case member
    case value
  }

  enum Found: Equatable {
    /// Nothing, or `null`.
    case nothing
    case text(String)
    /// A number, as written.
    case number(String)
    /// Something else.
    case other

    /// What can be a cursor.
    var text: String? {
      switch self {
      case .text(let text), .number(let text): text
      case .nothing, .other: nil
      }
    }
  }

  private static let longest = 64 << 10
  private static let href = Array("href".utf8)

  init(_ path: PayloadPath, takesLinks: Bool = false) {
    self.takesLinks = takesLinks
    names = path.names
    rests = path.names.indices.map { path.dotted(from: $0) }
  }

  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    guard !isInText else { return takeText(byte) }
    switch byte {
    case UInt8(ascii: "\""):
      isInText = true
      text = isAtPath && (expected == .name || isWanted) ? [] : nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): open(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if isAtPath { entered -= 1 }
      depth -= 1
      expected = .value
    case UInt8(ascii: ",") where isAtPath: expected = .name
    case UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "n"): break
    default:
      if isWanted, !JSONValue.isBlank(byte), !Self.nullLetters.contains(byte) { take(number: byte) }
    }
  }

  private mutating func take(number byte: UInt8) {
    let sign = Character(UnicodeScalar(byte))
    switch found {
    case .nothing where byte.isDigit || sign == "-": found = .number(String(sign))
    case .number(let text)
    where text.utf8.count < Self.longest && (byte.isDigit || "+-.eE".contains(sign)):
      found = .number(text + String(sign))
    case .nothing, .number, .text, .other: found = .other
    }
  }

  private static let nullLetters = Set("null".utf8)

  /// Whether what comes stands in the object of the path that was entered last.
  private var isAtPath: Bool { entered > 0 && depth == entered }

  /// Whether the value that comes is the one at the path's end, or that of the link which is there.
  private var isWanted: Bool { isAtPath && expected == .member && entered >= names.count }

  private var isInLink: Bool { entered > names.count }

  private mutating func open(isObject: Bool) {
    if isWanted { found = .other }
    let most = takesLinks ? names.count + 1 : names.count
    let isOnPath = depth == 0 || isAtPath && expected == .member && entered < most
    if isObject, isOnPath, depth == entered {
      entered += 1
      expected = .name
    }
    depth += 1
  }

  private mutating func takeText(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      return endText()
    }
    if let count = text?.count, count < Self.longest { text?.append(byte) }
  }

  private mutating func endText() {
    isInText = false
    guard let written = text else { return }
    let quoted = [UInt8(ascii: "\"")] + written + [UInt8(ascii: "\"")]
    let value = try? JSONValue(quoted, in: 0..<quoted.count, nesting: 1)
    if expected == .name {
      let name = value?.stringBytes
      expected = name == (isInLink ? Self.href : names[entered - 1]) ? .member : .value
      if isWanted { (isThere, found) = (true, .nothing) }
      if entered < names.count, name == rests[entered - 1] { dotted = value?.string }
    } else {
      found = value?.string.map { $0.isEmpty ? .nothing : .text($0) } ?? .other
      expected = .value
    }
  }
}
