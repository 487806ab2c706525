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
  ]

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
    var text = text(address)
    if let start = text.firstRange(of: "://")?.upperBound {
      let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
      if let at = text[start..<end].lastIndex(of: "@") { text.removeSubrange(start...at) }
    }
    guard let question = text.firstIndex(of: "?") else { return text }
    let parameters = text[text.index(after: question)...]
      .split(separator: "&", omittingEmptySubsequences: false).map(Self.parameter)
    return text[...question] + parameters.joined(separator: "&")
  }

  /// The value of a field without what it keeps secret.
  func value(_ value: String, of name: String) -> String {
    let name = name.asciiLowercased
    if Self.carriers.contains(name) || Self.isSecret(name) { return Self.mark }
    return value.contains("://") ? address(value) : text(value)
  }

  private static func parameter(_ parameter: Substring) -> String {
    guard let equals = parameter.firstIndex(of: "="), isSecret(String(parameter[..<equals])) else {
      return String(parameter)
    }
    return parameter[...equals] + mark
  }

  private static func isSecret(_ name: String) -> Bool {
    let name = name.asciiLowercased
    return ["key", "sig", "auth"].contains(name) || words.contains { name.contains($0) }
  }

  /// By bytes: a secret is found whatever character follows it.
  private static func replace(_ secret: String, in text: String) -> String {
    let (bytes, wanted) = (Array(text.utf8), Array(secret.utf8))
    var (result, place, end) = ([UInt8](), 0, 0)
    while place + wanted.count <= bytes.count {
      guard bytes[place] == wanted.first,
        bytes[place..<place + wanted.count].elementsEqual(wanted)
      else {
        place += 1
        continue
      }
      result += bytes[end..<place]
      result += mark.utf8
      place += wanted.count
      end = place
    }
    return end == 0 ? text : String(decoding: result + bytes[end...], as: UTF8.self)
  }
}
