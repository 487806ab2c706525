/// A URL or a relative reference (RFC 3986), taken apart and put together without changing a byte
/// of what it keeps.
///
/// Foundation's `URL` re-encodes what it is given; a locator has to reach the server as the catalog
/// wrote it. Fragments are dropped: they are no part of a request.
public struct URLReference: Hashable, Sendable {
  /// In lower case.
  public private(set) var scheme: String?
  /// Host, port and user-info, as written.
  public package(set) var authority: String?
  /// Percent-encoded, as written.
  public private(set) var path: String
  /// Without the question mark.
  public private(set) var query: String?

  /// Parses `text` (RFC 3986, appendix B). Characters beyond ASCII are percent-encoded (RFC 3987,
  /// section 3.1); `nil` for control characters, blanks, anything else that no URL holds, and a
  /// broken percent-encoding.
  public init?(_ text: String) {
    var text = text
    guard text.withUTF8(Self.isValid) else { return nil }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let ascii = isASCII ? text : PercentEncoding.encode(text.utf8) { $0 < 0x80 }
    var rest = Substring(ascii).utf8
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = String(Substring(rest[rest.index(after: mark)...]))
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = Substring(rest[..<colon]).lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(Substring(rest[..<end]))
      rest = rest[end...]
    }
    path = String(Substring(rest))
  }

  /// The reference as text.
  public var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
      + (query.map { "?" + $0 } ?? "")
  }

  /// The text without user-info and query, fit for messages.
  public var redacted: String {
    var copy = self
    if let at = authority?.lastIndex(of: "@") { copy.authority?.removeSubrange(...at) }
    copy.query = query.map { _ in "…" }
    return copy.text
  }

  /// Whether there is user-info, or a query that may be a secret: anything but parameters whose
  /// names say how a list is to be given, with values of words and short numbers.
  public var mayHoldSecret: Bool {
    hasUserInfo
      || (query ?? "").split(whereSeparator: { "&;".contains($0) }).contains { part in
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return !Self.plainNames.contains(pair[0].lowercased())
          || pair.count > 1 && !Self.isPlainValue(pair[1])
      }
  }

  private static let plainNames: Set<String> = [
    "arch", "branch", "c", "delimiter", "direction", "f", "feed", "format", "lang", "limit",
    "list-type", "max-keys", "o", "offset", "order", "page", "per_page", "prefix", "sort", "tag",
    "type", "version",
  ]

  /// Whether a value is what people make up and no machine.
  private static func isPlainValue(_ value: Substring) -> Bool {
    guard let bytes = PercentEncoding.decode(value), bytes.count <= 64 else { return false }
    let words = bytes.split { !$0.isDigit && !isLetter($0) }
    let numbers = words.filter { $0.allSatisfy(\.isDigit) }
    let mixed = words.filter { $0.contains(where: \.isDigit) && $0.contains(where: isLetter) }
    return words.allSatisfy { $0.count <= 16 } && numbers.allSatisfy { $0.count <= 10 }
      && mixed.reduce(0) { $0 + $1.count } <= 8
  }

  /// The reference without its query.
  public var withoutQuery: URLReference {
    var copy = self
    copy.query = nil
    return copy
  }

  /// Gives it another query: percent-encoded, and without the question mark.
  package mutating func setQuery(_ query: String?) {
    self.query = query
  }

  /// Gives it another path: percent-encoded, and with a slash before it.
  package mutating func setPath(_ path: String) {
    self.path = path
  }

  /// Whether there is a user name or password in it.
  public var hasUserInfo: Bool { authority?.contains("@") ?? false }

  /// This reference seen from `base` (RFC 3986, section 5.2.2).
  public func resolved(against base: URLReference) -> URLReference {
    var target = self
    if scheme == nil {
      target.scheme = base.scheme
      if authority == nil {
        target.authority = base.authority
        if path.isEmpty {
          target.path = base.path
          target.query = query ?? base.query
          return target
        }
        if !path.hasPrefix("/") { target.path = Self.merge(path, onto: base) }
      }
    }
    target.path = Self.removingDotSegments(target.path)
    return target
  }

  /// The URL of `encodedName` in the directory that this URL names. Plain joining: a name with a
  /// colon stays a name.
  public func appending(encodedName: String) -> URLReference {
    var target = self
    target.query = nil
    target.path = (path.hasSuffix("/") ? path : path + "/") + encodedName
    return target
  }

  /// Whether bytes are a relative path that neither encoding nor resolving changes: unreserved
  /// characters between single slashes, no component `.` or `..`, and none at its end.
  package static func isPlainPath(_ bytes: [UInt8]) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in bytes {
      // A component that begins with a dot is left to others.
      if previous == UInt8(ascii: "/"), byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") {
        return false
      }
      guard byte == UInt8(ascii: "/") || PercentEncoding.isUnreserved(byte) else { return false }
      previous = byte
    }
    return previous != UInt8(ascii: "/")
  }

  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || $0.isDigit || "+-.".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte.isSmall || byte.isCapital }

  private static func merge(_ path: String, onto base: URLReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return base.path[...slash] + path
  }

  /// RFC 3986, section 5.2.4.
  private static func removingDotSegments(_ path: String) -> String {
    var output: [Substring.UTF8View] = []
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard segments.contains(where: { $0.first == UInt8(ascii: ".") }) else { return path }
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch Substring(segment) {
      case ".":
        if isLast { output.append("".utf8[...]) }
      case "..":
        if output.count > 1 || output.first.map({ !$0.isEmpty }) ?? false { output.removeLast() }
        if isLast { output.append("".utf8[...]) }
      default:
        output.append(segment)
      }
    }
    return output.map { Substring($0) }.joined(separator: "/")
  }
}

extension URLReference {
  /// Whether ``init(_:)`` takes the text of these bytes, found without taking it apart.
  package static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "%") {
        guard position + 2 < text.count, Hexadecimal.value(ofDigit: text[position + 1]) != nil,
          Hexadecimal.value(ofDigit: text[position + 2]) != nil
        else { return false }
        position += 3
      } else {
        guard byte >= 0x80 || PercentEncoding.isUnreserved(byte) || isReserved(byte) else {
          return false
        }
        position += 1
      }
    }
    return true
  }

  private static func isReserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "/"), UInt8(ascii: ":"),
      UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "@"),
      UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
