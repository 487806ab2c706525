/// The key of a catalog entry: bytes from an untrusted party, compared as bytes.
///
/// Not a `String`, since Swift holds the composed and the decomposed "é" for equal and C ends a
/// name at NUL; neither may decide what a file is.
public struct CatalogKey: Hashable, Sendable {
  /// The bytes as the catalog gave them.
  public let bytes: [UInt8]

  /// A key of these bytes. Every byte string is a key; only some are paths (see ``RelativePath``).
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The key whose bytes are the UTF-8 form of `text`.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }
}

extension CatalogKey: Comparable {
  /// Byte order.
  public static func < (left: CatalogKey, right: CatalogKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
