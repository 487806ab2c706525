extension URLReference {
  /// Whether ``init(_:)`` takes the text of these bytes, found without taking it apart.
  package static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "%") {
        guard position + 2 < text.count, Hexadecimal.value(ofDigit: text[position + 1]) != nil,
          Hexadecimal.value(ofDigit: text[position + 2]) != nil
        else { return false }
        position += 3
      } else {
        guard byte >= 0x80 || PercentEncoding.isUnreserved(byte) || isReserved(byte) else {
          return false
        }
        position += 1
      }
    }
    return true
  }

  private static func isReserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "/"), UInt8(ascii: ":"),
      UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "@"),
      UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
