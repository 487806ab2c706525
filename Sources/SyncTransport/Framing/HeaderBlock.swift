/// Collects the header lines of a response, past the ones of interim responses (RFC 9110, section
/// 15.2) and short of the trailer (section 6.5).
package struct HeaderBlock {
  /// The fields of the last response.
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

  /// Nothing yet.
  package init() {}

  /// Whether the empty line came that ends the head of a final response.
  package var isComplete: Bool { place == .over }

  /// Takes one line, its line break included.
  ///
  /// - Throws: ``FramingProblem`` for a line that two readers may take for two things.
  package mutating func take(_ line: UnsafeRawBufferPointer) throws(FramingProblem) {
    byteCount += line.count
    guard place != .over else { return }
    var bytes = line[...]
    if bytes.last == 0x0A { bytes.removeLast() }
    if bytes.last == 0x0D { bytes.removeLast() }
    guard !bytes.contains(where: { $0 == 0x0D || $0 == 0 }) else { throw .strayControl }
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
  private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) throws(FramingProblem) {
    let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count > 1, let version = Self.version(words[0]),
      let status = Self.status(words[1])
    else { throw .noStatusLine }
    fields = HTTPHeaders()
    place = status < 200 ? .interim : .final
    (self.version, self.status) = (version, status)
  }

  /// libcurl writes `HTTP/2` and `HTTP/3` itself, for answers that came in frames.
  private static func version(_ word: Slice<UnsafeRawBufferPointer>) -> Version? {
    switch String(decoding: word, as: UTF8.self) {
    case "HTTP/1.0": .old
    case "HTTP/1.1": .one
    case "HTTP/2", "HTTP/3": .multiplexed
    default: nil
    }
  }

  private static func status(_ word: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard word.count == 3, word.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let status = word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return status >= 100 ? status : nil
  }

  private mutating func add(_ line: Slice<UnsafeRawBufferPointer>) throws(FramingProblem) {
    guard let first = line.first, first != 0x20, first != 0x09 else { throw .foldedLine }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = line[..<colon]
    guard name.last != 0x20, name.last != 0x09 else { throw .spaceBeforeColon }
    fields.add(Self.text(name), Self.text(line[(colon + 1)...]))
  }

  /// The text of bytes without white space around it; what isn't UTF-8 is read as Latin-1.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var core = bytes
    while let first = core.first, first == 0x20 || first == 0x09 { core.removeFirst() }
    while let last = core.last, last == 0x20 || last == 0x09 { core.removeLast() }
    let whole = UnsafeRawBufferPointer(rebasing: core)
    // Nearly always; and there are many lines.
    if whole.allSatisfy({ $0 < 0x80 }) {
      return String(unsafeUninitializedCapacity: whole.count) { text in
        UnsafeMutableRawBufferPointer(text).copyMemory(from: whole)
        return whole.count
      }
    }
    if let text = String(validating: whole, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(core.map { Unicode.Scalar($0) }))
  }
}
