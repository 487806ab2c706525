private import SyncText

/// A request and the whole answer to it, fit to be kept and shown: without secrets.
public struct EndpointCall: Sendable, Hashable {
  /// A field of the answer's head.
  public struct Field: Sendable, Hashable {
    /// The name as it came.
    public let name: String
    /// The value, without secrets.
    public let value: String

    /// A field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// How many characters of a body are kept.
  public static let longestBody = 16_384

  /// Method and address, as `PUT https://example.org/v1/notes/7`.
  public let request: String
  /// The status of HTTP; `nil` where no answer came.
  public let status: Int?
  /// The fields of the answer's head, in order.
  public let fields: [Field]
  /// The answer's body as text, cut after ``longestBody`` characters.
  public let body: String
  /// How many bytes the body had.
  public let bodyBytes: Int
  /// Why the body is no JSON, or not the JSON that was expected; `nil` if nothing is wrong with it.
  public let problem: String?

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
    _ method: String, _ address: String, status: Int? = nil, fields: [Field] = [],
    body: [UInt8] = [], problem: String? = nil, secrets: [String] = []
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

extension EndpointCall: CustomStringConvertible {
  /// The call as lines of text, each of them harmless to a terminal.
  public var description: String {
    var lines = [request, status.map { "\($0)" } ?? "no answer"]
    lines += fields.map { "\($0.name): \($0.value)" }
    if !body.isEmpty { lines += ["", body] }
    if let problem { lines += ["", "(\(problem))"] }
    return lines.map { ByteString.escape($0) }.joined(separator: "\n")
  }
}

/// What a server said beside its answer.
public struct CallNotes: Sendable, Hashable {
  /// What it asks of those that call it.
  public var wishes: ServerWishes
  /// Its own time of the answer, in milliseconds since 1970 began; `nil` where it told none, and
  /// where something else may have spoken for it: a portal, a proxy, a host that it led to.
  public var date: Int64?
  /// The whole answer, where it is kept: always where the answer is a refusal or can't be
  /// understood.
  public var call: EndpointCall?

  /// What a server said beside its answer; nothing by default.
  public init(wishes: ServerWishes = ServerWishes(), date: Int64? = nil, call: EndpointCall? = nil)
  {
    self.wishes = wishes
    self.date = date
    self.call = call
  }
}
