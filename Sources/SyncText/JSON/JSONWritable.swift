/// What ``JSONWriter`` takes as a value. All of it can be written: what can't be isn't one of these
/// types (``JSONNumber`` for a `Double`, ``JSONText`` for bytes). A type of one's own that is one
/// can write itself as an object or an array, with ``JSONWriter``, and so a tree of any shape.
package protocol JSONWritable {
  /// Appends the value's text: exactly one JSON value, without blanks between its parts.
  func write(to output: inout [UInt8])
}

/// The null of JSON. No optional is written as it: that would leave open whether a member that has
/// no value is to be null or left out.
package struct JSONNull: JSONWritable {
  package init() {}

  package func write(to output: inout [UInt8]) {
    output += "null".utf8
  }
}

extension String: JSONWritable {
  package func write(to output: inout [UInt8]) {
    var text = self
    text.withUTF8 { JSONText.write($0, to: &output) }
  }
}

extension JSONText: JSONWritable {
  package func write(to output: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { Self.write($0, to: &output) }
  }
}

extension Bool: JSONWritable {
  package func write(to output: inout [UInt8]) {
    output += (self ? "true" : "false").utf8
  }
}

extension Int: JSONWritable {
  package func write(to output: inout [UInt8]) {
    output += String(self).utf8
  }
}

extension Int64: JSONWritable {
  package func write(to output: inout [UInt8]) {
    output += String(self).utf8
  }
}

extension JSONNumber: JSONWritable {
  package func write(to output: inout [UInt8]) {
    output += text.utf8
  }
}

extension JSONValue: JSONWritable {
  /// The value as it was written, but for the blanks between its parts, so that it never breaks a
  /// line.
  package func write(to output: inout [UInt8]) {
    var isInString = false
    var isEscaped = false
    for byte in written {
      if !isInString, Self.isBlank(byte) { continue }
      output.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else {
        isEscaped = isInString && byte == UInt8(ascii: "\\")
      }
    }
  }
}

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
