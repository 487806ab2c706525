private import SyncText

extension DocumentID {
  /// The id of a document that is told from others of its type by a name alone, such as a tag: two
  /// devices that make one of the same name make one document.
  ///
  /// It's a UUID of version 8 (RFC 9562, section 5.8) from the SHA-256 digest of the type and the
  /// ``normalized(_:ignoringCase:)`` name, so that any server can have it.
  public static func named(
    _ name: String, ofType type: String, ignoringCase: Bool = false
  ) -> DocumentID {
    let name = normalized(name, ignoringCase: ignoringCase)
    // No type's name holds a NUL, which divides both.
    let digest = SHA256Digest(of: Array(type.utf8) + [0] + Array(name.utf8))
    let words = [digest.bytes[..<8], digest.bytes[8..<16]].map { bytes in
      bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    return uuid(words[0], words[1], version: 8)
  }

  /// A name in the one form that it has on every device: composed (Unicode's form C), with one
  /// blank between words and none around them; without case, if that doesn't count.
  public static func normalized(_ name: String, ignoringCase: Bool = false) -> String {
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // To capitals and back: "ß" and "SS" are the same then, as all forms of a sigma are.
    let folded = ignoringCase ? words.uppercased().lowercased() : words
    return folded.composed
  }
}
