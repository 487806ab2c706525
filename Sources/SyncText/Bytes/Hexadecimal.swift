/// Hexadecimal digits, as the escapes of keys and URLs use them.
package enum Hexadecimal {
  private static let digits = Array("0123456789ABCDEF")

  /// The two digits of a byte, in upper case.
  package static func upper(_ byte: UInt8) -> String {
    String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }

  /// The two digits of a byte, in lower case.
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
