/// Where bytes are no text in UTF-8.
package enum UTF8Fault {
  /// The place of the first byte that begins no character (RFC 3629, section 4); `nil` if there is
  /// none. ASCII costs next to nothing.
  package static func first(in bytes: UnsafeRawBufferPointer) -> Int? {
    var place = 0
    while true {
      while place + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      { place += 8 }
      guard place < bytes.count else { return nil }
      guard let count = length(of: bytes[place...]) else { return place }
      place += count
    }
  }

  /// How many bytes the character takes that stands at the beginning; `nil` if none does.
  private static func length(of bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
    let first = bytes[bytes.startIndex]
    let (count, second): (Int, ClosedRange<UInt8>) =
      switch first {
      case 0...0x7F: (1, 0...0)
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0...0)
      }
    guard count != 1 else { return 1 }
    guard count > 0, bytes.count >= count, second.contains(bytes[bytes.startIndex + 1]) else {
      return nil
    }
    let rest = bytes[(bytes.startIndex + 2)..<(bytes.startIndex + count)]
    return rest.allSatisfy { $0 & 0xC0 == 0x80 } ? count : nil
  }
}
