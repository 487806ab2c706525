private import SyncEssentials
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
  /// name, so that any server can have it. The name counts composed (Unicode's form C), with one
  /// blank between words and none around them.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - type: the documents' type.
  ///   - ignoringCase: whether names that differ only by case are one.
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
  package static func normalized(_ name: String, ignoringCase: Bool = false) -> String {
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

extension DocumentID {
  /// A new id: a UUID of version 7 (RFC 9562, section 5.7). Those that are made later come later in
  /// the order of ids, to the millisecond.
  public static func uuid7() -> DocumentID {
    uuid7(at: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
  }

  /// A new id, as if it were made at that time, in milliseconds since 1970.
  package static func uuid7(at milliseconds: Int64) -> DocumentID {
    // Beyond the 48 bits that there are for it, in the year 10889, it's as late as can be.
    let time = UInt64(min(max(milliseconds, 0), 0xFFFF_FFFF_FFFF))
    let high = time << 16 | UInt64.random(in: 0...0xFFFF)
    return uuid(high, UInt64.random(in: 0 ... .max), version: 7)
  }

  /// A new id: an integer above 1,000 of at most 53 bits, each as likely as any other, so that
  /// every program that takes numbers for doubles reads it exactly.
  public static func randomNumber() -> DocumentID {
    DocumentID(String(UInt64.random(in: 1_001..<1 << 53)))
  }

  /// Whether it's written as a UUID (RFC 9562, section 4).
  package var isUUID: Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy(\.isHexDigit)
  }

  /// A UUID from its bits but for those that say which version and variant it is.
  static func uuid(_ high: UInt64, _ low: UInt64, version: UInt64) -> DocumentID {
    let high = high & ~0xF000 | version << 12
    let low = low & ~(3 << 62) | 2 << 62
    let digits = (hexadecimal(high) + hexadecimal(low))[...]
    let parts = [8, 4, 4, 4, 12].reduce(into: (text: [String](), rest: digits)) { parts, count in
      parts.text.append(String(parts.rest.prefix(count)))
      parts.rest = parts.rest.dropFirst(count)
    }
    return DocumentID(parts.text.joined(separator: "-"))
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A server's name for one state of a document, as it gave it: an entity tag, a revision, a time.
///
/// Whether two states are the same, equal versions tell. Which is the newer one, they don't.
public struct DocumentVersion: Sendable, Hashable, CustomStringConvertible {
  /// The version as the server wrote it.
  public let text: String

  /// A version from what a server wrote.
  public init(_ text: String) {
    self.text = text
  }

  /// Equal to the byte: what Unicode has for the same, a server may not.
  public static func == (one: DocumentVersion, other: DocumentVersion) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// By the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// The version as the server wrote it.
  public var description: String { text }
}
