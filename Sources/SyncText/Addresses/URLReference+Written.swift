extension URLReference {
  /// Parses what a page has in the place of a URL as browsers do: blanks and the like that stand
  /// there bare are percent-encoded, and so is a `%` without two hexadecimal digits, which stands
  /// for itself. A segment that is one dot or two in percent-encoding is a dot segment (WHATWG URL
  /// Standard). `nil` where a control character is in it.
  package init?(written text: String) {
    self.init(Self.encodingWhatIsBare(text))
    guard path.contains("%2e") || path.contains("%2E") else { return }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    setPath(segments.map(Self.withPlainDots).joined(separator: "/"))
  }

  /// The same address, written as one of several that are equal is (RFC 3986, section 6.2.2):
  /// hexadecimal digits in capitals, nothing percent-encoded that needn't be, host in small
  /// letters, and without a port that goes without saying.
  package var normalized: URLReference {
    var copy = self
    copy.authority = normalizedAuthority
    copy.setPath(Self.normalized(path))
    copy.setQuery(query.map(Self.normalized))
    return copy
  }

  /// The host, as all that is equal to it is written; without user-info and port.
  package var normalizedHost: String? {
    guard let host = normalizedAuthority else { return nil }
    guard let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")),
      host[host.index(after: colon)...].utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return host }
    return String(host[..<colon])
  }

  private var normalizedAuthority: String? {
    guard let authority else { return nil }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let written = host.lowercased()
    let port = scheme == "https" ? ":443" : ":80"
    for ending in [port, ":"] where written.hasSuffix(ending) {
      return String(written.dropLast(ending.count))
    }
    return written
  }

  private static func normalized(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let decoded = value(of: rest) else {
        output.append(byte)
        continue
      }
      rest = rest.dropFirst(2)
      if PercentEncoding.isUnreserved(decoded) {
        output.append(decoded)
      } else {
        output += ("%" + Hexadecimal.upper(decoded)).utf8
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let bare = Set(" \"<>\\^`{|}".utf8)

  private static func encodingWhatIsBare(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      let isBroken = byte == UInt8(ascii: "%") && value(of: bytes[(place + 1)...]) == nil
      if isBroken || bare.contains(byte) {
        output += ("%" + Hexadecimal.upper(byte)).utf8
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// What the two hexadecimal digits at the beginning say.
  private static func value(of digits: ArraySlice<UInt8>) -> UInt8? {
    guard let high = digits.first.flatMap(Hexadecimal.value(ofDigit:)),
      let low = digits.dropFirst().first.flatMap(Hexadecimal.value(ofDigit:))
    else { return nil }
    return high << 4 | low
  }

  private static func withPlainDots(_ segment: Substring) -> String {
    let plain = segment.lowercased().replacing("%2e", with: ".")
    return plain == "." || plain == ".." ? plain : String(segment)
  }
}
