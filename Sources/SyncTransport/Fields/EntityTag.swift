/// An entity tag (RFC 9110, section 8.8.3).
package struct EntityTag: Hashable, Sendable {
  /// Whether it only promises equal meaning, not equal bytes.
  package let isWeak: Bool
  /// What stands between the quotes: bytes, since that is how tags are compared.
  package let opaque: [UInt8]

  /// Reads a header's value: a quoted text, `W/` before it when weak; `nil` for anything else.
  package init?(_ text: String) {
    let isWeak = text.utf8.starts(with: "W/".utf8)
    let quoted = Array(text.utf8.dropFirst(isWeak ? 2 : 0))
    guard quoted.count >= 2, quoted.first == 0x22, quoted.last == 0x22 else { return nil }
    opaque = Array(quoted.dropFirst().dropLast())
    guard opaque.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
    self.isWeak = isWeak
  }

  /// As sent, quotes and `W/` included.
  package var text: String {
    (isWeak ? "W/\"" : "\"") + String(decoding: opaque, as: UTF8.self) + "\""
  }

  /// Strong comparison: equal, and neither is weak.
  package func isStronglyEqual(to other: EntityTag) -> Bool {
    !isWeak && self == other
  }
}
