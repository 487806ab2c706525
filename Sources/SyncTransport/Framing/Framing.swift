extension Framing {
  /// What vouches for the end of an answer's body, by its head.
  ///
  /// It's read here, and strictly (RFC 9110, section 8.6; RFC 9112, sections 6.1 and 6.3), since
  /// libcurl takes `5;x`, `5, 6` and `1e3` for numbers, and a coding besides a length for granted.
  ///
  /// - Parameters:
  ///   - status: The status that libcurl found, by which it goes on reading.
  ///   - isHead: Whether the answer is one to `HEAD`.
  ///   - mayBeInFrames: Whether HTTP/2 may be spoken on the connection, so that a status line that
  ///     tells of it is libcurl's and not the server's word.
  /// - Throws: ``FramingProblem`` when the head leaves the slightest doubt, also of a body that
  ///   doesn't come: who writes such a head can't be relied on for the next one.
  package init(
    _ head: HeaderBlock, status: Int, isHead: Bool, mayBeInFrames: Bool = false
  ) throws(FramingProblem) {
    guard head.status == status else { throw .severalStatuses }
    guard head.version != .multiplexed || mayBeInFrames else { throw .noStatusLine }
    let length = try Self.length(in: head.fields.all("Content-Length"))
    let codings = head.fields.all("Transfer-Encoding")
    if !codings.isEmpty {
      guard length == nil else { throw .lengthAndCoding }
      guard head.version == .one else { throw .codingInOtherVersion }
      guard codings.count == 1, codings[0].isSameFieldName(as: "chunked") else {
        throw .badCoding(codings.joined(separator: ", "))
      }
    }
    if isHead || status == 204 || status == 304 {
      self = .noBody
    } else if !codings.isEmpty {
      self = .chunked
    } else if let length {
      self = .length(length)
    } else {
      self = head.version == .multiplexed ? .multiplexed : .untilClose
    }
  }

  /// The one number that all fields, and all members of a list in them, agree on.
  private static func length(in fields: [String]) throws(FramingProblem) -> Int64? {
    if fields.count == 1, let length = number(fields[0]) { return length }
    var found: Int64?
    for field in fields {
      for member in field.split(separator: ",", omittingEmptySubsequences: false) {
        guard let length = number(member.trimmed) else { throw .badLength(field) }
        guard found ?? length == length else { throw .severalLengths }
        found = length
      }
    }
    return found
  }

  /// A number of digits alone, neither signed nor anything else.
  private static func number(_ digits: some StringProtocol) -> Int64? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
  }
}

/// Why an answer's head, or the framing or packing of its body, is refused: two readers of it may
/// disagree on where the body ends, and then what one holds for the whole isn't.
package enum FramingProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where an answer begins, something else stands than a status line of HTTP/1.0 or HTTP/1.1
  /// (RFC 9112, section 4).
  case noStatusLine
  /// Two readers of its status lines find two statuses.
  case severalStatuses
  /// A header line that goes on in the next one (RFC 9112, section 5.2).
  case foldedLine
  /// A carriage return amid a header line (RFC 9112, section 2.2), or a zero byte.
  case strayControl
  /// White space before a header's colon (RFC 9112, section 5.1).
  case spaceBeforeColon
  /// A `Content-Length` that isn't a decimal number.
  case badLength(String)
  /// Lengths that aren't equal.
  case severalLengths
  /// A `Transfer-Encoding` other than `chunked`, once and alone.
  case badCoding(String)
  case lengthAndCoding
  /// `Transfer-Encoding` in an answer of HTTP/1.0 or HTTP/2, which don't know it.
  case codingInOtherVersion
  /// A chunk's size isn't a hexadecimal number, with or without extensions.
  case badChunkSize
  /// Something else than a line break follows a chunk.
  case badChunkEnd
  /// The fields after the last chunk are broken.
  case badTrailer
  /// Extensions or a trailer without end.
  case tooMuchBesideChunks
  /// More bytes of a body than its head declared.
  case longerThanDeclared
  /// What is packed as gzip isn't, or is damaged.
  case damagedGzip

  package var description: String {
    switch self {
    case .noStatusLine: "it doesn't begin with a status line of HTTP/1.1"
    case .severalStatuses: "it tells two statuses"
    case .foldedLine: "a header goes on in a second line"
    case .strayControl: "a carriage return or a zero byte amid a header"
    case .spaceBeforeColon: "white space before a header's colon"
    case .badLength(let text): "its Content-Length '\(text.prefix(40))' isn't a number"
    case .severalLengths: "it tells two lengths"
    case .badCoding(let text): "its Transfer-Encoding '\(text.prefix(40))' isn't just 'chunked'"
    case .lengthAndCoding: "it has a Content-Length and a Transfer-Encoding"
    case .codingInOtherVersion: "Transfer-Encoding belongs to HTTP/1.1 only"
    case .badChunkSize: "the size of a chunk isn't a number"
    case .badChunkEnd: "a chunk doesn't end where its size says"
    case .badTrailer: "broken fields after the last chunk"
    case .tooMuchBesideChunks: "too much stands beside the chunks"
    case .longerThanDeclared: "its body is longer than declared"
    case .damagedGzip: "damaged gzip"
    }
  }
}
