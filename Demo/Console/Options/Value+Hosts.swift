extension Value {
  /// What to do about an address whose host is written in letters that addresses don't have (RFC
  /// 3986, section 3.2.2; RFC 5891); `nil` for any other text.
  ///
  /// No library here is asked to translate it: the one that speaks HTTP may have been built without
  /// that, and two programs are to mean the same host by one text.
  public static func problem(withHostOf text: String) -> String? {
    guard let start = text.firstRange(of: "://")?.upperBound else { return nil }
    let place = text[start...].prefix { !"/?#".contains($0) }
    // What stands before it may be a password.
    let host = place[(place.lastIndex(of: "@").map(place.index(after:)) ?? place.startIndex)...]
    guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let name = host.prefix { $0 != ":" }
    return "the host '\(name)' has letters that no address has; write it in its ASCII form, in"
      + " which each part with such letters begins with xn--"
  }

  /// The same text, if nothing is wrong with it as a host, be it with a port or as an address.
  public static func host(_ text: String) throws -> String {
    if let problem = problem(withHostOf: text.contains("://") ? text : "://" + text) {
      throw UsageError(problem)
    }
    return text
  }

  /// The same text, if nothing is wrong with it as an address of that kind.
  public static func address(_ text: String) throws -> String {
    if let problem = problem(withHostOf: text) { throw UsageError(problem) }
    return text
  }
}
