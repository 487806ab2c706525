/// A cursor over JSON text (RFC 8259) of which only the plainest is taken: strings without escapes,
/// whole numbers that aren't negative. Whatever else stands there, nothing is said of.
///
/// For text that is written a million times alike; what it doesn't take, a ``JSONValue`` reads.
package struct PlainScanner {
  @usableFromInline let text: UnsafeRawBufferPointer
  @usableFromInline var position = 0

  /// A cursor at the beginning of a text, which has to outlive it.
  @inlinable
  package init(_ text: UnsafeRawBufferPointer) {
    self.text = text
  }

  /// Whether nothing but blanks is left.
  @inlinable
  package var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return position == text.count
    }
  }

  /// Takes this byte, and blanks before it; whether it stands there.
  @inlinable
  package mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  /// Takes a string without escapes, and gives the place of what is between its quotes.
  @inlinable
  package mutating func string() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    position = ByteMarks.endOfPlainText(in: text, from: position, before: text.count)
    guard position < text.count, text[position] == UInt8(ascii: "\"") else { return nil }
    position += 1
    return start..<position - 1
  }

  /// Takes a number of at most 18 digits and nothing else.
  @inlinable
  package mutating func wholeNumber() -> Int64? {
    skipBlanks()
    let start = position
    var number: Int64 = 0
    while position < text.count, text[position] &- 0x30 < 10, position - start < 19 {
      number = number &* 10 &+ Int64(text[position] &- 0x30)
      position += 1
    }
    let digits = position - start
    guard digits > 0, digits < 19, digits == 1 || text[start] != 0x30 else { return nil }
    // A fraction or an exponent would go on here.
    guard position < text.count, !".eE".utf8.contains(text[position]) else { return nil }
    return number
  }

  @inlinable
  mutating func skipBlanks() {
    while position < text.count, text[position] <= 0x20, JSONValue.isBlank(text[position]) {
      position += 1
    }
  }
}

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
