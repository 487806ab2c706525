package import SyncText

/// One answer to a request for a page of a catalog, as a decoder gets it: status 200, decompressed.
package struct CatalogBody: Sendable {
  /// Where it came from, after redirects, without user-info.
  package var url: URLReference
  /// `Content-Type` without parameters, in lower case.
  package var mediaType: String?
  /// The answer's `Date`, in seconds since 1970.
  package var date: Double?
  /// The target of `Link: rel="next"`, as sent.
  package var nextLink: String?
  /// The bytes; without the lines that are known.
  package var bytes: [UInt8]
  /// The lines that are known (see ``LineSieve``).
  package var known: [KnownLine] = []
  /// The positions of the entries in `bytes`, where lines are missing there.
  package var positions: [UInt32] = []

  /// An answer with this body.
  package init(
    url: URLReference, mediaType: String? = nil, date: Double? = nil, nextLink: String? = nil,
    bytes: [UInt8]
  ) {
    self.url = url
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

  /// What came, for the sentence of an error.
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
    guard count <= limits.entries else {
      throw .limit(url: url.redacted, .entries, most: limits.entries)
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
    let place = position.map { CatalogError.Place.entry($0) } ?? .byte(problem.offset)
    return .badJSON(reason: problem.reason, place)
  }

  func unreadable(
    expected: CatalogError.Expectation, found: CatalogError.Finding? = nil
  ) -> CatalogError {
    .unreadable(url: url.redacted, expected: expected, found: found ?? kind)
  }
}
