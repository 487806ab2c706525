/// One byte of a mapping's text: a mark of its syntax, or a letter of a name. A mark after a
/// backslash is a letter.
enum MappingSign: Hashable, Sendable {
  case mark(UInt8)
  case letter(UInt8)

  var byte: UInt8 {
    switch self {
    case .mark(let byte), .letter(let byte): byte
    }
  }

  static func of(_ mark: Unicode.Scalar) -> MappingSign { .mark(UInt8(ascii: mark)) }

  private static let marks = Set(",=.[]{}*?|@".utf8)

  static func signs(of text: String) -> [MappingSign] {
    var signs: [MappingSign] = []
    var isEscaped = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
        continue
      }
      signs.append(marks.contains(byte) && !isEscaped ? .mark(byte) : .letter(byte))
      isEscaped = false
    }
    return signs
  }
}

extension Sequence<MappingSign> {
  /// What they are without their meaning.
  var bytes: [UInt8] { map(\.byte) }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
