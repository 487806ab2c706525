private import SyncText

/// What of an authorization must be shown nowhere.
enum AuthorizationSecrets {
  /// The value, what follows its scheme, and the password of name and password (RFC 7617).
  static func of(_ authorization: String) -> [String] {
    let words = authorization.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return [authorization] }
    guard words[0].asciiLowercased == "basic", let bytes = Base64.bytes(of: words[1]) else {
      return [authorization, words[1]] + quoted(in: words[1])
    }
    let pair = String(decoding: bytes, as: UTF8.self)
    let password = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return [authorization, words[1], pair] + password.dropFirst().map(String.init)
  }

  /// What stands in quotes, as in `Token token="…"`, and behind an equals sign.
  private static func quoted(in text: String) -> [String] {
    text.split(separator: ",").compactMap { part in
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let value = part[part.index(after: equals)...].filter { $0 != "\"" && $0 != " " }
      return value.isEmpty ? nil : value
    }
  }
}
