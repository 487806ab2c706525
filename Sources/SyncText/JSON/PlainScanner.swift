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
