import SyncText

/// What an S3 server says of a refusal, beside its status (Amazon S3 API Reference, "Error
/// responses"): that the bucket is in another region, that the time of a signature is wrong, or
/// that the key is.
enum BucketComplaint: Equatable {
  case otherRegion(String)
  case clockDiffers
  case keyRefused

  /// - Parameter start: The start of the answer's body.
  init?(_ response: HTTPResponse, _ start: [UInt8]) {
    self.init(
      status: response.status, region: response.headers["x-amz-bucket-region"],
      isRedirect: response.headers["Location"] != nil, body: start)
  }

  init?(status: Int, region: String?, isRedirect: Bool, body: [UInt8]) {
    guard (300...499).contains(status), !isRedirect else { return nil }
    let text = String(decoding: body, as: UTF8.self)
    func has(_ code: String) -> Bool { text.contains("<Code>\(code)</Code>") }
    if status == 403, has("RequestTimeTooSkewed") {
      self = .clockDiffers
      return
    }
    if status == 403, ["SignatureDoesNotMatch", "InvalidAccessKeyId"].contains(where: has) {
      self = .keyRefused
      return
    }
    let codes = [
      "AuthorizationHeaderMalformed", "IllegalLocationConstraintException", "PermanentRedirect",
    ]
    let isElsewhere = status == 301 || codes.contains(where: has)
    guard isElsewhere, let region = region ?? Self.region(in: text), Self.isName(region) else {
      return nil
    }
    self = .otherRegion(region)
  }

  func error(at address: WebAddress, now: HTTPDate, signedFor region: String?) -> TransportError {
    switch self {
    case .otherRegion(let name):
      let asked = region.map { "asked as in \($0)" }
      return TransportError(.otherRegion(name), at: address, detail: asked)
    case .keyRefused: return TransportError(.keyRefused, at: address)
    case .clockDiffers:
      let here = Timestamp(milliseconds: now.secondsSince1970 * 1_000)?.text.prefix(19)
      return TransportError(.clockDiffers, at: address, detail: here.map { "here it is \($0)Z" })
    }
  }

  private static func region(in text: String) -> String? {
    guard let start = text.firstRange(of: "<Region>")?.upperBound,
      let end = text[start...].firstRange(of: "</Region>")?.lowerBound
    else { return nil }
    return String(text[start..<end])
  }

  private static func isName(_ region: String) -> Bool {
    !region.isEmpty && region.utf8.count <= 64
      && region.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigit || $0.asSmall.isSmall }
  }
}
