/// A name from elsewhere: bytes, compared as bytes.
///
/// Not a `String`, since Swift holds the composed and the decomposed "é" for equal and C ends a
/// name at NUL; neither may decide what a file is.
public struct ByteString: Hashable, Sendable {
  /// The bytes as they came.
  public let bytes: [UInt8]

  /// A name of these bytes.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The name whose bytes are the UTF-8 form of `text`.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }
}

extension ByteString {
  /// Equal bytes.
  @inlinable
  public static func == (left: ByteString, right: ByteString) -> Bool {
    left.bytes == right.bytes
  }

  /// All bytes at once: names are hashed more often than anything else is done with them.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension ByteString: Comparable {
  /// Byte order.
  public static func < (left: ByteString, right: ByteString) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension ByteString: CustomStringConvertible {
  /// The name for people's eyes: printable text as it is, a backslash doubled, and every byte of
  /// anything else as `\xHH`.
  ///
  /// "Anything else" is what isn't UTF-8, control characters, line and paragraph separators, format
  /// characters (bidirectional overrides, zero-width ones) and unassigned or private code points,
  /// so that a name can't steer a terminal or pose as another. ``init(escaped:)`` reads it back.
  public var description: String {
    // Nearly all names are of this kind.
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    return isPlain ? String(decoding: bytes, as: UTF8.self) : Self.escape(bytes)
  }

  /// The name that ``description`` shows as `text`; `nil` when a backslash begins no escape.
  public init?(escaped text: String) {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\\"):
        bytes.append(byte)
      case UInt8(ascii: "x"):
        guard let high = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:)),
          let low = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:))
        else { return nil }
        bytes.append(high << 4 | low)
      default:
        return nil
      }
    }
    self.bytes = bytes
  }

  /// Text in the form of ``description``, fit for every output.
  package static func escape(_ text: String) -> String { escape(text.utf8) }

  /// Any bytes in the form of ``description``, fit for every output.
  package static func escape(_ bytes: some Sequence<UInt8>) -> String {
    let source = Array(bytes)
    // Most names are so.
    if source.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\\") }) {
      return String(decoding: source, as: UTF8.self)
    }
    var output = ""
    var parser = Unicode.UTF8.ForwardParser()
    var input = source.makeIterator()
    var position = 0
    parsing: while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let encoded):
        append(Unicode.UTF8.decode(encoded), to: &output)
        position += encoded.count
      case .error(let length):
        for byte in source[position..<position + length] { appendEscape(byte, to: &output) }
        position += length
      case .emptyInput:
        break parsing
      }
    }
    return output
  }

  /// Text of which every character that could steer a terminal is escaped, and nothing else: a
  /// backslash stays as it is, so that an ordinary name can be typed as it is shown.
  package static func printable(_ text: String) -> String {
    guard !text.unicodeScalars.allSatisfy(isPrintable) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      if scalar == "\\" { output += "\\" } else { append(scalar, to: &output) }
    }
    return output
  }

  private static func append(_ scalar: Unicode.Scalar, to output: inout String) {
    if scalar == "\\" {
      output += "\\\\"
    } else if isPrintable(scalar) {
      output.unicodeScalars.append(scalar)
    } else {
      for byte in String(scalar).utf8 { appendEscape(byte, to: &output) }
    }
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return false
    default:
      return true
    }
  }

  private static func appendEscape(_ byte: UInt8, to output: inout String) {
    output += "\\x" + Hexadecimal.upper(byte)
  }
}
