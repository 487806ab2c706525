private import SyncEssentials

/// An absolute http or https URL as libcurl reads it (RFC 3986), without user-info and fragment.
///
/// Two addresses are equal when their normalised ``text`` is. The query may hold secrets, so
/// descriptions and errors show ``redacted``.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  // Behind one reference: each of the functions that wait for an exchange has room for several.
  private let parts: Parts

  private final class Parts: Sendable {
    let text: String
    let origin: Origin
    let path: String
    let query: String?

    init(_ text: String, _ origin: Origin, _ path: String, _ query: String?) {
      (self.text, self.origin, self.path, self.query) = (text, origin, path, query)
    }
  }

  /// The whole URL, in the characters of RFC 3986 only, without a default port.
  package var text: String { parts.text }
  package var origin: Origin { parts.origin }
  /// The path, percent-encoded as sent; at least `/`.
  package var path: String { parts.path }
  /// The query, percent-encoded as sent, without its `?`; `nil` when there is none.
  package var query: String? { parts.query }

  /// Reads an absolute URL; its user-info is dropped (``parse(_:)`` hands it out).
  ///
  /// - Throws: ``TransportError`` with the code `invalidAddress` or `schemeRefused`.
  package init(_ text: String) throws {
    self = try Self.parse(text).address
  }

  /// Reads an absolute URL and splits its user-info off.
  ///
  /// White space, control characters and a host with characters that no name has are refused; a
  /// host outside ASCII must come in its `xn--` form. Elsewhere, what is outside ASCII is
  /// percent-encoded.
  ///
  /// - Throws: ``TransportError`` with the code `invalidAddress` or `schemeRefused`.
  package static func parse(
    _ text: String
  ) throws -> (address: WebAddress, credentials: Credentials?) {
    guard text.utf8.allSatisfy(\.mayStandInAddress), let url = CurlURL(text) else {
      throw TransportError(.invalidAddress, at: Self.redact(text))
    }
    return try Self.take(url, from: text)
  }

  /// What a reference found in this resource means (RFC 3986, section 5): a `Location`, a link of
  /// a page, a locator of a catalog. User-info in it is dropped.
  ///
  /// - Throws: ``TransportError`` with the code `invalidAddress` or `schemeRefused`.
  package func resolving(_ reference: String) throws -> WebAddress {
    // libcurl takes an empty reference for a fault; RFC 3986 takes it for the resource itself.
    if reference.isEmpty || reference.utf8.first == UInt8(ascii: "#") { return self }
    guard reference.utf8.allSatisfy(\.mayStandInAddress), var url = CurlURL(text),
      url.resolve(reference)
    else { throw TransportError(.invalidAddress, at: Self.redact(reference)) }
    return try Self.take(url, from: reference).address
  }

  package var scheme: String { origin.scheme }
  /// The host, in lower case; a numeric one as it is dialled, IPv6 in brackets.
  package var host: String { origin.host }

  /// The URL for people: a query is shown as `?…`.
  package var redacted: String {
    TransportError.printable("\(origin)\(path)").prefix(200) + (query == nil ? "" : "?…")
  }

  private static func take(
    _ parsed: consuming CurlURL, from text: String
  ) throws -> (address: WebAddress, credentials: Credentials?) {
    var url = parsed
    guard let scheme = url.part(.scheme)?.lowercased() else { throw invalid(text) }
    guard scheme == "http" || scheme == "https" else {
      throw TransportError(.schemeRefused, at: redact(text))
    }
    let credentials = try credentials(of: url, from: text)
    guard let host = url.part(.host)?.lowercased(), host.utf8.allSatisfy(\.mayStandInHost),
      let port = url.part(.port).flatMap({ UInt16($0) }), port > 0,
      url.set(.user, to: nil), url.set(.password, to: nil), url.set(.fragment, to: nil),
      url.set(.host, to: host), let whole = url.part(.whole), let path = url.part(.path),
      !text.utf8.contains(UInt8(ascii: "%")) || names(host, in: whole)
    else { throw invalid(text) }
    let address = WebAddress(
      text: whole, origin: Origin(scheme: scheme, host: host, port: port), path: path,
      // libcurl tells an empty query of a reference, and then leaves it out of the whole.
      query: url.part(.query).flatMap { $0.isEmpty ? nil : $0 })
    return (address, credentials)
  }

  /// Whether the address reads as that of the host. libcurl looks for a number that is dialled
  /// before it decodes: `2%30706433` comes out as a name, `20706433`, which would read as the
  /// address 1.59.244.129 the next time.
  private static func names(_ host: String, in text: String) -> Bool {
    CurlURL(text)?.part(.host) == host
  }

  private static func credentials(
    of url: borrowing CurlURL, from text: String
  ) throws -> Credentials? {
    guard url.hasUserInfo else { return nil }
    guard let user = url.part(.user) else { throw invalid(text) }
    guard let credentials = Credentials(user: user, password: url.part(.password) ?? "") else {
      throw invalid(text)
    }
    return credentials
  }

  private static func invalid(_ text: String) -> TransportError {
    TransportError(.invalidAddress, at: redact(text))
  }

  init(text: String, origin: Origin, path: String, query: String?) {
    parts = Parts(text, origin, path, query)
  }

  package static func == (one: WebAddress, other: WebAddress) -> Bool {
    one.parts === other.parts || one.text == other.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  package var description: String { redacted }

  /// Any text that was given for a URL, for people: without user-info and query, unprintable
  /// bytes escaped, cut to 200 characters.
  ///
  /// What stands before an at sign may be a password of which nobody encoded the "#", "?" or "/":
  /// only the scheme is kept of it, and nothing else where the at sign might also be a query's.
  /// Looked through as bytes, since a combining mark must not hide a question mark.
  package static func redact(_ text: String) -> String {
    var shown = Substring(text).utf8
    let end = shown.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    let hasQuery = end.map { shown[$0] == UInt8(ascii: "?") } ?? false
    var start = ""
    if let at = shown.lastIndex(of: UInt8(ascii: "@")) {
      start = schemePrefix(of: shown[..<at])
      if let end, end < at { return start + "…" }
      shown = shown[shown.index(after: at)...]
    }
    if let end { shown = shown[..<end] }
    let all = TransportError.printable(start + String(decoding: shown, as: UTF8.self))
    return all.prefix(200) + (hasQuery ? "?…" : "")
  }

  /// A scheme and the slashes after it (RFC 3986, section 3.1), short as all of them are; empty
  /// when the text has none.
  private static func schemePrefix(of text: Substring.UTF8View) -> String {
    let scheme = text.prefix(while: \.isTokenCharacter).prefix(16)
    guard !scheme.isEmpty, text.dropFirst(scheme.count).starts(with: "://".utf8) else { return "" }
    return String(decoding: scheme, as: UTF8.self) + "://"
  }
}

