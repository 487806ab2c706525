private import SyncSystem

/// Collects the header lines of a response, past the ones of interim responses (RFC 9110, section
/// 15.2) and short of the trailer (section 6.5).
package struct HeaderBlock {
  package private(set) var fields = HTTPHeaders()
  /// The bytes of everything that came, of all responses.
  package private(set) var byteCount = 0
  /// What the last response's status line says of the protocol.
  package private(set) var version = Version.one
  /// The status that the last response's status line tells.
  package private(set) var status: Int?
  private var place = Place.start

  /// A version of HTTP, as far as it matters for where a body ends.
  package enum Version: Sendable, Equatable {
    /// HTTP/1.0, which knows no transfer codings.
    case old
    /// HTTP/1.1.
    case one
    /// HTTP/2 and later, whose frames tell the end.
    case multiplexed
  }

  private enum Place {
    /// Before a status line.
    case start
    /// Among the fields of an interim response, after which another one follows.
    case interim
    /// Among the fields of the final response.
    case final
    /// After the empty line that ends them.
    case over
  }

  package init() {}

  /// Whether the empty line came that ends the head of a final response.
  package var isComplete: Bool { place == .over }

  /// Takes one line, its line break included.
  ///
  /// - Throws: ``FramingProblem`` for a line that two readers may take for two things.
  package mutating func take(_ line: UnsafeRawBufferPointer) throws(FramingProblem) {
    byteCount += line.count
    guard place != .over else { return }
    var end = line.count
    if end > 0, line[end - 1] == 0x0A { end -= 1 }
    if end > 0, line[end - 1] == 0x0D { end -= 1 }
    let bytes = UnsafeRawBufferPointer(rebasing: line[..<end])
    guard !bytes.holds(0x0D), !bytes.holds(0) else { throw .strayControl }
    if place == .start {
      try begin(bytes)
    } else if bytes.isEmpty {
      place = place == .interim ? .start : .over
    } else {
      try add(bytes)
    }
  }

  /// A status line (RFC 9112, section 4). It's one only where a response begins: amid the fields it
  /// would make forget those before it. Whatever isn't in the grammar may be interim to libcurl and
  /// final here, or the other way round.
  private mutating func begin(_ line: UnsafeRawBufferPointer) throws(FramingProblem) {
    guard let space = line.place(of: 0x20),
      let version = Self.version(UnsafeRawBufferPointer(rebasing: line[..<space])),
      let status = Self.status(line[(space + 1)...].prefix { $0 != 0x20 })
    else { throw .noStatusLine }
    fields = HTTPHeaders()
    fields.reserveCapacity(Self.usualCount)
    place = status < 200 ? .interim : .final
    (self.version, self.status) = (version, status)
  }

  /// libcurl writes `HTTP/2` and `HTTP/3` itself, for answers that came in frames.
  private static func version(_ word: UnsafeRawBufferPointer) -> Version? {
    if word.spells("HTTP/1.1") { return .one }
    if word.spells("HTTP/1.0") { return .old }
    return word.spells("HTTP/2") || word.spells("HTTP/3") ? .multiplexed : nil
  }

  /// As many fields as most answers have at most.
  private static let usualCount = 12

  private static func status(_ word: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard word.count == 3, word.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let status = word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return status >= 100 ? status : nil
  }

  private mutating func add(_ line: UnsafeRawBufferPointer) throws(FramingProblem) {
    guard let first = line.first, first != 0x20, first != 0x09 else { throw .foldedLine }
    guard let colon = line.place(of: UInt8(ascii: ":")) else { return }
    let name = line[..<colon]
    guard name.last != 0x20, name.last != 0x09 else { throw .spaceBeforeColon }
    fields.add(Self.text(name), Self.text(line[(colon + 1)...]))
  }

  /// The text of bytes without white space around it; what isn't UTF-8 is read as Latin-1.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    while start < end, isBlank(bytes[start]) { start += 1 }
    while start < end, isBlank(bytes[end - 1]) { end -= 1 }
    let whole = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    // Nearly always; and there are many lines.
    if whole.isASCII { return String(decoding: whole, as: UTF8.self) }
    if let text = String(validating: whole, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(whole.map { Unicode.Scalar($0) }))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// By the C library, as there are many lines: Swift looks at one byte after the other.
extension UnsafeRawBufferPointer {
  fileprivate func place(of byte: UInt8) -> Int? {
    guard let baseAddress, let found = memchr(baseAddress, CInt(byte), count) else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }

  fileprivate var isASCII: Bool {
    var place = 0
    while place + 8 <= count {
      let word = loadUnaligned(fromByteOffset: place, as: UInt64.self)
      guard word & 0x8080_8080_8080_8080 == 0 else { return false }
      place += 8
    }
    return self[place...].allSatisfy { $0 < 0x80 }
  }

  fileprivate func holds(_ byte: UInt8) -> Bool { place(of: byte) != nil }

  fileprivate func spells(_ word: StaticString) -> Bool {
    guard let baseAddress, count == word.utf8CodeUnitCount else { return false }
    return memcmp(baseAddress, word.utf8Start, count) == 0
  }
}
