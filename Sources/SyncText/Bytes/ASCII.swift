extension UInt8 {
  @inlinable package var isCapital: Bool { (0x41...0x5A).contains(self) }

  @inlinable package var isSmall: Bool { (0x61...0x7A).contains(self) }

  @inlinable package var isDigit: Bool { (0x30...0x39).contains(self) }

  /// A to Z as a to z; nothing else changes.
  @inlinable package var asSmall: UInt8 { isCapital ? self | 0x20 : self }

  /// a to z as A to Z; nothing else changes.
  @inlinable package var asCapital: UInt8 { isSmall ? self & ~0x20 : self }
}

extension String {
  /// A to Z as a to z; nothing else changes.
  package var asciiLowercased: String {
    var text = self
    if text.withUTF8({ !$0.contains(where: \.isCapital) }) { return text }
    return String(decoding: utf8.map(\.asSmall), as: UTF8.self)
  }
}

/// Hexadecimal digits, as the escapes of keys and URLs use them.
package enum Hexadecimal {
  private static let digits = Array("0123456789ABCDEF")

  package static func upper(_ byte: UInt8) -> String {
    String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }

  package static func lower(_ byte: UInt8) -> String { upper(byte).lowercased() }

  /// The value of one digit in either case; `nil` for any other byte.
  @inlinable
  package static func value(ofDigit byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension StringProtocol {
  /// Without the whitespace around it: Unicode's property `White_Space`. A mark that combines with
  /// a blank stays.
  package var withoutOuterWhitespace: String {
    let scalars = unicodeScalars
    let isWhitespace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: { !isWhitespace($0) }),
      let last = scalars.lastIndex(where: { !isWhitespace($0) })
    else { return "" }
    return String(String.UnicodeScalarView(scalars[first...last]))
  }
}
