package import SyncText

/// Signs requests as S3 and what speaks like it want them signed: AWS Signature Version 4, in the
/// `Authorization` field (Amazon S3 API Reference, "Authenticating Requests").
///
/// Pure: the same request at the same time has the same signature. By ourselves, as libcurl's own
/// sorts and encodes queries in another way than the service in the versions that are about.
package struct SignatureV4: Sendable, Equatable {
  /// Whose the requests are.
  package let key: AccessKey
  /// Where the service is, such as `eu-central-1`.
  package let region: String
  /// The service's name.
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
