public import SyncText

/// One answer to a request for a page of a catalog, as a format gets it: whole, and unpacked.
public struct CatalogBody: Sendable {
  /// Where it came from, after redirects, without user-info.
  public var url: URLReference
  /// What was asked.
  public var request: CatalogRequest
  /// `Content-Type` without parameters, in lower case.
  public var mediaType: String?
  /// The answer's `Date`, in seconds since 1970.
  public var date: Double?
  /// The target of `Link: rel="next"`, as sent.
  public var nextLink: String?
  /// The bytes; without the lines that are known, and those that were read as they came.
  public var bytes: [UInt8]
  /// The digest of the bytes as they were sent; `nil` where nobody took it.
  package var sha256: SHA256Digest?
  package var known: [KnownLine] = []
  /// The lines that were read already; they aren't in `bytes` either.
  package var read = ReadLines()
  /// The positions of the entries in `bytes`, where lines are missing there.
  package var positions: [UInt32] = []
  /// Whether nothing in it was found to be larger than may be, as it came.
  var isMeasured = false

  /// An answer with this body.
  ///
  /// - Parameters:
  ///   - url: Where it came from.
  ///   - request: What was asked; `nil` for a `GET` of that address.
  ///   - mediaType: `Content-Type` without parameters, in lower case.
  ///   - date: The answer's `Date`, in seconds since 1970.
  ///   - nextLink: The target of `Link: rel="next"`.
  ///   - bytes: The body.
  public init(
    url: URLReference, request: CatalogRequest? = nil, mediaType: String? = nil,
    date: Double? = nil, nextLink: String? = nil, bytes: [UInt8]
  ) {
    self.url = url
    self.request = request ?? CatalogRequest(url.text)
    self.mediaType = mediaType
    self.date = date
    self.nextLink = nextLink
    self.bytes = bytes
  }

  /// The position of an entry, both counted from 1: among all of the page, and among those in
  /// `bytes`.
  func position(of place: Int) -> Int {
    positions.indices.contains(place - 1) ? Int(positions[place - 1]) : place
  }

  /// Where the bytes begin after a UTF-8 byte order mark, if there is one.
  var start: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// The first bytes that aren't blank: enough to recognise a format by.
  var opening: ArraySlice<UInt8> {
    bytes[start...].drop(while: JSONValue.isBlank).prefix(64 * 1_024)
  }

  var kind: CatalogError.Finding {
    if opening.isEmpty { return .nothing }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16 }
    let head = String(decoding: opening.prefix(1_024), as: UTF8.self).lowercased()
    if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") || mediaType == "text/html" {
      return .html
    }
    if head.hasPrefix("<") { return .xml }
    if head.hasPrefix("{") || head.hasPrefix("[") { return .json }
    if opening.contains(0) { return .binary }
    return .text
  }

  /// A page by itself may not hold more than all pages together may; the rest is never looked at.
  func checkCount(_ count: Int, _ limits: CatalogLimits) throws(CatalogError) {
    try checkGoesOn()
    guard count <= limits.entries else {
      throw .limit(url: url.redacted, .entries, most: limits.entries)
    }
  }

  /// Ends a reading that nobody waits for any more.
  func checkGoesOn() throws(CatalogError) {
    guard Task.isCancelled else { return }
    throw .unfetched(url: url.redacted, reason: "it was cancelled while the answer was read")
  }

  func json(
    expected format: CatalogFormatName, _ limits: CatalogLimits
  ) throws(CatalogError) -> JSONValue {
    do throws(JSONProblem) {
      return try JSONValue(
        bytes, in: start..<bytes.count, nesting: limits.nesting, endsWhenCancelled: true)
    } catch {
      try checkGoesOn()
      throw unreadable(expected: .format(format), found: kind(despite: error))
    }
  }

  /// What came in place of JSON, or what is wrong with it.
  ///
  /// - Parameter position: The entry in which it is wrong, where each stands in a line of its own.
  func kind(
    despite problem: JSONProblem, in position: Int? = nil
  ) -> CatalogError.Finding {
    let isJSON = opening.first == UInt8(ascii: "{") || opening.first == UInt8(ascii: "[")
    guard isJSON else { return kind }
    return position.map { .badEntry(reason: problem.reason, $0) }
      ?? .badJSON(reason: problem.reason, byte: problem.offset)
  }

  func unreadable(
    expected: CatalogError.Expectation, found: CatalogError.Finding? = nil
  ) -> CatalogError {
    .unreadable(url: url.redacted, expected: expected, found: found ?? kind)
  }
}
