import SyncText

/// Takes secrets out of what is kept of a call.
struct Redaction {
  /// What stands in the place of a secret.
  static let mark = "…"

  private static let carriers: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info",
  ]
  private static let words = [
    "token", "secret", "passw", "signature", "credential", "session", "api-key", "apikey",
    "api_key", "access_key",
  ].map { Array($0.utf8) }

  /// What is known to be secret, in each form in which it may be written; the longest first, so
  /// that none is found inside another.
  private let secrets: [String]

  init(secrets: [String]) {
    let forms = secrets.filter { !$0.isEmpty }.flatMap { secret in
      [
        secret, PercentEncoding.encode(path: secret.utf8),
        String(decoding: JSONWriter.value(secret).dropFirst().dropLast(), as: UTF8.self),
      ]
    }
    self.secrets = Set(forms).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// A text without the known secrets.
  func text(_ text: String) -> String {
    secrets.reduce(text) { Self.replace($1, in: $0) }
  }

  /// An address without user name, password, and parameters that are named as secrets.
  func address(_ address: String) -> String {
    var text = Array(text(address).utf8)
    if let scheme = text[...].place(of: Array("://".utf8)) {
      let start = scheme + 3
      let end = text[start...].firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
      if let at = text[start..<end].lastIndex(of: UInt8(ascii: "@")) {
        text.removeSubrange(start...at)
      }
    }
    guard let question = text.firstIndex(of: UInt8(ascii: "?")) else {
      return String(decoding: text, as: UTF8.self)
    }
    let parameters = text[(question + 1)...]
      .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map(Self.parameter)
    return String(
      decoding: text[...question] + parameters.joined(separator: "&".utf8), as: UTF8.self)
  }

  /// The value of a field without what it keeps secret.
  func value(_ value: String, of name: String) -> String {
    let name = name.asciiLowercased
    if Self.carriers.contains(name) || Self.isSecret(name) { return Self.mark }
    return value.contains("://") ? address(value) : text(value)
  }

  private static func parameter(_ parameter: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")),
      isSecret(String(decoding: parameter[..<equals], as: UTF8.self))
    else { return parameter }
    return parameter[...equals] + mark.utf8
  }

  private static func isSecret(_ name: String) -> Bool {
    let name = name.asciiLowercased
    if ["key", "sig", "auth"].contains(name) { return true }
    let bytes = Array(name.utf8)[...]
    return words.contains { bytes.place(of: $0) != nil }
  }

  /// By bytes: a secret is found whatever character follows it.
  private static func replace(_ secret: String, in text: String) -> String {
    let (bytes, wanted) = (Array(text.utf8), Array(secret.utf8))
    var (result, end) = ([UInt8](), 0)
    while let place = bytes[end...].place(of: wanted) {
      result += bytes[end..<place]
      result += mark.utf8
      end = place + wanted.count
    }
    return end == 0 ? text : String(decoding: result + bytes[end...], as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
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
