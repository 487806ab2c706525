/// One way in which a server lets itself be shown who asks (RFC 9110, section 11.6.1).
struct Challenge: Equatable {
  /// The scheme's name, in lower case.
  let scheme: String
  /// What stands behind it in one piece, as base64 does.
  var token: String?
  /// The parameters by their names in lower case; of several of one name, the first.
  var parameters: [String: String] = [:]

  /// All challenges of an answer, in their order. What can't be read is left out, up to the next
  /// comma that stands in no quoted string.
  static func all(in fields: [String]) -> [Challenge] { fields.flatMap(inLine) }

  private static func inLine(_ field: String) -> [Challenge] {
    var found: [Challenge] = []
    var scanner = FieldScanner(field)
    while !scanner.isAtEnd {
      scanner.skipSpace()
      if let (name, value) = scanner.parameter() {
        if !found.isEmpty { found[found.count - 1].take(name, value) }
      } else if let scheme = scanner.token() {
        var challenge = Challenge(scheme: scheme.lowercased())
        scanner.skipSpace()
        challenge.token = scanner.token68()
        if let (name, value) = scanner.parameter() { challenge.take(name, value) }
        found.append(challenge)
      }
      scanner.skipElement()
      _ = scanner.take(",")
    }
    return found
  }

  private mutating func take(_ name: String, _ value: String) {
    if parameters[name] == nil { parameters[name] = value }
  }
}

extension FieldScanner {
  /// The next `name=value`, the name in lower case; `nil` when none stands here.
  fileprivate mutating func parameter() -> (name: String, value: String)? {
    var ahead = self
    guard let name = ahead.token() else { return nil }
    ahead.skipSpace()
    guard ahead.take("=") else { return nil }
    ahead.skipSpace()
    guard let value = ahead.quoted() ?? ahead.token() else { return nil }
    self = ahead
    return (name.lowercased(), value)
  }
}
