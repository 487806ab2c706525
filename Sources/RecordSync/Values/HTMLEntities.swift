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

enum HTMLEntityNames {
  static let scalars: [String: Unicode.Scalar] = {
    var scalars: [String: Unicode.Scalar] = ["apos": "'"]
    for (first, names) in ranges {
      for (offset, name) in names.split(whereSeparator: \.isWhitespace).enumerated()
      where name != "-" {
        scalars[String(name)] = Unicode.Scalar(first + UInt32(offset))
      }
    }
    return scalars
  }()

  /// What the bytes 0x80 to 0x9F are in Windows' code page 1252; a dot where there is nothing.
  static let windowsLatin = "€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ"

  /// Names of characters that follow each other, from the first on; a hyphen where one has no name.
  private static let ranges: [(first: UInt32, names: String)] = [
    (0x22, "quot - - - amp"), (0x3C, "lt - gt"),
    (
      0xA0,
      """
      nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
      deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
      Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
      Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml
      Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
      igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave
      uacute ucirc uuml yacute thorn yuml
      """
    ),
    (0x152, "OElig oelig"), (0x160, "Scaron scaron"), (0x178, "Yuml"), (0x192, "fnof"),
    (0x2C6, "circ"), (0x2DC, "tilde"),
    (
      0x391,
      """
      Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho -
      Sigma Tau Upsilon Phi Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta
      theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega
      """
    ),
    (0x3D1, "thetasym upsih - - - piv"), (0x2002, "ensp emsp"), (0x2009, "thinsp"),
    (0x200C, "zwnj zwj lrm rlm"), (0x2013, "ndash mdash"), (0x2018, "lsquo rsquo sbquo"),
    (0x201C, "ldquo rdquo bdquo"), (0x2020, "dagger Dagger bull"), (0x2026, "hellip"),
    (0x2030, "permil - prime Prime"), (0x2039, "lsaquo rsaquo"), (0x203E, "oline"),
    (0x2044, "frasl"), (0x20AC, "euro"), (0x2111, "image"), (0x2118, "weierp"), (0x211C, "real"),
    (0x2122, "trade"), (0x2135, "alefsym"), (0x2190, "larr uarr rarr darr harr"), (0x21B5, "crarr"),
    (0x21D0, "lArr uArr rArr dArr hArr"),
    (0x2200, "forall - part exist - empty - nabla isin notin"),
    (0x220B, "ni"), (0x220F, "prod - sum minus"), (0x2217, "lowast"), (0x221A, "radic"),
    (0x221D, "prop infin - ang"), (0x2227, "and or cap cup int"), (0x2234, "there4"),
    (0x223C, "sim"), (0x2245, "cong"), (0x2248, "asymp"), (0x2260, "ne equiv"), (0x2264, "le ge"),
    (0x2282, "sub sup nsub - sube supe"), (0x2295, "oplus - otimes"), (0x22A5, "perp"),
    (0x22C5, "sdot"), (0x2308, "lceil rceil lfloor rfloor"), (0x2329, "lang rang"),
    (0x25CA, "loz"), (0x2660, "spades - - clubs - hearts diams"),
  ]
}
