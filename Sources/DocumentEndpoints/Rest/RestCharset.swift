/// An encoding of text.
package enum RestCharset: Sendable, Hashable {
  /// UTF-8 (RFC 3629).
  case utf8
  /// ISO 8859-1.
  case latin1
  /// UTF-16 (RFC 2781); without a byte order mark, the more significant byte comes first.
  case utf16
  /// UTF-16 with the less significant byte first, where no byte order mark says otherwise.
  case utf16LittleEndian
  /// One that isn't known here: no endpoint is made with it.
  case unknown(String)

  /// The encoding of that name (RFC 2978); `nil` for one that isn't known here.
  package init?(named name: String) {
    switch name.lowercased() {
    case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
    case "iso-8859-1", "iso_8859-1", "latin1", "l1": self = .latin1
    case "utf-16", "utf-16be": self = .utf16
    case "utf-16le": self = .utf16LittleEndian
    default: return nil
    }
  }

  /// The bytes in UTF-8; `nil` if they aren't text in this encoding.
  func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .utf8: return bytes
    case .latin1: return bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    case .utf16: return Self.utf8(units: bytes, startingLow: false)
    case .utf16LittleEndian: return Self.utf8(units: bytes, startingLow: true)
    case .unknown: return nil
    }
  }

  private static func utf8(units bytes: [UInt8], startingLow: Bool) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let marks: [[UInt8]: Bool] = [[0xFF, 0xFE]: true, [0xFE, 0xFF]: false]
    let mark = marks[Array(bytes.prefix(2))]
    let isReversed = mark ?? startingLow
    let units = stride(from: mark == nil ? 0 : 2, to: bytes.count, by: 2).map { place -> UInt16 in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isReversed ? second << 8 | first : first << 8 | second
    }
    guard let text = String(validating: units, as: UTF16.self) else { return nil }
    return Array(text.utf8)
  }
}
