import SyncText

/// Digests of values, by which a payload is looked at as a whole.
extension JSONTape {
  /// Whether a value can be a key.
  func isScalar(_ node: Node) -> Bool {
    switch kind(of: node) {
    case .null, .object, .array: false
    case .true, .false, .number, .string: true
    }
  }

  /// Whether an element is a text or an integer.
  func mayBeKey(_ node: Node) -> Bool {
    kind(of: node) == .string || integer(node) != nil
  }

  /// The one text of all spellings of a number; `nil` of one that is written so already.
  private func keyText(ofNumber node: Node) -> String? {
    guard kind(of: node) == .number else { return nil }
    if let integer = integer(node) { return integer == 0 ? "0" : nil }
    guard let number = number(node) else { return nil }
    if let integer = number.integer { return String(integer) }
    // A text may have the digits as they are mostly written.
    let usual = number.double.flatMap { JSONNumber($0) }
    return usual == number ? usual?.text : number.canonicalText
  }

  /// The digest of a key's text: of `7` for `"7"` and `7.0`, too, which name the same row.
  func digest(ofKey node: Node) -> UInt64 {
    let isText = kind(of: node) == .string
    if isText, !isPlain(node) { return Self.digest(of: (stringBytes(node) ?? [])[...]) }
    if let text = keyText(ofNumber: node) { return Self.digest(of: Array(text.utf8)[...]) }
    let range = range(of: node)
    return Self.digest(of: bytes[isText ? range.dropFirst().dropLast() : range])
  }

  static func digest(of text: ArraySlice<UInt8>) -> UInt64 {
    var hasher = Hasher()
    text.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.digest()
  }

  /// The digest of a key of some values, which is the same for what a table holds for one.
  func digest(ofKey nodes: [Node], as identity: KeyIdentity?) -> UInt64 {
    if let key = identity?.identity(of: nodes, in: self) {
      var hasher = Hasher()
      hasher.combine(key)
      return Self.digest(11, hasher.digest())
    }
    let first = digest(ofKey: nodes[0])
    return nodes.dropFirst().reduce(first) { Self.digest($0, digest(ofKey: $1)) }
  }

  func digest(ofKey node: Node, as identity: KeyIdentity?) -> UInt64 {
    identity == nil ? digest(ofKey: node) : digest(ofKey: [node], as: identity)
  }

  /// A digest of what a value means: the order of members and the spelling of numbers don't count.
  func digest(of node: Node) -> UInt64 {
    let kind = kind(of: node)
    switch kind {
    case .null: return 2
    case .false: return 3
    case .true: return 4
    case .number:
      if let integer = integer(node) { return Self.digest(5, UInt64(bitPattern: integer)) }
      // What can't be told apart in a column is one value.
      let real = real(node) ?? .infinity
      let whole = Int64(exactly: real).map { UInt64(bitPattern: $0) }
      return whole.map { Self.digest(5, $0) } ?? Self.digest(10, real.bitPattern)
    case .string: return Self.digest(6, digest(ofKey: node))
    case .array, .object:
      var (digest, next): (UInt64, Node) = (kind == .array ? 7 : 8, inside(node))
      while next != end(of: node) {
        let value = kind == .array ? next : after(next)
        if kind == .array {
          digest = Self.digest(digest, self.digest(of: value))
        } else {
          digest &+= Self.digest(self.digest(ofKey: next), self.digest(of: value))
        }
        next = after(value)
      }
      return digest
    }
  }

  /// A digest of two values in their order: each bit of them changes about half of its bits.
  static func digest(_ one: UInt64, _ other: UInt64) -> UInt64 {
    var mixed = (one ^ seed) &* 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ mixed >> 32 ^ other) &* 0xd6e8_feb8_6659_fd93
    mixed = (mixed ^ mixed >> 32) &* 0xd6e8_feb8_6659_fd93
    return mixed ^ mixed >> 32
  }

  /// Another one in each process, so that nobody can write values whose digests are the same.
  private static let seed = UInt64.random(in: .min ... .max)
}
