package import SyncText

/// Signs requests as S3 and what speaks like it want them signed: AWS Signature Version 4, in the
/// `Authorization` field (Amazon S3 API Reference, "Authenticating Requests").
///
/// Pure: the same request at the same time has the same signature. By ourselves, as libcurl's own
/// sorts and encodes queries in another way than the service in the versions that are about.
package struct SignatureV4: Sendable, Equatable {
  package let key: AccessKey
  /// Where the service is, such as `eu-central-1`.
  package let region: String
  package let service: String

  package init(_ key: AccessKey, region: String, service: String = "s3") {
    self.key = key
    self.region = region
    self.service = service
  }

  package static let noPayload = SHA256Digest(of: []).description
  /// In place of the digest of a body that isn't signed.
  private static let unsignedPayload = "UNSIGNED-PAYLOAD"

  /// The fields that make a request a signed one, `Authorization` among them. Beside them, only the
  /// host is signed: of a `Range` and of conditions, what is on the way may change nothing but how
  /// much comes.
  package func fields(for request: HTTPRequest, at date: HTTPDate) -> HTTPHeaders {
    let payload = request.bodyToSend == nil ? Self.noPayload : Self.unsignedPayload
    var fields = HTTPHeaders([
      ("x-amz-content-sha256", payload), ("x-amz-date", Self.moment(date)),
    ])
    if let token = key.sessionToken { fields.add("x-amz-security-token", token) }
    var signed = fields
    signed.add("Host", Self.hostField(request.address))
    let canonical = CanonicalRequest(
      method: request.method.name, path: request.address.path, query: request.address.query,
      fields: signed, payload: payload)
    fields.add("Authorization", authorization(canonical, at: date))
    return fields
  }

  /// The value of `Authorization`.
  package func authorization(_ request: CanonicalRequest, at date: HTTPDate) -> String {
    """
    AWS4-HMAC-SHA256 Credential=\(key.id)/\(scope(date)), \
    SignedHeaders=\(request.signedFields), Signature=\(signature(of: request, at: date))
    """
  }

  package func text(of request: CanonicalRequest, at date: HTTPDate) -> String {
    [
      "AWS4-HMAC-SHA256", Self.moment(date), scope(date),
      SHA256Digest(of: request.text.utf8).description,
    ].joined(separator: "\n")
  }

  private func signature(of request: CanonicalRequest, at date: HTTPDate) -> String {
    var key = Array("AWS4\(key.secret)".utf8)
    for word in [Self.day(date), region, service, "aws4_request"] {
      key = MessageCode.sha256(of: word.utf8, key: key)
    }
    return MessageCode.sha256(of: text(of: request, at: date).utf8, key: key)
      .map(Hexadecimal.lower).joined()
  }

  private func scope(_ date: HTTPDate) -> String {
    "\(Self.day(date))/\(region)/\(service)/aws4_request"
  }

  /// `20150830T123600Z`
  private static func moment(_ date: HTTPDate) -> String {
    let milliseconds = date.secondsSince1970.multipliedReportingOverflow(by: 1_000)
    let text = Timestamp(milliseconds: milliseconds.partialValue)?.text.prefix(19) ?? ""
    return text.filter { $0 != "-" && $0 != ":" } + "Z"
  }

  private static func day(_ date: HTTPDate) -> String { String(moment(date).prefix(8)) }

  /// As it is sent: with the port where it isn't the scheme's own.
  private static func hostField(_ address: WebAddress) -> String {
    String("\(address.origin)".dropFirst(address.scheme.utf8.count + 3))
  }
}

/// What of a request is signed, written in the one way that both sides write it (Signature Version
/// 4, "Create a canonical request").
package struct CanonicalRequest: Equatable, Sendable {
  package let text: String
  /// The names of the fields that are signed, in lower case and sorted, with semicolons between.
  package let signedFields: String

  /// The canonical form of a request.
  ///
  /// - Parameters:
  ///   - method: The method's name.
  ///   - path: As it is sent. It is encoded once and not normalised, as S3 wants it and no other
  ///     service does.
  ///   - query: As it is sent, without the question mark.
  ///   - fields: The header fields to be signed.
  ///   - payload: The digest of the body in hexadecimal digits, or the word for none.
  package init(
    method: String, path: String, query: String?, fields: HTTPHeaders, payload: String
  ) {
    let lines = Self.lines(of: fields)
    signedFields = lines.map(\.name).joined(separator: ";")
    text = [
      method, Self.encoded(path: path), Self.sorted(query: query ?? ""),
      lines.map { "\($0.name):\($0.value)\n" }.joined(), signedFields, payload,
    ].joined(separator: "\n")
  }

  private static func encoded(path: String) -> String {
    PercentEncoding.encode(path: PercentEncoding.decode(path) ?? Array(path.utf8))
  }

  /// By name and then by value, both encoded, and compared as bytes.
  private static func sorted(query: String) -> String {
    let parameters = query.split(separator: "&").map { parameter in
      let parts = parameter.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: encoded(parts[0]), value: parts.count > 1 ? encoded(parts[1]) : "")
    }
    return
      parameters
      .sorted { left, right in
        left.name == right.name
          ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
          : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
      }
      .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  private static func encoded(_ text: Substring) -> String {
    PercentEncoding.encode(path: PercentEncoding.decode(text) ?? Array(text.utf8))
      .replacing("/", with: "%2F")
  }

  /// Names in lower case; values without outer white space, and with single spaces within; those of
  /// one name with commas between.
  private static func lines(of fields: HTTPHeaders) -> [(name: String, value: String)] {
    var values: [String: [String]] = [:]
    for field in fields.fields {
      let words = field.value.split(whereSeparator: { $0 == " " || $0 == "\t" })
      values[field.name.lowercased(), default: []].append(words.joined(separator: " "))
    }
    return values.map { (name: $0.key, value: $0.value.joined(separator: ",")) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

/// A key of an S3 account: its public name, and the secret that requests are signed with. Never
/// printed.
package struct AccessKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The name, which goes along with each request.
  package let id: String
  /// The secret, which never does.
  package let secret: String
  /// What a key that holds for a while only is shown with.
  package let sessionToken: String?

  package init(id: String, secret: String, sessionToken: String? = nil) {
    self.id = id
    self.secret = secret
    self.sessionToken = sessionToken
  }

  package var description: String { "(access key)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
