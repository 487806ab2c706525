/// A tag of XML or HTML, as far as it has come.
struct MarkupTag {
  private enum Part {
    case name
    /// Between two attributes.
    case between
    case attribute
    /// After an equals sign.
    case equals
    case value
    case quoted
  }

  private var part = Part.name
  private var quote: UInt8 = 0
  private var length = 0
  private var attributes = 0
  /// The first eight bytes of its name, in small letters, the last one lowest.
  private var name: UInt64 = 0
  private var isEmpty = false
  private(set) var isEnd = false

  /// Takes bytes up to the tag's end, or to that of the bytes; whether it has ended.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int, _ limits: CatalogLimits
  ) throws(PieceGate.Excess) -> Bool {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      length += 1
      guard length <= limits.tagBytes else { throw .init(.tagBytes, limits) }
      if part == .quoted {
        if byte == quote { part = .between }
      } else if byte == UInt8(ascii: ">") {
        return true
      } else {
        take(byte)
        guard attributes <= limits.attributes else { throw .init(.attributes, limits) }
      }
    }
    return false
  }

  private mutating func take(_ byte: UInt8) {
    let isBlank = byte == 0x20 || (0x09...0x0D).contains(byte)
    let isSlash = byte == UInt8(ascii: "/")
    if !isBlank { isEmpty = isSlash && part != .value }
    switch part {
    case .name where isSlash && length == 1: isEnd = true
    case .name where isBlank || isSlash: part = .between
    case .name: if name >> 56 == 0 { name = name << 8 | UInt64(byte | 0x20) }
    case .between, .attribute:
      if byte == UInt8(ascii: "=") {
        part = .equals
      } else if isBlank || isSlash {
        part = .between
      } else if part == .between {
        part = .attribute
        attributes += 1
      }
    case .equals where isBlank: break
    case .equals where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
      (part, quote) = (.quoted, byte)
    case .equals: part = .value
    case .value: if isBlank { part = .between }
    case .quoted: break
    }
  }

  private func isCalled(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1 | 0x20) } } == name
  }

  /// The name of an element of HTML that holds no others, where this begins one.
  var scriptName: String? {
    guard !isEnd, !isEmpty else { return nil }
    return isCalled("script") ? "script" : isCalled("style") ? "style" : nil
  }

  /// Whether a document that begins with it is HTML.
  var isOfHTML: Bool {
    let first: [StaticString] = [
      "html", "head", "title", "meta", "link", "style", "script", "body", "h1", "pre", "a",
    ]
    return first.contains { isCalled($0) }
  }
}
