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
