import SyncText

/// One line of a list of digests: `<digits>  name` or `<digits> *name`, as GNU's programs write it,
/// the algorithm being told by the number of digits; or `SHA256 (name) = <digits>`, as BSD's and
/// OpenSSL's do. With a leading backslash the name's `\\`, `\n` and `\r` are escapes.
struct ChecksumLine {
  let digest: ContentDigest
  let name: [UInt8]

  /// How the algorithms are called in front of a name.
  private static let tags: [(String, ContentDigest.Algorithm)] = [
    ("MD5", .md5), ("SHA1", .sha1), ("SHA256", .sha256), ("SHA2-256", .sha256),
    ("SHA512", .sha512), ("SHA2-512", .sha512),
  ]

  /// Whether a line is blank or a comment.
  static func isNothing(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first(where: { !JSONValue.isBlank($0) }) else { return true }
    return first == UInt8(ascii: "#") || first == UInt8(ascii: ";")
  }

  /// `nil` for a line of another form.
  init?(_ line: ArraySlice<UInt8>) {
    var text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    let isEscaped = text.first == UInt8(ascii: "\\")
    if isEscaped { text.removeFirst() }
    guard let (digest, raw) = Self.tagged(text) ?? Self.plain(text), !raw.isEmpty,
      let name = isEscaped ? Self.unescape(raw) : Array(raw)
    else { return nil }
    self.digest = digest
    // The programs are often run on ".", which gives names that begin with "./".
    self.name = name.starts(with: "./".utf8) && name.count > 2 ? Array(name.dropFirst(2)) : name
  }

  private static func plain(_ text: ArraySlice<UInt8>) -> (ContentDigest, ArraySlice<UInt8>)? {
    let digits = text.prefix { $0 != UInt8(ascii: " ") }
    let rest = text.dropFirst(digits.count)
    guard rest.starts(with: "  ".utf8) || rest.starts(with: " *".utf8),
      let algorithm = ContentDigest.Algorithm.allCases.first(where: {
        2 * $0.byteCount == digits.count
      }), let digest = ContentDigest(algorithm, hexadecimal: digits)
    else { return nil }
    return (digest, rest.dropFirst(2))
  }

  private static func tagged(_ text: ArraySlice<UInt8>) -> (ContentDigest, ArraySlice<UInt8>)? {
    for (tag, algorithm) in tags where text.starts(with: tag.utf8) {
      let digits = text.suffix(2 * algorithm.byteCount)
      let forms = [(" (", ") = "), ("(", ")= ")]
      for (head, middle) in forms {
        let head = tag + head
        guard text.count > head.utf8.count + middle.utf8.count + digits.count,
          text.starts(with: head.utf8),
          text.dropLast(digits.count).suffix(middle.utf8.count).elementsEqual(middle.utf8),
          let digest = ContentDigest(algorithm, hexadecimal: digits)
        else { continue }
        let name = text.dropFirst(head.utf8.count).dropLast(digits.count + middle.utf8.count)
        return (digest, name)
      }
    }
    return nil
  }

  private static func unescape(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\\"): output.append(byte)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      default: return nil
      }
    }
    return output
  }
}
