extension UInt8 {
  /// Whether it is one of A to Z.
  @inlinable package var isCapital: Bool { (0x41...0x5A).contains(self) }

  /// Whether it is one of a to z.
  @inlinable package var isSmall: Bool { (0x61...0x7A).contains(self) }

  /// Whether it is one of 0 to 9.
  @inlinable package var isDigit: Bool { (0x30...0x39).contains(self) }

  /// A to Z as a to z; nothing else changes.
  @inlinable package var asSmall: UInt8 { isCapital ? self | 0x20 : self }

  /// a to z as A to Z; nothing else changes.
  @inlinable package var asCapital: UInt8 { isSmall ? self & ~0x20 : self }
}

extension String {
  /// A to Z as a to z; nothing else changes.
  package var asciiLowercased: String {
    var text = self
    if text.withUTF8({ !$0.contains(where: \.isCapital) }) { return text }
    return String(decoding: utf8.map(\.asSmall), as: UTF8.self)
  }
}
