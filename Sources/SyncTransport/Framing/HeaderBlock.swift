/// Collects the header lines of a response, past the ones of interim responses (RFC 9110, section
/// 15.2) and short of the trailer (section 6.5).
package struct HeaderBlock {
  /// The fields of the last response.
  package private(set) var fields = HTTPHeaders()
  /// The bytes of everything that came, of all responses.
  package private(set) var byteCount = 0
  /// Whether the empty line came that ends the head of a final response.
  private(set) var isComplete = false
  private var isInterim = false

  /// Nothing yet.
  package init() {}

  /// Takes one line, its line break included.
  package mutating func take(_ line: UnsafeRawBufferPointer) {
    byteCount += line.count
    guard !isComplete else { return }
    var bytes = line[...]
    while let last = bytes.last, last == 0x0D || last == 0x0A { bytes.removeLast() }
    if bytes.isEmpty {
      isComplete = !isInterim
    } else if bytes.starts(with: "HTTP/".utf8) {
      fields = HTTPHeaders()
      isInterim = bytes.drop { $0 != 0x20 }.dropFirst().first == UInt8(ascii: "1")
    } else if bytes.first == 0x20 || bytes.first == 0x09 {
      fields.fold(Self.text(bytes))
    } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      fields.add(Self.text(bytes[..<colon]), Self.text(bytes[(colon + 1)...]))
    }
  }

  /// The text of bytes without white space around it; what isn't UTF-8 is read as Latin-1.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var core = bytes
    while let first = core.first, first == 0x20 || first == 0x09 { core.removeFirst() }
    while let last = core.last, last == 0x20 || last == 0x09 { core.removeLast() }
    let whole = UnsafeRawBufferPointer(rebasing: core)
    if let text = String(validating: whole, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(core.map { Unicode.Scalar($0) }))
  }
}
