/// Takes out of a text what is named as a secret there, whatever it is:
///
/// - user name and password of an address: `https://me:word@example.org`;
/// - the value of a parameter, `?token=…` or `&sig=…`, of an address or a form;
/// - the text that a member of JSON has as its value: `"password": "…"`;
/// - what a line says behind a name and a colon: `Authorization: Basic …`.
///
/// It goes through the text once, by bytes. What ends nowhere is secret to its end.
struct NamedSecrets {
  private let text: [UInt8]
  private var result: [UInt8] = []
  private var place = 0

  static func hide(in text: String) -> String {
    var hiding = NamedSecrets(text: Array(text.utf8))
    hiding.run()
    return String(decoding: hiding.result, as: UTF8.self)
  }

  private init(text: [UInt8]) { self.text = text }

  private mutating func run() {
    result.reserveCapacity(text.count)
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: ":") where isUserInfoNext: hideUserInfo()
      case UInt8(ascii: ":"): hideBehindColon()
      case UInt8(ascii: "="): hideParameter()
      default: keep(1)
      }
    }
  }

  private mutating func keep(_ count: Int) {
    result += text[place..<min(place + count, text.count)]
    place += count
  }

  private mutating func hide(to end: Int) {
    if end > place { result += Redaction.mark.utf8 }
    place = end
  }

  // MARK: - Addresses

  private static let slashes = Array("://".utf8)
  /// Bytes that end an authority, or can stand in none.
  private static let endOfAuthority = Set("/?#\"'<>\\ \t\r\n".utf8)
  private static let endOfParameter = Set("&;#\"'<> \t\r\n,)".utf8)

  /// `://` is next, or `:\/\/` as some write it in JSON, and a `@` behind it.
  private var isUserInfoNext: Bool { userInfo != nil }

  private var userInfo: Range<Int>? {
    for opening in [Self.slashes, Array(#":\/\/"#.utf8)]
    where text[place...].starts(with: opening) {
      let start = place + opening.count
      let end = text[start...].firstIndex { Self.endOfAuthority.contains($0) } ?? text.count
      guard let at = text[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return nil }
      return start..<at + 1
    }
    return nil
  }

  private mutating func hideUserInfo() {
    guard let range = userInfo else { return keep(1) }
    keep(range.lowerBound - place)
    place = range.upperBound
  }

  /// The value of a parameter whose name says that it's secret.
  private mutating func hideParameter() {
    let name = nameBefore(place).name
    keep(1)
    guard Redaction.isSecretParameter(name), place < text.count else { return }
    if text[place] == UInt8(ascii: "\"") {
      keep(1)
      return hide(to: endOfString(from: place))
    }
    hide(to: text[place...].firstIndex { Self.endOfParameter.contains($0) } ?? text.count)
  }

  // MARK: - Members and lines

  /// What comes behind a colon: a text of JSON, or the rest of a line.
  private mutating func hideBehindColon() {
    let (name, start) = nameBefore(place)
    let isQuoted = text[..<(place - blanksBefore(place))].last == UInt8(ascii: "\"")
    keep(1)
    guard Redaction.isSecret(name) else { return }
    while place < text.count, " \t".utf8.contains(text[place]) { keep(1) }
    guard place < text.count else { return }
    if text[place] == UInt8(ascii: "\"") {
      keep(1)
      return hide(to: endOfString(from: place))
    }
    // In JSON that stands in a string of JSON, quotes are escaped.
    if text[place...].starts(with: #"\""#.utf8) {
      keep(2)
      return hide(to: text[place...].firstIndex(of: UInt8(ascii: "\\")) ?? text.count)
    }
    guard !isQuoted, Redaction.isCarrier(name) || isLineStart(start) else { return }
    hide(to: text[place...].firstIndex { "\r\n\"\\<".utf8.contains($0) } ?? text.count)
  }

  /// Where a text of JSON ends that begins there.
  private func endOfString(from start: Int) -> Int {
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "\"") {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(end, text.count)
  }

  /// Whether a line begins there, be it one in a string or of HTML.
  private func isLineStart(_ start: Int) -> Bool {
    guard let before = text[..<start].last else { return true }
    // In a string of JSON, the letter of its `\n` seems to belong to the name.
    if before == UInt8(ascii: "\\") { return "nr".utf8.contains(text[start]) }
    return "\r\n\">".utf8.contains(before)
  }

  private func blanksBefore(_ end: Int) -> Int {
    var count = 0
    while end - 1 - count > 0, " \t\r\n".utf8.contains(text[end - 1 - count]) { count += 1 }
    return count
  }

  /// The name that ends there: letters, digits, `-`, `_`, `.`, brackets, and what is escaped.
  private func nameBefore(_ end: Int) -> (name: String, start: Int) {
    var (last, name) = (end - blanksBefore(end), [UInt8]())
    while last > 0, "\"'\\".utf8.contains(text[last - 1]) { last -= 1 }
    while last > 0, Self.isOfName(text[last - 1]), name.count < 80 {
      last -= 1
      name.append(text[last])
    }
    return (String(decoding: Self.unescaped(name.reversed()), as: UTF8.self), last)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }

  /// A name as it's meant where its letters are escaped as in addresses.
  private static func unescaped(_ name: [UInt8]) -> [UInt8] {
    var (result, place) = ([UInt8](), 0)
    while place < name.count {
      if name[place] == UInt8(ascii: "%"), place + 2 < name.count,
        let byte = UInt8(String(decoding: name[place + 1...place + 2], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        place += 3
      } else {
        result.append(name[place])
        place += 1
      }
    }
    return result
  }
}
