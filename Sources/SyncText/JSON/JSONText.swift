/// A string that JSON can hold: Unicode text, and lone surrogates besides, which JSON can write as
/// escapes (RFC 8259, section 8.2) and ``JSONValue/stringBytes`` gives as three bytes each.
package struct JSONText: Hashable, Sendable {
  /// What a reader gives for it.
  package let bytes: [UInt8]

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The text of these bytes, as ``JSONValue/stringBytes`` and ``JSONValue/Member/name`` give them;
  /// `nil` for bytes that JSON can't write, since it is UTF-8 (RFC 8259, section 8.1).
  package init?(bytes: [UInt8]) {
    guard String(validating: Self.written(bytes), as: UTF8.self) != nil else { return nil }
    self.bytes = bytes
  }

  /// The JSON string of any bytes, quotes included, from which the reader gives the same bytes. It
  /// is JSON unless the bytes hold what is neither UTF-8 nor a lone surrogate.
  package static func written(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBufferPointer { write($0, to: &output) }
    return output
  }

  /// Escapes what must be (section 7), and lone surrogates; always in the same way.
  static func write(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var written = 0
    var position = 0
    var endOfHigh: Int?
    while position < text.count {
      let escape = escape(at: position, of: text, endOfHigh: &endOfHigh)
      if let escape {
        output += text[written..<position]
        output += escape.text.utf8
        written = position + escape.length
      }
      position += escape?.length ?? 1
    }
    output += text[written...]
    output.append(UInt8(ascii: "\""))
  }

  /// What stands for the bytes at `position`; `nil` when they stand for themselves.
  private static func escape(
    at position: Int, of text: UnsafeBufferPointer<UInt8>, endOfHigh: inout Int?
  ) -> (text: String, length: Int)? {
    let byte = text[position]
    if byte >= 0x23, byte != UInt8(ascii: "\\"), byte != 0xED { return nil }
    switch byte {
    case UInt8(ascii: "\""): return ("\\\"", 1)
    case UInt8(ascii: "\\"): return ("\\\\", 1)
    case 0..<0x20: return ("\\u00" + Hexadecimal.upper(byte), 1)
    case 0xED where position + 2 < text.count && text[position + 1] >= 0xA0:
      let (middle, last) = (text[position + 1], text[position + 2])
      guard middle < 0xC0, last & 0xC0 == 0x80 else { return nil }
      let isHigh = middle < 0xB0
      // Escapes of a high and a low one side by side would be read as one character.
      if !isHigh, endOfHigh == position { return nil }
      if isHigh { endOfHigh = position + 3 }
      let unit = (UInt8(0xD0) | middle >> 2 & 0x0F, middle << 6 | last & 0x3F)
      return ("\\u" + Hexadecimal.upper(unit.0) + Hexadecimal.upper(unit.1), 3)
    default: return nil
    }
  }
}

extension JSONText: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) {
    self.init(text)
  }
}
