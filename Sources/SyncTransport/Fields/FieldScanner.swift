/// Walks over a header's value: tokens, quoted strings and what stands between them (RFC 9110,
/// section 5.6). By scalars, since a combining mark must not hide a quote or a comma.
struct FieldScanner {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    rest = text[...].unicodeScalars
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skipSpace() {
    rest = rest.drop { $0 == " " || $0 == "\t" }
  }

  /// Steps over one character if it is the next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  mutating func token() -> String? {
    let end = rest.firstIndex { !$0.isASCII || !UInt8($0.value).isTokenCharacter } ?? rest.endIndex
    let token = rest[..<end]
    guard !token.isEmpty else { return nil }
    rest = rest[end...]
    return String(token)
  }

  /// The next token of base64 or the like, with all that it ends with of `=`, where nothing but a
  /// comma or the end follows it (RFC 9110, section 11.2).
  mutating func token68() -> String? {
    let end =
      rest.firstIndex { !$0.isASCII || !UInt8($0.value).isToken68Character } ?? rest.endIndex
    let after = rest[end...].drop { $0 == "=" }
    let next = after.first { $0 != " " && $0 != "\t" }
    guard end > rest.startIndex, next == nil || next == "," else { return nil }
    defer { rest = after }
    return String(rest[..<after.startIndex])
  }

  /// Steps up to the next comma that stands in no quoted string, or to the end, as where a quoted
  /// string has none.
  mutating func skipElement() {
    while let character = rest.first, character != "," {
      if character != "\"" {
        rest.removeFirst()
      } else if quoted() == nil {
        rest = "".unicodeScalars[...]
      }
    }
  }

  /// The next quoted string, unquoted; `nil` when none stands here, or it doesn't end.
  mutating func quoted() -> String? {
    guard rest.first == "\"" else { return nil }
    var value = String.UnicodeScalarView()
    var isEscaped = false
    for index in rest.indices.dropFirst() {
      let character = rest[index]
      if isEscaped {
        value.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        rest = rest[rest.index(after: index)...]
        return String(value)
      } else {
        value.append(character)
      }
    }
    return nil
  }

  /// Everything up to a character, which is stepped over; `nil` when it doesn't come.
  mutating func text(upTo end: Unicode.Scalar) -> String? {
    guard let index = rest.firstIndex(of: end) else { return nil }
    let text = rest[..<index]
    rest = rest[rest.index(after: index)...]
    return String(text)
  }

  /// The parameters that follow, `; name=value` each; `nil` when one is broken. Names in lower
  /// case; a name without a value has an empty one.
  mutating func parameters() -> [(name: String, value: String)]? {
    var found: [(name: String, value: String)] = []
    while true {
      skipSpace()
      guard take(";") else { return found }
      skipSpace()
      guard let name = token() else {
        if rest.first == ";" || rest.first == "," || isAtEnd { continue }
        return nil
      }
      skipSpace()
      guard take("=") else {
        found.append((name.lowercased(), ""))
        continue
      }
      skipSpace()
      guard let value = rest.first == "\"" ? quoted() : token() else { return nil }
      found.append((name.lowercased(), value))
    }
  }
}

extension StringProtocol {
  /// Equal but for the case of ASCII letters.
  package func isSameFieldName(as other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count
      && utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
  }

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

  fileprivate var isToken68Character: Bool {
    switch lowercasedASCII {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-._~+/".utf8.contains(self)
    }
  }

  var isTokenCharacter: Bool {
    switch lowercasedASCII {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
