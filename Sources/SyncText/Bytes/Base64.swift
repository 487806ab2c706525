/// Bytes as text (RFC 4648, section 4).
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each byte that is a digit; 0xFF for those that are none.
  private static let values = (0...255).map { byte in
    digits.firstIndex(of: UInt8(byte)).map(UInt8.init) ?? 0xFF
  }

  /// The text of some bytes, padded, in one line.
  package static func text(of bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
      digits.withUnsafeBufferPointer { digits in
        var end = 0
        for start in stride(from: 0, to: bytes.count, by: 3) {
          let count = min(bytes.count - start, 3)
          var bits = 0
          for place in start..<start + count { bits = bits << 8 | Int(bytes[place]) }
          bits <<= 8 * (3 - count)
          for place in 0..<4 {
            text[end + place] =
              place <= count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "=")
          }
          end += 4
        }
        return end
      }
    }
  }

  /// The bytes that a text stands for; `nil` unless it is what ``text(of:)`` gives for them:
  /// padded, without blanks or line ends, the bits that are left over being zero (section 3.5).
  package static func bytes(of text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { bytes(of: $0) }
  }

  /// As ``bytes(of:)-(String)``.
  package static func bytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    for place in 0..<text.count - padding {
      let value = values[Int(text[place])]
      guard value != 0xFF else { return nil }
      bits = bits << 6 | UInt32(value)
      if place % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * (place % 4)))) }
    }
    let rest = padding == 0 ? 0 : bits & (padding == 1 ? 0b11 : 0b1111)
    return rest == 0 ? bytes : nil
  }
}