extension TransportError {
  package init(_ code: Code, at address: WebAddress, detail: String? = nil) {
    self.init(code, at: address.redacted, detail: detail)
  }
}

extension UInt8 {
  /// Neither a control character nor a space; bytes above ASCII are encoded by libcurl.
  fileprivate var mayStandInAddress: Bool { self > 0x20 && self != 0x7F }

  /// A letter, a digit, or what names and numeric addresses are punctuated with.
  fileprivate var mayStandInHost: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-._:[]%".utf8.contains(self)
    }
  }
}

extension WebAddress {
  /// The address of the same origin that a URL is, where each of its letters can only mean itself:
  /// what ``init(_:)`` makes of it, at a tenth of the cost. `nil` for any other text.
  ///
  /// libcurl stays the judge of what has to be judged: dot segments, encoded letters, queries,
  /// another way to write the origin.
  package func sibling(_ text: String) -> WebAddress? {
    var (given, own) = (text, self.text)
    let path = given.withUTF8 { given in
      own.withUTF8 { own -> String? in
        let start = own.count - self.path.utf8.count - (query.map { $0.utf8.count + 1 } ?? 0)
        guard given.count > start, given[..<start].elementsEqual(own[..<start]),
          Self.isPlain(given[start...])
        else { return nil }
        return String(decoding: given[start...], as: UTF8.self)
      }
    }
    return path.map { WebAddress(text: text, origin: origin, path: $0, query: nil) }
  }

  /// Whether a path is made of unreserved characters (RFC 3986, section 2.3) alone, and no segment
  /// of it is empty or begins with a dot, but that the last one may be empty.
  private static func isPlain(_ path: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard path.first == UInt8(ascii: "/") else { return false }
    var before: UInt8 = 0
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        break
      case UInt8(ascii: "/"), UInt8(ascii: "."):
        guard before != UInt8(ascii: "/") else { return false }
      default: return false
      }
      before = byte
    }
    return true
  }
}

/// The party that answers for an address: scheme, host and port (RFC 6454, section 4).
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  package let scheme: String
  /// The host in lower case; IPv6 in brackets.
  package let host: String
  package let port: UInt16
  /// Taken once: each request asks a dozen tables for what they hold of its origin.
  private let hash: Int

  package init(scheme: String, host: String, port: UInt16) {
    self.scheme = scheme
    self.host = host
    self.port = port
    var hasher = Hasher()
    hasher.combine(scheme)
    hasher.combine(host)
    hasher.combine(port)
    hash = hasher.finalize()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// `scheme://host`, and the port where it isn't the scheme's own.
  package var description: String {
    let usual: UInt16 = scheme == "https" ? 443 : 80
    return "\(scheme)://\(host)" + (port == usual ? "" : ":\(port)")
  }
}

/// A user's name and password. Never printed.
package struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let user: String
  /// The password; may be empty.
  package let password: String

  /// Credentials that the Basic scheme can carry; `nil` when the name holds a colon, or either
  /// part a control character (RFC 7617, section 2).
  package init?(user: String, password: String) {
    let isControl = { (byte: UInt8) in byte < 0x20 || byte == 0x7F }
    guard !user.utf8.contains(UInt8(ascii: ":")), !user.utf8.contains(where: isControl),
      !password.utf8.contains(where: isControl)
    else { return nil }
    self.user = user
    self.password = password
  }

  /// The value of an `Authorization` header in the Basic scheme, in UTF-8 (RFC 7617).
  package var basic: String {
    "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }

  package var description: String { "(credentials)" }
  /// Empty, so that no dump shows the password.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
