import SyncText

/// Takes secrets out of what is kept of a call: those that are known, however they are written, and
/// what is named as one.
package struct Redaction {
  /// What stands in the place of a secret.
  static let mark = "…"

  private static let carriers: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "authentication-info",
    "proxy-authentication-info",
  ]
  private static let words = [
    "token", "secret", "passw", "signature", "credential", "session", "api-key", "apikey",
    "api_key", "access_key", "authorization", "cookie", "private_key", "privatekey",
  ].map { Array($0.utf8) }

  /// What is known to be secret; the longest first, so that none is found inside another.
  private let secrets: [[UInt8]]

  package init(secrets: [String]) {
    self.secrets = Set(secrets.filter { !$0.isEmpty }.flatMap(Self.forms).map { Array($0.utf8) })
      .sorted { ($1.count, $0.description) < ($0.count, $1.description) }
  }

  /// How many bytes a secret may take, however it's written: each byte as `\u0041` or `&#x0041;`,
  /// one of these twice over.
  var longest: Int { 16 * (secrets.first?.count ?? 0) }

  /// A secret as it may be written, beside single bytes that are escaped: with what isn't ASCII
  /// escaped as in JSON.
  private static func forms(of secret: String) -> [String] {
    [false, true].map { isUpper in
      secret.unicodeScalars.map { scalar in
        scalar.isASCII
          ? String(scalar)
          : String(scalar).utf16.map { "\\u" + hexadecimal($0, isUpper: isUpper) }.joined()
      }.joined()
    } + [secret]
  }

  private static func hexadecimal(_ unit: UInt16, isUpper: Bool) -> String {
    let digits = String(unit, radix: 16, uppercase: isUpper)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// A text without the known secrets.
  package func text(_ text: String) -> String {
    guard !secrets.isEmpty else { return text }
    return secrets.reduce(text) { Self.replace($1, in: $0) }
  }

  /// The body of an answer without them, and without what it names as secret itself.
  func content(_ text: String) -> String { NamedSecrets.hide(in: self.text(text)) }

  /// An address without user name, password, and parameters that are named as secrets.
  func address(_ address: String) -> String { NamedSecrets.hide(in: text(address)) }

  /// The value of a field without what it keeps secret.
  func value(_ value: String, of name: String) -> String {
    let name = name.asciiLowercased
    if Self.carriers.contains(name) || Self.isSecret(name) { return Self.mark }
    return NamedSecrets.hide(in: text(value))
  }

  /// Whether a field of this name sets a cookie.
  static func isSetCookie(_ name: String) -> Bool {
    ["set-cookie", "set-cookie2"].contains(name.asciiLowercased)
  }

  /// Whether a parameter of an address of this name is secret: short ones are there.
  static func isSecretParameter(_ name: String) -> Bool {
    ["key", "sig", "auth", "code", "pwd"].contains(name.asciiLowercased) || isSecret(name)
  }

  /// Whether what goes by this name is secret.
  package static func isSecret(_ name: String) -> Bool {
    let name = name.asciiLowercased
    if ["pwd", "jwt", "bearer"].contains(name) { return true }
    let bytes = Array(name.utf8)[...]
    return words.contains { bytes.place(of: $0) != nil }
  }

  /// Whether what follows this name and a colon is secret, wherever that stands.
  static func isCarrier(_ name: String) -> Bool { carriers.contains(name.asciiLowercased) }

  /// By bytes: a secret is found whatever character follows it.
  private static func replace(_ wanted: [UInt8], in text: String) -> String {
    let bytes = Array(text.utf8)
    var (result, start, kept) = ([UInt8](), 0, 0)
    while start < bytes.count {
      guard let end = bytes[start...].end(of: wanted) else {
        start += 1
        continue
      }
      result += bytes[kept..<start] + Array(mark.utf8)
      (start, kept) = (end, end)
    }
    return kept == 0 ? text : String(decoding: result + bytes[kept...], as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// Where `wanted` ends if it stands at the start, each byte as itself or escaped: as in addresses
  /// and forms (RFC 3986, section 2.3; WHATWG URL, `application/x-www-form-urlencoded`
  /// percent-encode set), in JSON (RFC 8259, section 7), or in HTML. Which of them a program
  /// escapes differs.
  fileprivate func end(of wanted: [UInt8]) -> Int? {
    guard let first = wanted.first, let met = self.first, met == first || "%+\\&".utf8.contains(met)
    else { return nil }
    var ends = [startIndex]
    for byte in wanted {
      ends = ends.flatMap { singleEnds(of: byte, at: $0) }
      if ends.isEmpty { return nil }
    }
    return ends.max()
  }

  private func singleEnds(of byte: UInt8, at place: Int) -> [Int] {
    guard place < endIndex else { return [] }
    let met = self[place]
    var ends: [Int] = []
    if met == byte || (byte == UInt8(ascii: " ") && met == UInt8(ascii: "+")) {
      ends.append(place + 1)
    }
    switch met {
    case UInt8(ascii: "%") where number(at: place + 1, digits: 2) == Int(byte):
      ends.append(place + 3)
    case UInt8(ascii: "\\"): ends += endOfEscape(of: byte, at: place + 1)
    case UInt8(ascii: "&"): ends += endOfEntity(of: byte, at: place + 1)
    default: break
    }
    return ends
  }

  /// `\/`, `\"`, `\n`, `\u0041`; behind as many backslashes as JSON within a string of JSON has.
  private func endOfEscape(of byte: UInt8, at start: Int) -> [Int] {
    let place = self[start...].firstIndex { $0 != UInt8(ascii: "\\") } ?? endIndex
    guard place - start < 8 else { return [] }
    // A backslash may be any of those.
    var ends = byte == UInt8(ascii: "\\") ? Array(start...place) : []
    guard place < endIndex else { return ends }
    let controls: [UInt8: UInt8] = [8: 0x62, 9: 0x74, 10: 0x6E, 12: 0x66, 13: 0x72]
    if self[place] == UInt8(ascii: "u"), number(at: place + 1, digits: 4) == Int(byte) {
      ends.append(place + 5)
    }
    if self[place] == controls[byte] ?? byte { ends.append(place + 1) }
    return ends
  }

  /// `&#65;`, `&#x41;`, `&amp;`.
  private func endOfEntity(of byte: UInt8, at place: Int) -> [Int] {
    let named: [UInt8: String] = [0x26: "amp", 0x3C: "lt", 0x3E: "gt", 0x22: "quot", 0x27: "apos"]
    guard let end = self[place...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return [] }
    let name = String(decoding: self[place..<end], as: UTF8.self).asciiLowercased
    let number: Int? =
      name.hasPrefix("#x")
      ? Int(name.dropFirst(2), radix: 16)
      : name.hasPrefix("#") ? Int(name.dropFirst()) : nil
    return name == named[byte] || number == Int(byte) ? [end + 1] : []
  }

  private func number(at place: Int, digits: Int) -> Int? {
    guard endIndex - place >= digits else { return nil }
    return Int(String(decoding: self[place..<place + digits], as: UTF8.self), radix: 16)
  }

  /// Where other bytes stand in it first. They're never none.
  fileprivate func place(of wanted: [UInt8]) -> Int? {
    guard let first = wanted.first else { return nil }
    var place = startIndex
    while let start = self[place...].firstIndex(of: first), endIndex - start >= wanted.count {
      if self[start..<start + wanted.count].elementsEqual(wanted) { return start }
      place = start + 1
    }
    return nil
  }
}
