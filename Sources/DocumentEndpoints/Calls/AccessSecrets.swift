import DocumentSync
private import SyncEssentials
import SyncFetching
import SyncText

/// What of the way to a server must be shown nowhere: values of headers of one's own, the token of
/// a file, passwords of a netrc, and user and password of a proxy.
enum AccessSecrets {
  /// A shorter value of a header that isn't named as a secret says nothing, and stands in too many
  /// texts by chance.
  private static let shortestValue = 6

  static func of(_ access: SourceAccess) -> [String] {
    var secrets = access.headers
      .filter { Redaction.isSecret($0.name) || $0.value.utf8.count >= shortestValue }
      .flatMap { AuthorizationSecrets.of($0.value) }
    if let token = access.tokenFile.flatMap(text) { secrets.append(token.withoutOuterWhitespace) }
    if let netrc = netrc(access).flatMap(text) { secrets += passwords(ofNetrc: netrc) }
    if case .url(let url) = access.proxy { secrets += userInfo(of: url) }
    return secrets
  }

  private static func text(ofFile path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  private static func netrc(_ access: SourceAccess) -> String? {
    if let file = access.netrcFile { return file }
    guard access.usesNetrc else { return nil }
    return ProcessInfo.processInfo.environment["HOME"].map { $0 + "/.netrc" }
  }

  /// What follows each `password`, whichever server it's for.
  static func passwords(ofNetrc text: String) -> [String] {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    return zip(words, words.dropFirst()).filter { $0.0 == "password" }.map { _, word in
      word.hasPrefix("\"") ? String(word.dropFirst().prefix { $0 != "\"" }) : word
    }
  }

  private static func userInfo(of url: String) -> [String] {
    let authority = url.split(separator: "/").first { $0.contains("@") }
    guard let pair = authority?.split(separator: "@").dropLast().joined(separator: "@"),
      !pair.isEmpty
    else { return [] }
    let password = pair.split(separator: ":", maxSplits: 1).dropFirst().map(String.init)
    return [pair] + password
  }
}
