/// What a ``JSONTape`` keeps of a value.
@usableFromInline
struct TapeEntry: Sendable {
  /// The place of its first byte.
  @usableFromInline let start: UInt32
  /// The place behind its last byte.
  @usableFromInline var end: UInt32
  /// The place of the entry behind it and all that is in it.
  @usableFromInline var next: Int32
  @usableFromInline let kind: JSONTape.Kind
  /// Whether it is a string with escapes.
  @usableFromInline let isEscaped: Bool

  /// A value without values inside.
  @inline(__always)
  init(_ kind: JSONTape.Kind, _ range: Range<Int>, next: Int, isEscaped: Bool) {
    // A tape takes no text whose places don't fit.
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
    self.next = Int32(truncatingIfNeeded: next)
    self.kind = kind
    self.isEscaped = isEscaped
  }

  /// An object or an array whose end isn't known yet.
  init(opened kind: JSONTape.Kind, at start: Int) {
    self.init(kind, start..<start, next: 0, isEscaped: false)
  }
}
