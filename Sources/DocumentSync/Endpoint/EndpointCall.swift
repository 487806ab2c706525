import SyncText

/// A request and the whole answer to it, fit to be kept and shown: without secrets.
public struct EndpointCall: Sendable, Hashable {
  /// A field of the answer's head.
  package struct Field: Sendable, Hashable {
    package let name: String
    /// The value, without secrets.
    package let value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// How many characters of a body are kept.
  package static let longestBody = 16_384

  /// Method and address, as `PUT https://example.org/v1/notes/7`.
  package let request: String
  /// The status of HTTP; `nil` where no answer came.
  package let status: Int?
  /// The fields of the answer's head, in order.
  package let fields: [Field]
  /// The answer's body as text, cut after ``longestBody`` characters.
  package let body: String
  package let bodyBytes: Int
  /// Why the body is no JSON, or not the JSON that was expected; `nil` if nothing is wrong with it.
  package let problem: String?

  /// A call as it went; what must not be shown is taken out here.
  ///
  /// - Parameters:
  ///   - method: the method of HTTP.
  ///   - address: the whole address. User names and passwords are taken out, and the values of
  ///     parameters that are named as secrets are.
  ///   - status: the status of HTTP.
  ///   - fields: of the answer's head. The values of those that carry credentials are taken out.
  ///   - body: of the answer.
  ///   - problem: why the body can't be used.
  ///   - secrets: what is to be taken out wherever it occurs: the account's password, its token.
  public init(
    _ method: String, _ address: String, status: Int? = nil,
    fields: [(name: String, value: String)] = [], body: [UInt8] = [], problem: String? = nil,
    secrets: [String] = []
  ) {
    let redaction = Redaction(secrets: secrets)
    request = "\(method) \(redaction.address(address))"
    self.status = status
    self.fields = fields.map { Field(name: $0.name, value: redaction.value($0.value, of: $0.name)) }
    // A secret that was cut would not be found.
    let text = redaction.text(String(decoding: body, as: UTF8.self))
    self.body = String(text.unicodeScalars.prefix(Self.longestBody))
    bodyBytes = body.count
    self.problem = problem.map(redaction.text)
  }
}

extension EndpointCall {
  package var text: String {
    var lines = [request, status.map { "\($0)" } ?? "no answer"]
    lines += fields.map { "\($0.name): \($0.value)" }
    if !body.isEmpty { lines += ["", body] }
    if let problem { lines += ["", "(\(problem))"] }
    return lines.map { ByteString.escape($0) }.joined(separator: "\n")
  }
}

/// What came of a call, with what the server said beside it.
public struct EndpointReply<End: Sendable & Hashable>: Sendable, Hashable {
  package var end: End
  package var notes: CallNotes

  /// An end, with what the server said beside it.
  public init(_ end: End, notes: CallNotes = CallNotes()) {
    self.end = end
    self.notes = notes
  }
}

/// What a server said beside its answer.
public struct CallNotes: Sendable, Hashable {
  package var wishes: ServerWishes
  package var date: Int64?
  package var call: EndpointCall?

  /// What a server said beside its answer; nothing by default.
  ///
  /// - Parameters:
  ///   - retryAfter: how long it's to be left alone, as it asks with a refusal (`Retry-After`).
  ///   - backoff: the same, as it asks in passing (`Backoff`).
  ///   - date: its own time of the answer, in milliseconds since 1970 began; `nil` where it told
  ///     none, and where something else may have spoken for it: a portal, a proxy, a host that it
  ///     led to.
  ///   - call: the whole answer: always where the answer is a refusal or can't be understood.
  public init(
    retryAfter: Duration? = nil, backoff: Duration? = nil, date: Int64? = nil,
    call: EndpointCall? = nil
  ) {
    self.init(
      wishes: ServerWishes(retryAfter: retryAfter, backoff: backoff), date: date, call: call)
  }

  package init(wishes: ServerWishes, date: Int64? = nil, call: EndpointCall? = nil) {
    self.wishes = wishes
    self.date = date
    self.call = call
  }
}

/// Takes secrets out of what is kept of a call.
package struct Redaction {
  /// What stands in the place of a secret.
  static let mark = "…"

  private static let carriers: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info",
  ]
  private static let words = [
    "token", "secret", "passw", "signature", "credential", "session", "api-key", "apikey",
    "api_key", "access_key",
  ].map { Array($0.utf8) }

  /// What is known to be secret, in each form that escapes alone don't explain; the longest first,
  /// so that none is found inside another.
  private let secrets: [String]

  package init(secrets: [String]) {
    self.secrets = Set(secrets.filter { !$0.isEmpty }.flatMap(Self.forms))
      .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// A secret as it may be written: as it is, in JSON, in HTML. Each is found in addresses and
  /// forms, too.
  private static func forms(of secret: String) -> [String] {
    let ascii = secret.unicodeScalars.map { scalar in
      scalar.isASCII
        ? String(scalar) : String(scalar).utf16.map { "\\u" + hexadecimal($0) }.joined()
    }.joined()
    let json = [secret, ascii].map { JSONWriter.value($0).dropFirst().dropLast() }
      .map { String(decoding: $0, as: UTF8.self).replacing("\\\\u", with: "\\u") }
    return [secret] + json + ["&#x27;", "&#39;"].map { html(secret, quote: $0) }
  }

  private static func hexadecimal(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func html(_ text: String, quote: String) -> String {
    [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", quote)].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }

  /// A text without the known secrets.
  package func text(_ text: String) -> String {
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
    var (result, start, kept) = ([UInt8](), 0, 0)
    while start < bytes.count {
      guard let end = bytes[start...].end(of: wanted) else {
        start += 1
        continue
      }
      result += bytes[kept..<start] + Array(mark.utf8)
      (start, kept) = (end, end)
    }
    return kept == 0 ? text : String(decoding: result + bytes[kept...], as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// Where `wanted` ends if it stands at the start, each byte as itself or escaped as in addresses
  /// and forms: which of them a program escapes differs (RFC 3986, section 2.3; WHATWG URL,
  /// `application/x-www-form-urlencoded` percent-encode set).
  fileprivate func end(of wanted: [UInt8]) -> Int? {
    var ends = [startIndex]
    guard let first = wanted.first, let met = self.first, met == first || "%+".utf8.contains(met)
    else { return nil }
    for byte in wanted {
      ends = ends.flatMap { singleEnds(of: byte, at: $0) }
      if ends.isEmpty { return nil }
    }
    return ends.max()
  }

  private func singleEnds(of byte: UInt8, at place: Int) -> [Int] {
    guard place < endIndex else { return [] }
    let isItself =
      self[place] == byte || (byte == UInt8(ascii: " ") && self[place] == UInt8(ascii: "+"))
    return (isItself ? [place + 1] : []) + (isEscape(of: byte, at: place) ? [place + 3] : [])
  }

  private func isEscape(of byte: UInt8, at place: Int) -> Bool {
    self[place] == UInt8(ascii: "%") && endIndex - place > 2
      && UInt8(String(decoding: self[place + 1...place + 2], as: UTF8.self), radix: 16) == byte
  }

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
