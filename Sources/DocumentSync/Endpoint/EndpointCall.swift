public import SyncEssentials
import SyncText

/// A request and the whole answer to it, fit to be kept and shown: without secrets.
///
/// Of what is known to be secret nothing is left, however it's written; nor of what is named as a
/// secret, in addresses, in fields, and in members of JSON.
public struct EndpointCall: Sendable, Hashable {
  /// A field of the answer's head.
  public struct Field: Sendable, Hashable {
    /// Its name, as the server wrote it.
    public let name: String
    /// The value, without secrets.
    public let value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// How many bytes of a body are kept: 64 KiB.
  package static let longestBody = 65_536

  /// Method and address, as `PUT https://example.org/v1/notes/7`.
  public let request: String
  /// The status of HTTP; `nil` where no answer came.
  public let status: Int?
  /// The fields of the answer's head, in order, without cookies that it sets.
  public let fields: [Field]
  /// The answer's body as text, at most 64 KiB of it.
  public let body: String
  /// How many bytes the body had.
  public let bodyBytes: Int
  /// Why the body is no JSON, or not the JSON that was expected; `nil` if nothing is wrong with it.
  public let problem: String?
  /// When it was answered; `nil` as long as nobody has noted that.
  public internal(set) var time: Date?

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
    self.fields = fields.filter { !Redaction.isSetCookie($0.name) }.map {
      Field(name: $0.name, value: redaction.value($0.value, of: $0.name))
    }
    // A secret that was cut would not be found.
    let begun = body.prefix(Self.longestBody + redaction.longest)
    self.body = redaction.content(String(decoding: begun, as: UTF8.self)).cut(Self.longestBody)
    bodyBytes = body.count
    self.problem = problem.map(redaction.text)
  }

  /// What was kept of one.
  init(
    request: String, status: Int?, fields: [Field], body: String, bodyBytes: Int, problem: String?,
    time: Date?
  ) {
    (self.request, self.status, self.fields) = (request, status, fields)
    (self.body, self.bodyBytes, self.problem, self.time) = (body, bodyBytes, problem, time)
  }
}

extension EndpointCall {
  /// All of it, line by line, in letters that steer no terminal.
  public var text: String {
    var lines = [request, status.map { "\($0)" } ?? "no answer"]
    lines += fields.map { "\($0.name): \($0.value)" }
    if !body.isEmpty { lines += ["", body] }
    if let problem { lines += ["", "(\(problem))"] }
    return lines.map { ByteString.escape($0) }.joined(separator: "\n")
  }

  /// How many bytes it takes to keep it.
  var size: Int {
    let heads = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    return request.utf8.count + heads + body.utf8.count + (problem?.utf8.count ?? 0)
  }

  /// The same, answered then.
  func noted(at time: Int64) -> EndpointCall {
    var call = self
    call.time = Date(milliseconds: time)
    return call
  }
}

extension String {
  /// Its beginning, so many bytes of UTF-8 at most.
  fileprivate func cut(_ bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end = utf8.index(startIndex, offsetBy: bytes)
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(self[..<end])
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
