/// Finds bytes in a word of eight, all at once.
///
/// The result has the high bit set of the first byte that is looked for, in little-endian order.
/// Behind that, bits may be set that mean nothing, where a subtraction borrowed.
@usableFromInline
enum ByteMarks {
  @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101
  @usableFromInline static let highs: UInt64 = 0x8080_8080_8080_8080

  /// What ends plain text in a string of JSON: a quote, a backslash, a control character.
  @inlinable @inline(__always)
  static func ofSpecials(in word: UInt64) -> UInt64 {
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    let found =
      ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
      | ((word &- ones &* 0x20) & ~word)
    return found & highs
  }

  /// Where the plain text in a string of JSON ends that begins at `start`: at the first of those,
  /// or at `end`.
  @inlinable @inline(__always)
  static func endOfPlainText(
    in text: UnsafeRawBufferPointer, from start: Int, before end: Int
  ) -> Int {
    var position = start
    while position + 8 <= end {
      let word = text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let marks = ofSpecials(in: UInt64(littleEndian: word))
      guard marks == 0 else { return position + marks.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < end {
      let byte = text[position]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      position += 1
    }
    return position
  }
}
