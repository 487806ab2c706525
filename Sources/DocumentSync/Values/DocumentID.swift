private import SyncText

/// What a document is called: unique in a store, and the same at the server.
public struct DocumentID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The id as it was written.
  public let text: String

  /// An id from its text, which is taken as it is.
  public init(_ text: String) {
    self.text = text
  }

  /// Equal to the byte: a composed and a decomposed "é" are two.
  public static func == (one: DocumentID, other: DocumentID) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// By their bytes.
  public static func < (one: DocumentID, other: DocumentID) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  /// By the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// The id as it was written.
  public var description: String { text }
}

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

extension DocumentID: Codable {
  /// From a string, or from an integer as its digits, as services have them whose ids are numbers.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self.init(String(number))
    } else {
      self.init(try container.decode(String.self))
    }
  }

  /// As a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
