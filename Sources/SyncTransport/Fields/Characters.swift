extension StringProtocol {
  /// Equal but for the case of ASCII letters.
  package func isSameFieldName(as other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count
      && utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
  }

  /// Without spaces and tabs around it.
  var trimmed: SubSequence {
    var core = self[...]
    while let first = core.first, first == " " || first == "\t" { core.removeFirst() }
    while let last = core.last, last == " " || last == "\t" { core.removeLast() }
    return core
  }
}

extension UInt8 {
  /// The byte, an upper-case ASCII letter made lower-case.
  var lowercasedASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }

  /// A character of a token (RFC 9110, section 5.6.2).
  var isTokenCharacter: Bool {
    switch lowercasedASCII {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
