extension JSONValue {
  /// One text for all values that mean the same: members sorted by the bytes of their names, no
  /// blanks, numbers by ``JSONNumber/canonicalText``, strings with no escape that isn't needed.
  /// It is JSON when the value's own text is; what isn't UTF-8 in a string stays as it is.
  package var canonicalBytes: [UInt8] {
    var output: [UInt8] = []
    writeCanonically(to: &output)
    return output
  }

  /// Whether both mean the same: the order of members, blanks, and the way in which numbers and
  /// strings are written don't count.
  package func means(theSameAs other: JSONValue) -> Bool {
    written == other.written || canonicalBytes == other.canonicalBytes
  }

  private func writeCanonically(to output: inout [UInt8]) {
    if let members {
      output.append(UInt8(ascii: "{"))
      let sorted = members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
      for (position, member) in sorted.enumerated() {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        output += JSONText.written(member.name)
        output.append(UInt8(ascii: ":"))
        member.value.writeCanonically(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    } else if let elements {
      output.append(UInt8(ascii: "["))
      for (position, element) in elements.enumerated() {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        element.writeCanonically(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    } else if let stringBytes {
      output += JSONText.written(stringBytes)
    } else if let number {
      output += number.canonicalText.utf8
    } else {
      output += written
    }
  }
}

extension JSONValue {
  /// Resolves the escapes of a checked string, given without its quotes (RFC 8259, section 7).
  static func unescape(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
        output.append(byte)
        continue
      }
      switch kind {
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "u"): output += encode(codePoint(&rest))
      default: output.append(kind)
      }
    }
    return output
  }

  /// Takes four digits, and with a high surrogate also the low one that follows it.
  private static func codePoint(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
    let unit = fourDigits(&rest)
    guard (0xD800...0xDBFF).contains(unit), rest.starts(with: "\\u".utf8) else { return unit }
    var ahead = rest.dropFirst(2)
    let low = fourDigits(&ahead)
    guard (0xDC00...0xDFFF).contains(low) else { return unit }
    rest = ahead
    return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
  }

  private static func fourDigits(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
    (0..<4).reduce(0) { value, _ in
      value << 4 | UInt32(rest.popFirst().flatMap(Hexadecimal.value(ofDigit:)) ?? 0)
    }
  }

  /// UTF-8; a lone surrogate comes out as the three bytes that UTF-8 forbids, so that no later
  /// check takes the string for text.
  private static func encode(_ point: UInt32) -> [UInt8] {
    if let scalar = Unicode.Scalar(point) { return Array(String(scalar).utf8) }
    return [
      0xE0 | UInt8(point >> 12), 0x80 | UInt8(point >> 6 & 0x3F), 0x80 | UInt8(point & 0x3F),
    ]
  }
}
