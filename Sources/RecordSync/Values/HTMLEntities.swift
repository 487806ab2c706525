private import SyncText

/// Text with the entities of HTML in it, and without.
enum HTMLEntities {
  /// The text that a browser would show: named entities of HTML 4.01 (section 24) and numbers, each
  /// with its semicolon. What is none stays as it is.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(ampersand) else { return text }
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    var rest = Substring(text).utf8
    while let byte = rest.first {
      if byte == ampersand, let (scalar, end) = entity(rest) {
        output += String(scalar).utf8
        rest = rest[end...]
      } else {
        output.append(byte)
        rest.removeFirst()
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Text from which ``decoded(_:)`` gives this one: with entities for what HTML can't hold.
  static func encoded(_ text: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case ampersand: output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      case UInt8(ascii: "'"): output += "&#39;".utf8
      default: output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let ampersand = UInt8(ascii: "&")

  /// The entity that begins here, and where the text goes on.
  private static func entity(
    _ text: Substring.UTF8View
  ) -> (scalar: Unicode.Scalar, end: Substring.UTF8View.Index)? {
    // No name is longer than `thetasym`, no number than `&#x0010FFFF;`.
    guard let semicolon = text.prefix(13).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(Substring(text[..<semicolon].dropFirst()))
    let scalar = name.hasPrefix("#") ? number(name.dropFirst()) : HTMLEntityNames.scalars[name]
    return scalar.map { ($0, text.index(after: semicolon)) }
  }

  private static func number(_ digits: Substring) -> Unicode.Scalar? {
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let digits = isHexadecimal ? digits.dropFirst() : digits
    guard digits.first != "+",
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number > 0
    else { return nil }
    // Bytes of Windows' Latin letters are meant by these, as browsers take it.
    if (0x80...0x9F).contains(number) {
      let windows = Array(HTMLEntityNames.windowsLatin.unicodeScalars)[Int(number) - 0x80]
      return windows == "." ? nil : windows
    }
    return Unicode.Scalar(number)
  }
}
